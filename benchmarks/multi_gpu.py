"""What feeding ResNet-50 costs if several GPUs share each batch, and how fast batches come without training.

    python benchmarks/multi_gpu.py [--devices 1 2 4] [--pairs 6] [--steps 45] [--images FOLDER] [--json FILE]

The training step is that of examples/resnet50.py, run in a separate process for each number of devices: with 256 images
per device, it compares a global batch that is divided among the devices with one that stays on them. Flat out, the
Loader's batches are only waited for: by one process for all devices, and by one for each (jax.distributed), in turn.
Batches of all processes are compared, bit for bit, and with those of one device that resumes there.
With `--tiny` it also runs on a CPU (JAX_PLATFORMS=cpu, with devices made by XLA_FLAGS).
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import harness
from multi_gpu_task import Task
from photographs import file_names, write_files
from standing import Standing
from table import short

CLASSES = 8
PROGRAM = str(pathlib.Path(__file__).with_name("multi_gpu_measure.py"))
ALL, EACH = WAYS = ("one process", "one process a device")
# Seconds that processes may take to start, and to measure.
START_S, MEASURE_S = 180.0, 120.0
EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--devices", type=int, nargs="+", default=[1, 2, 4], help="how many share a batch, one after another"
    )
    parser.add_argument("--batch-size", type=int, default=256, help="images of each device")
    parser.add_argument("--feeds", nargs="+", choices=["jaxdali", "DALI"], default=["jaxdali", "DALI"])
    parser.add_argument("--pairs", type=int, default=6, help="segments of each feed")
    parser.add_argument("--steps", type=int, default=45, help="of a segment")
    parser.add_argument("--batches", type=int, default=100, help="that are timed flat out")
    parser.add_argument("--files", type=int, default=4096, help="how many distinct files")
    parser.add_argument("--images", help="folder of photographs, at least 500 x 375, to cut the files out of")
    parser.add_argument("--workers", type=int, default=8, help="processes a device that read files")
    parser.add_argument("--size", type=int, default=224, help="extent of the images, in pixels")
    parser.add_argument("--tiny", action="store_true", help="a small network")
    parser.add_argument("--json", help="where to write every number")
    parser.add_argument("--rounds", type=int, default=3, help="in which one and several processes are timed in turn")
    parser.add_argument("--decoder", default="cuda", help="jaxdali's: cuda, hardware, gpu, hybrid or cpu")
    parser.add_argument("--no-training", action="store_true", help="only flat out")
    return parser.parse_args()


@contextlib.contextmanager
def started(arguments: argparse.Namespace, count: int, way: str) -> Iterator[list[Standing]]:
    """Yields processes that make batches for that many devices: one for all, or one for each."""
    task = Task(
        arguments.folder,
        count,
        arguments.batch_size,
        arguments.workers,
        arguments.size,
        arguments.batches,
        arguments.decoder,
    )
    # Both ways share the GPUs' memory. On a CPU, a process of several has one device.
    environment = {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    tasks = [task]
    if way == EACH:
        port = free_port()
        tasks = [dataclasses.replace(task, port=port, process=process) for process in range(count)]
        environment |= {"XLA_FLAGS": ""} if os.environ.get("JAX_PLATFORMS") == "cpu" else {}
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(contextlib.closing(Standing([PROGRAM, one.to_text()], environment))) for one in tasks
        ]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("localhost", 0))
        return one.getsockname()[1]


def flat_out(arguments: argparse.Namespace, count: int) -> dict[str, Any]:
    """Images/s of a Loader over that many devices, in rounds by one process for all and by one for each, whose first
    batches are compared.
    """
    images = arguments.batches * arguments.batch_size * count
    with contextlib.ExitStack() as stack:
        ways = {way: stack.enter_context(started(arguments, count, way)) for way in WAYS[: min(count, 2)]}
        said = {way: [process.answer(START_S) for process in processes] for way, processes in ways.items()}
        if len({tuple(one["fingerprints"]) for answers in said.values() for one in answers}) > 1:
            raise SystemExit(f"{count} devices: the batches differ: {said}")
        found: dict[str, Any] = {"device": said[ALL][0]["device"]}
        for way, answers in said.items():
            found[way] = {"first_s": max(one["first_s"] for one in answers), "images_per_s": [], "cpu_us": []}
        for _ in range(arguments.rounds):
            for way, processes in ways.items():
                for process in processes:
                    process.ask()
                answers = [process.answer(MEASURE_S) for process in processes]
                found[way]["images_per_s"].append(images / max(one["s"] for one in answers))
                found[way]["cpu_us"].append(1e6 * sum(one["cpu_s"] for one in answers) / images)
                found[way]["device_mib"] = max(one["device_bytes"] for one in answers) >> 20
    return found


def train(arguments: argparse.Namespace, count: int, folder: str) -> dict[str, dict[str, float]]:
    """The summaries of examples/resnet50.py for each feed."""
    path = pathlib.Path(folder, f"{count}.json")
    numbers = {
        "--devices": count,
        "--batch-size": arguments.batch_size,
        "--pairs": arguments.pairs,
        "--steps": arguments.steps,
        "--workers": count * arguments.workers,
        "--size": arguments.size,
        "--json": path,
        "--data": arguments.folder,
        "--decoder": arguments.decoder,
    }
    command = [sys.executable, str(EXAMPLES / "resnet50.py"), "--feeds", *arguments.feeds]
    command += [str(word) for pair in numbers.items() for word in pair] + ["--tiny"] * arguments.tiny
    subprocess.run(command, check=True, stdout=sys.stderr)
    return json.loads(path.read_text())["summaries"]


def print_results(results: dict[int, dict[str, Any]]) -> None:
    print("| devices | flat out, by | images/s | min to max | CPU us an image | first batch | MiB of a device |")
    print("|---|---|---|---|---|---|---|")
    for count, found in results.items():
        for way in WAYS:
            if way in found["flat_out"]:
                one = found["flat_out"][way]
                rates, cpu = one["images_per_s"], statistics.median(one["cpu_us"])
                spread = f"{short(statistics.median(rates))} | {short(min(rates))} to {short(max(rates))}"
                print(f"| {count} | {way} | {spread} | {cpu:.0f} | {one['first_s']:.1f} s | {one['device_mib']} |")
    trained = {count: found["training"] for count, found in results.items() if "training" in found}
    if trained:
        print("\n| devices | feed | median of a step | p99 | slower than the resident batch |\n|---|---|---|---|---|")
    for count, summaries in trained.items():
        for feed, numbers in summaries.items():
            slower = "-" if feed == "resident" else f"{numbers['slower_mean']:.1f} %"
            print(f"| {count} | {feed} | {numbers['p50_ms']:.1f} ms | {numbers['p99_ms']:.1f} ms | {slower} |")


def main() -> None:
    arguments = parse_arguments()
    about = harness.machine()
    results: dict[int, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as files, tempfile.TemporaryDirectory() as other:
        write_files(files, arguments.files, arguments.images)
        for label in range(CLASSES):
            pathlib.Path(files, f"class_{label}").mkdir()
        for number, name in enumerate(map(pathlib.Path, file_names(files))):
            name.rename(name.parent / f"class_{number % CLASSES}" / name.name)
        arguments.folder = files
        for count in arguments.devices:
            results[count] = {"flat_out": flat_out(arguments, count)}
            if not arguments.no_training:
                results[count]["training"] = train(arguments, count, other)
    about |= {"device": next(iter(results.values()))["flat_out"]["device"]}
    print(f"{about['device']}, {about['cpu']}, {about['cpus']} CPUs, {about['versions']}")
    print_results(results)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({"machine": about, "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
