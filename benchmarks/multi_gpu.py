"""What feeding ResNet-50 costs if several GPUs share each batch, and how fast batches come without training.

    python benchmarks/multi_gpu.py [--devices 1 2 4] [--pairs 6] [--steps 45] [--images FOLDER] [--json FILE]

The training step is that of examples/resnet50.py, run in a separate process for each number of devices: with 256 images
per device, it compares a global batch that is divided among the devices with one that stays on them. Flat out, the
Loader's batches are only waited for. The first batch is compared with that of one device, bit for bit.
With `--tiny` it also runs on a CPU (JAX_PLATFORMS=cpu, with devices made by XLA_FLAGS).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time
from typing import Any

import harness
from photographs import file_names, write_files
from table import short

CLASSES = 8
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
    parser.add_argument("--measure-flat-out", type=int, metavar="DEVICES", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    return parser.parse_args()


def flat_out(arguments: argparse.Namespace, count: int) -> dict[str, Any]:
    """Images per second of a Loader over that many devices, in this process."""
    sys.path.insert(0, str(EXAMPLES))
    import jax
    import numpy as np
    import resnet50_feeds as feeds
    import resnet50_model as model

    import jaxdali

    data = jaxdali.source.ImageFolder(arguments.folder)
    size, batch_size = (arguments.size, arguments.size), count * arguments.batch_size

    def first_batches(devices: int, batches: int) -> tuple[list[np.ndarray], float]:
        """Returns the first batch, and the seconds for `batches` batches, after using up those made ahead."""
        cut, _ = model.make_shardings(devices)
        task = feeds.Task(data, batch_size, size, count * arguments.workers, "hardware", None, cut)
        with contextlib.ExitStack() as stack:
            feed = feeds.FEEDS["jaxdali"](task, stack)
            first = [np.asarray(leaf) for leaf in next(feed)]
            for _ in range(32 if batches else 0):
                jax.block_until_ready(next(feed))
            began = time.perf_counter()
            for _ in range(batches):
                jax.block_until_ready(next(feed))
            return first, time.perf_counter() - began

    found, seconds = first_batches(count, arguments.batches)
    expected, _ = first_batches(1, 0)
    if any(not np.array_equal(one, other) for one, other in zip(found, expected, strict=True)):
        raise SystemExit(f"{count} devices make another first batch than one device")
    return {"device": jax.devices()[0].device_kind, "images_per_s": arguments.batches * batch_size / seconds}


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
    }
    command = [sys.executable, str(EXAMPLES / "resnet50.py"), "--feeds", *arguments.feeds]
    command += [str(word) for pair in numbers.items() for word in pair] + ["--tiny"] * arguments.tiny
    subprocess.run(command, check=True, stdout=sys.stderr)
    return json.loads(path.read_text())["summaries"]


def print_results(results: dict[int, dict[str, Any]]) -> None:
    print(
        "| devices | feed | median of a step | p99 | slower than the resident batch | flat out |\n|---|---|---|---|---|---|"
    )
    for count, found in results.items():
        for feed, numbers in found["training"].items():
            slower = "-" if feed == "resident" else f"{numbers['slower_mean']:.1f} %"
            rate = f"{short(found['flat_out']['images_per_s'])} images/s" if feed == "jaxdali" else ""
            times = f"{numbers['p50_ms']:.1f} ms | {numbers['p99_ms']:.1f} ms"
            print(f"| {count} | {feed} | {times} | {slower} | {rate} |")


def main() -> None:
    arguments = parse_arguments()
    if arguments.measure_flat_out:
        print(json.dumps(flat_out(arguments, arguments.measure_flat_out)))
        return
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
            command = [sys.executable, *sys.argv, "--measure-flat-out", str(count), "--folder", files]
            answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            results[count] = {
                "flat_out": json.loads(answer.splitlines()[-1]),
                "training": train(arguments, count, other),
            }
    about |= {"device": next(iter(results.values()))["flat_out"]["device"]}
    print(f"{about['device']}, {about['cpu']}, {about['cpus']} CPUs, {about['versions']}")
    print_results(results)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({"machine": about, "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
