"""How fast files of images become training batches on one GPU: random resized crop to 224 x 224, flip, normalise, float32.

    python benchmarks/gpu.py [--rounds 5] [--batches 192] [--files 4096] [--kinds KIND ...]
        [--images FOLDER] [--systems ...] [--json FILE] [--plot FILE.png]

The files of each kind (JPEG of 500 x 375, about 62 KiB, unless another one is named) are drawn, or cut out of the
photographs in FOLDER; worker processes read them during the measurement. Every batch is a `jax.Array` on the GPU, which
is waited for and summed there. Some rows only decode data that is in memory, and say so.

Each system has a process of its own. All are started at once and then wait, and rounds go through them in turn, so that
a slowdown of the machine affects all. With --fresh every measurement has a new process, which takes minutes. Each
measurement starts with a warm-up that uses up batches made ahead. One seed gives one stream of batches: jaxdali's
checksums must be equal between rounds, and with and without decoding ahead.
"""

from __future__ import annotations

import argparse
import contextlib
import pathlib
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import Any

import harness
from gpu_table import draw, print_gpu_table
from gpu_task import DECODERS_OF, MODULES, Task
from photographs import KINDS, write_files
from standing import Standing, StandingError

BASE = "DALI external_source"
PROGRAM = str(pathlib.Path(__file__).with_name("gpu_measure.py"))
# Seconds that a process may take to start, and to measure; and images per second below which it is not waited for.
START_S, MEASURE_S, SLOWEST = 120.0, 20.0, 4000


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batches", type=int, default=192, help="that are timed in a measurement")
    parser.add_argument("--warm-up", type=int, default=64, help="batches before them; more than are made ahead")
    parser.add_argument("--batch", type=int, default=256, help="images of a batch")
    parser.add_argument("--files", type=int, default=4096, help="how many distinct files")
    parser.add_argument("--images", help="folder of photographs, at least 500 x 375, to cut the files out of")
    parser.add_argument(
        "--kinds", nargs="+", choices=KINDS, default=["JPEG"], metavar="KIND", help=f"of {', '.join(KINDS)}"
    )
    parser.add_argument("--workers", type=int, default=8, help="processes that read files, of those that have any")
    parser.add_argument("--decode-memory", type=float, default=8.0, help='GiB for decoder="gpu"')
    parser.add_argument("--systems", nargs="+", choices=MODULES, default=list(MODULES), help="only these")
    parser.add_argument("--device", choices=("gpu", "cpu"), default="gpu", help="cpu: jaxdali only, to try things out")
    parser.add_argument(
        "--limit", type=float, default=140.0, help="seconds of a kind; no round begins that would end later"
    )
    parser.add_argument("--fresh", action="store_true", help="a new process for every measurement")
    parser.add_argument("--json", help="where to write every number")
    parser.add_argument("--plot", help="where to draw them; wants matplotlib")
    arguments = parser.parse_args()
    if min(arguments.rounds, arguments.batches, arguments.batch, arguments.workers) < 1 or arguments.warm_up < 0:
        parser.error("--rounds, --batches, --batch and --workers must be at least 1, --warm-up 0")
    if arguments.files < arguments.batch:
        parser.error(f"--files {arguments.files} is less than --batch {arguments.batch}")
    if arguments.device == "cpu":
        arguments.systems = [system for system in arguments.systems if system in DECODERS_OF]
    return arguments


class Checksums:
    """Compares the checksums of each step between streams that must have the same bits."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, Sequence[int]]] = {}
        self.compared = 0
        self.faults: list[str] = []

    def add(self, system: str, where: str, sums: Sequence[int]) -> None:
        if not sums:
            return
        decoder = DECODERS_OF[system]
        first, expected = self._known.setdefault(decoder, (where, sums))
        self.compared += len(sums) if first != where else 0
        wrong = [step for step, pair in enumerate(zip(sums, expected, strict=True)) if pair[0] != pair[1]]
        if wrong:
            self.faults.append(f"{where}: {len(wrong)} checksums, of step {wrong[0]} first, are not those of {first}")


class Systems:
    """The processes: started together, or with `fresh` each for one measurement."""

    def __init__(self, tasks: Sequence[Task], device: str, fresh: bool):
        # Without preallocation, because all of them share the GPU's memory.
        self._environment = {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
        if device == "cpu":
            self._environment["JAX_PLATFORMS"] = "cpu"
        self._tasks = {task.system: task for task in tasks}
        self._fresh = fresh
        self._standing: dict[str, Standing] = {}
        self.device = ""

    def start(self) -> None:
        """Starts all standing processes; names those that fail on stderr, and leaves them out from then on."""
        if self._fresh:
            return
        for system in self._tasks:
            self._standing[system] = self._started(system)
        for system in list(self._standing):
            try:
                self._ready(self._standing[system])
            except StandingError as error:
                print(f"{system} did not start: {error}", file=sys.stderr)
                del self._standing[system]

    def measure(self, system: str) -> dict[str, Any] | None:
        """Returns a measurement, or None if it failed, which was reported."""
        if not self._fresh and system not in self._standing:
            return None
        process = self._standing.pop(system, None)
        try:
            if process is None:
                process = self._started(system)
                self._ready(process)
            process.ask()
            task = self._tasks[system]
            found = process.answer(MEASURE_S + task.batch * (task.warm_up + task.batches) / SLOWEST)
        except StandingError as error:
            print(f"{system} failed: {error}", file=sys.stderr)
            return None
        if self._fresh:
            process.close()
        else:
            self._standing[system] = process
        return found

    def close(self) -> None:
        """Ends all processes."""
        for process in self._standing.values():
            process.close()
        self._standing.clear()

    def _started(self, system: str) -> Standing:
        return Standing([PROGRAM, self._tasks[system].to_text()], self._environment)

    def _ready(self, process: Standing) -> None:
        self.device = process.answer(START_S)["device"] or self.device


def rounds(count: int, limit_s: float, started: float) -> Iterator[int]:
    """Yields round numbers while another round fits into the limit."""
    longest = 0.0
    for number in range(count):
        begun = time.monotonic()
        if number and begun - started + longest > limit_s:
            print(f"{number} rounds of {count}: another one would end behind --limit {limit_s:.0f}", file=sys.stderr)
            return
        yield number
        longest = max(longest, time.monotonic() - begun)


def run(arguments: argparse.Namespace, folder: str, checksums: Checksums) -> tuple[dict[str, Any], str]:
    """Runs all rounds of a kind of files. Returns the numbers of each system, and the GPU's name."""
    started = time.monotonic()
    names = harness.available({system: MODULES[system] for system in arguments.systems})
    tasks = [
        Task(
            system,
            folder,
            arguments.batch,
            arguments.warm_up,
            arguments.batches,
            arguments.workers,
            int(arguments.decode_memory * (1 << 30)),
            arguments.device,
        )
        for system in names
    ]
    found: dict[str, dict[str, list[float]]] = {system: {} for system in names}
    with contextlib.closing(Systems(tasks, arguments.device, arguments.fresh)) as systems:
        systems.start()
        print(f"all started after {time.monotonic() - started:.0f} s", file=sys.stderr)
        for number in rounds(arguments.rounds, arguments.limit, started):
            for system in names:
                numbers = systems.measure(system)
                if numbers is None:
                    continue
                checksums.add(system, f"{system}, round {number + 1}", numbers.pop("checksums"))
                for metric, value in numbers.items():
                    found[system].setdefault(metric, []).append(value)
        return found, systems.device


def main() -> None:
    started = time.monotonic()
    arguments = parse_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # ends the processes, too
    about = harness.machine()
    results: dict[str, Any] = {}
    checked: dict[str, Any] = {"checksums_compared": 0, "checksum_faults": []}
    for kind in arguments.kinds:
        checksums = Checksums()
        with tempfile.TemporaryDirectory() as folder:
            size = write_files(folder, arguments.files, arguments.images, **KINDS[kind])
            found, device = run(arguments, folder, checksums)
        results[f"{kind} to 224x224x3 float32"] = found
        checked["checksums_compared"] += checksums.compared
        checked["checksum_faults"] += checksums.faults
        print(f"{device}, {about['cpu']}, {about['cpus']} CPUs, Python {about['python']}, {about['versions']}")
        print(
            f"{kind}: {arguments.files} files of {size / 1024:.0f} KiB in the mean, {arguments.batches} batches of "
            f"{arguments.batch}, {arguments.workers} workers, decode_memory={arguments.decode_memory:g} GiB with "
            f'decoder="gpu"'
        )
        print_gpu_table(found, BASE)
        print(
            f"{checksums.compared} checksums were compared; {time.monotonic() - started:.0f} s so far", file=sys.stderr
        )
        about |= {"device": device}
    if arguments.json:
        harness.write_json(arguments.json, results, about | checked)
    if arguments.plot:
        try:
            draw(next(iter(results.values())), arguments.plot)
        except ModuleNotFoundError:
            print("matplotlib is not installed: nothing is drawn", file=sys.stderr)
    if checked["checksum_faults"]:
        raise SystemExit("\n".join(checked["checksum_faults"]))


if __name__ == "__main__":
    main()
