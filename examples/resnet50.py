"""Trains ResNet-50 from JPEG files, and measures how much feeding it adds to a step.

    python examples/resnet50.py [--data FOLDER] [--feeds jaxdali DALI] [--pairs 8] [--steps 45] [--tiny] [--plot FILE]
        [--devices 1] [--trace STEPS]

FOLDER has one sub-folder per class; without it, some thousand JPEGs are drawn. The same compiled step is fed with a
batch that stays on the device, by jaxdali's Loader, and by NVIDIA DALI if it is installed; each trains its own
network. With several --devices the batch is divided among them, and the step's gradients are summed. In turn, a round
runs a segment of steps with the resident batch and one with every other feed; what counts is the ratio within a
round. Feeds stay alive between their segments; meanwhile their workers refill what they prepare ahead, with which the
next segment starts. A step lasts from the end of the previous step to its own end, as seen by the host; the first few
of a segment do not count.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import math
import pathlib
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import resnet50_files

# jax is imported in main(), because DALI's worker processes import this file, too, and do not need jax.

RESIDENT = "resident"
# Seconds between two segments, in which workers refill what they prepare ahead.
REST_S = 0.3
WARM_STEPS = 10
COLOURS = {RESIDENT: "#777777", "jaxdali": "#1f5fa8", "DALI": "#76b900"}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="a folder with one sub-folder of images per class")
    parser.add_argument("--files", type=int, default=4096, help="how many to draw where there is no folder")
    parser.add_argument("--feeds", nargs="+", choices=["jaxdali", "DALI"], default=["jaxdali", "DALI"])
    parser.add_argument("--pairs", type=int, default=8, help="segments of each feed")
    parser.add_argument("--steps", type=int, default=45, help="of a segment")
    parser.add_argument("--skip", type=int, default=3, help="first steps of a segment, which do not count")
    parser.add_argument("--devices", type=int, default=1, help="how many share each batch")
    parser.add_argument("--batch-size", type=int, default=256, help="images of each device")
    parser.add_argument("--size", type=int, default=224, help="extent of the images, in pixels")
    parser.add_argument("--tiny", action="store_true", help="a narrow ResNet-18, whose step is short")
    parser.add_argument("--width", type=int, help="filters of the first convolution; 64, tiny: 16")
    parser.add_argument("--rate", type=float, help="of learning; 0.1 for 256 images")
    parser.add_argument("--workers", type=int, help="processes that read files; 8 a device")
    parser.add_argument("--decoder", default="cuda", help="jaxdali's: cuda, hardware, gpu, hybrid or cpu")
    parser.add_argument("--decode-ahead", type=int, help="jaxdali's: images decoded before the step wants them")
    parser.add_argument(
        "--block",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="wait for every step before the next is dispatched; else for the one before it",
    )
    parser.add_argument(
        "--trace", type=int, metavar="STEPS", help="print what the GPU does for the feeds in so many steps"
    )
    parser.add_argument("--json", help="where to write every number")
    parser.add_argument("--plot", help="where to draw the step times")
    arguments = parser.parse_args()
    if arguments.trace is not None and arguments.trace < 1:
        parser.error("--trace must be 1 at least")
    if not 0 < arguments.skip < arguments.steps - 1:
        parser.error("--skip must be 1 at least, and leave two steps of a segment")
    return arguments


@dataclasses.dataclass
class Trainee:
    """A feed, the network that it trains, and their measurements.

    Attributes:
        workers: process ids of the feed's own processes.
        times: seconds of the steps that count, for each segment.
        losses: of all steps, including those that do not count.
        main_cpu: CPU seconds of this process in each segment.
        workers_cpu: CPU seconds of the feed's own processes, in all segments and between them.
    """

    step: Callable[..., Any]
    batches: Iterator[Any]
    state: Any
    workers: set[int] = dataclasses.field(default_factory=set)
    times: list[list[float]] = dataclasses.field(default_factory=list)
    losses: list[float] = dataclasses.field(default_factory=list)
    main_cpu: list[float] = dataclasses.field(default_factory=list)
    workers_cpu: float = 0.0

    def run(self, steps: int, block: bool) -> list[float]:
        """Trains, and returns when each step ended, in seconds."""
        losses, ends = [], []
        for number in range(steps):
            images, labels = next(self.batches)
            self.state, loss = self.step(self.state, images, labels)
            losses.append(loss)
            waited = number if block else number - 1
            if waited >= 0:
                losses[waited].block_until_ready()
                ends.append(time.perf_counter())
        if not block:
            losses[-1].block_until_ready()
            ends.append(time.perf_counter())
        self.losses += map(float, losses)
        return ends

    def measure(self, steps: int, skip: int, block: bool) -> None:
        before = resnet50_files.cpu_s()
        ends = self.run(steps, block)
        self.main_cpu.append(resnet50_files.cpu_s() - before)
        self.times.append([end - begin for begin, end in zip(ends[skip - 1 :], ends[skip:], strict=False)])

    def summary(self, base: Trainee, steps: int) -> dict[str, float]:
        """The numbers of the table; slow-downs are medians over the rounds, in %."""
        times = sorted(time for segment in self.times for time in segment)
        found = {
            "steps": len(times),
            "p50_ms": 1e3 * statistics.median(times),
            "mean_ms": 1e3 * statistics.fmean(times),
            "p99_ms": 1e3 * times[math.ceil(0.99 * len(times)) - 1],
            "max_ms": 1e3 * times[-1],
            "main_cpu_ms": 1e3 * sum(self.main_cpu) / (steps * len(self.main_cpu)),
            "workers_cpu_ms": 1e3 * self.workers_cpu / (steps * len(self.main_cpu)),
        }
        for name, typical in (("slower_mean", statistics.fmean), ("slower_median", statistics.median)):
            ratios = [typical(own) / typical(its) for own, its in zip(self.times, base.times, strict=True)]
            found[name] = 100 * (statistics.median(ratios) - 1)
        return found


def open_trainees(arguments: argparse.Namespace, folder: str, stack: contextlib.ExitStack) -> dict[str, Trainee]:
    """Starts the feeds, compiles the step, and trains a few steps with each."""
    import resnet50_feeds as feeds
    import resnet50_model as model

    import jaxdali

    size, count = (arguments.size, arguments.size), arguments.devices
    data = jaxdali.source.ImageFolder(folder)
    cut, same = model.make_shardings(count)
    batch_size, workers = count * arguments.batch_size, arguments.workers or 8 * count
    task = feeds.Task(data, batch_size, size, workers, arguments.decoder, arguments.decode_ahead, cut)
    network = model.make_network(arguments.tiny, arguments.width, len(data.classes))
    start, step = model.make_training(network, size, arguments.rate or 0.1 * batch_size / 256, same)
    trainees = {}
    for name in [RESIDENT, *arguments.feeds]:
        began, before = time.perf_counter(), resnet50_files.children()
        try:
            batches = feeds.FEEDS[name](task, stack)
        except Exception as error:
            if name != "DALI":
                raise
            print(f"DALI is not installed, or does not run here, and is left out: {error!r}")
            continue
        trainees[name] = Trainee(step, batches, start(0))
        trainees[name].run(WARM_STEPS, arguments.block)
        trainees[name].workers = resnet50_files.children() - before
        print(f"{name}: ready after {time.perf_counter() - began:.1f} s", flush=True)
    return trainees


def measure(arguments: argparse.Namespace, trainees: dict[str, Trainee]) -> None:
    """Runs all rounds; the order of the feeds alternates between rounds."""
    fed = [name for name in trainees if name != RESIDENT]
    time.sleep(REST_S)
    before = {name: resnet50_files.cpu_s(trainees[name].workers) for name in fed}
    for number in range(arguments.pairs):
        for name in [RESIDENT, *(fed if number % 2 else fed[::-1])]:
            trainees[name].measure(arguments.steps, arguments.skip, arguments.block)
            time.sleep(REST_S)
    for name in fed:
        trainees[name].workers_cpu = resnet50_files.cpu_s(trainees[name].workers) - before[name]


def print_table(summaries: dict[str, dict[str, float]], pairs: int, skip: int) -> None:
    columns = {
        "p50_ms": "p50 ms",
        "mean_ms": "mean ms",
        "p99_ms": "p99 ms",
        "max_ms": "max ms",
        "slower_mean": "slower, %",
        "slower_median": "(medians)",
        "main_cpu_ms": "main CPU",
        "workers_cpu_ms": "workers CPU",
    }
    print(f"{'':10}" + "".join(f"{title:>12}" for title in columns.values()))
    for name, numbers in summaries.items():
        print(f"{name:10}" + "".join(f"{numbers[key]:12.2f}" for key in columns))
    steps = next(iter(summaries.values()))["steps"]
    print(
        f"{steps} steps of each in {pairs} segments, their first {skip} left out; slower than the resident batch: median of "
        f"{pairs} ratios of mean (median) steps; CPU ms a step, that of the workers with what they do between segments"
    )


def check_losses(name: str, losses: list[float], must_fall: bool) -> None:
    """Ends the program if a network did not learn."""
    part = min(20, len(losses) // 3)
    first, last = statistics.fmean(losses[:part]), statistics.fmean(losses[-part:])
    print(f"{name}: loss {first:.3f} -> {last:.3f} in {len(losses)} steps")
    if not all(map(math.isfinite, losses)):
        raise SystemExit(f"{name}: a loss is not finite")
    if must_fall and last > 0.5 * first:
        raise SystemExit(f"{name}: the loss did not fall to a half")


def draw(trainees: dict[str, Trainee], title: str, path: str) -> None:
    """Plots step times in order, and their distribution."""
    try:
        import matplotlib
    except ImportError as error:
        print(f"no plot: {error}")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), width_ratios=(2, 1), sharey=True, layout="constrained")
    for name, trainee in trainees.items():
        times = [1e3 * time for segment in trainee.times for time in segment]
        left.plot(times, ".", ms=3, color=COLOURS[name], label=name)
        right.plot([100 * k / len(times) for k in range(len(times))], sorted(times), color=COLOURS[name], label=name)
    left.set(xlabel="step", ylabel="ms a step", ylim=(0, None))
    right.set(xlabel="% of the steps take at most")
    right.legend(frameon=False)
    figure.suptitle(title, fontsize=10)
    figure.savefig(path, dpi=110)


def trace(trainees: dict[str, Trainee], arguments: argparse.Namespace) -> None:
    """Prints what the GPU does for each feed, beyond the steps with the resident batch."""
    from resnet50_trace import print_more, times_of

    found = {}
    for name, trainee in trainees.items():
        trainee.run(arguments.skip, arguments.block)  # uses up what was prepared ahead
        found[name] = times_of(lambda trainee=trainee: trainee.run(arguments.trace, arguments.block))
    for name in trainees.keys() - {RESIDENT}:
        print(f"{name}, on the GPU beyond the resident batch; what has streams of its own overlaps with the steps:")
        print_more(found[name], found[RESIDENT], arguments.trace)


def main() -> None:
    arguments = parse_arguments()
    with contextlib.ExitStack() as stack:
        folder = arguments.data
        if folder is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            began = time.perf_counter()
            size = resnet50_files.draw_files(folder, max(arguments.files, arguments.batch_size))
            print(f"drew files of {size / 1024:.0f} KiB in the mean in {time.perf_counter() - began:.1f} s", flush=True)
        trainees = open_trainees(arguments, folder, stack)
        measure(arguments, trainees)

        import jax

        network = "a small ResNet" if arguments.tiny else "ResNet-50"
        kind = f"{arguments.devices} x {jax.devices()[0].device_kind}"
        title = f"{network}, batch {arguments.batch_size} a device, on {kind}, jax {jax.__version__}"
        print(title)
        base = trainees[RESIDENT]
        summaries = {name: trainee.summary(base, arguments.steps) for name, trainee in trainees.items()}
        print_table(summaries, arguments.pairs, arguments.skip)
        if arguments.json:
            measured = {name: {"times_s": t.times, "losses": t.losses} for name, t in trainees.items()}
            about = {"title": title, "arguments": vars(arguments), "summaries": summaries, "measured": measured}
            pathlib.Path(arguments.json).write_text(json.dumps(about, indent=1) + "\n")
        if arguments.plot:
            draw(trainees, title, arguments.plot)
        if arguments.trace:
            trace(trainees, arguments)
        for name, trainee in trainees.items():
            # A few steps prove nothing, and whether a user's own files can be learned is unknown.
            must_fall = name != RESIDENT and arguments.data is None and len(trainee.losses) >= 200
            check_losses(name, trainee.losses, must_fall)


if __name__ == "__main__":
    main()
