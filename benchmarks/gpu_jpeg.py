"""How fast the kernels of `decoder="cuda"` are alone, compared with nvJPEG alone.

    python benchmarks/gpu_jpeg.py [--rounds 5] [--batches 256 2048] [--kinds ...] [--images FOLDER] [--json FILE]
    python benchmarks/gpu_jpeg.py --enlarged 8 --bytes 768000 --batches 1 8 64

Uses distinct files, drawn or cut out of the photographs in FOLDER, of 500 x 375 and 640 x 480: with the standard's
Huffman tables, with each file's own, progressive, and with one progressive file in ten. In some rows the files' data are
on the device; in others they are copied from page-locked memory for each batch, with descriptors that the host makes
anew, one batch after the other. nvJPEG reads the same files, unless they are progressive, with its JPEG engine, and with
its kernels. All take turns. Pillow's images, by libjpeg-turbo, are compared with all images that the kernels do not
leave to the host, and with 16 of each batch of nvJPEG's.
"""

from __future__ import annotations

import argparse
import io
import json
import pathlib
import statistics
import tempfile
import time
from collections.abc import Iterable
from typing import Any

import cupy
import harness
import numpy as np
from jpeg_kernels import Kernels
from nvjpeg import GPU, HARDWARE, Nvjpeg
from photographs import file_names, write_files
from PIL import Image

SIZES = [(375, 500), (480, 640)]
KINDS: dict[str, dict[str, Any]] = {
    "standard tables": {},
    "own tables": {"optimize": True},
    "progressive": {"progressive": 1.0},
    "progressive among others": {"progressive": 0.1},
}
REPEATS = 8  # runs of a batch in each round


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batches", type=int, nargs="+", default=[256, 2048])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), help="only these files")
    parser.add_argument("--no-nvjpeg", action="store_true", help="leave nvJPEG out")
    parser.add_argument("--images", help="folder of photographs, at least 640 x 480, to cut the files out of")
    parser.add_argument("--bytes", type=int, default=45_000, help="of a file, in the mean, about")
    parser.add_argument("--enlarged", type=int, default=1, help="how many times as high and wide as that files are")
    parser.add_argument("--json", help="where to write every number")
    return parser.parse_args()


def load(count: int, size: tuple[int, int], kind: str, arguments: argparse.Namespace) -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        write_files(
            folder, count, arguments.images, [size], arguments.bytes, **KINDS[kind], enlarged=arguments.enlarged
        )
        return [pathlib.Path(name).read_bytes() for name in file_names(folder)]


class Locked:
    """Files in page-locked memory."""

    def __init__(self, files: list[bytes]):
        self._memory = cupy.cuda.alloc_pinned_memory(sum(map(len, files)))
        view = np.frombuffer(self._memory, np.uint8)
        self.places, at = [], 0
        for file in files:
            view[at : at + len(file)] = np.frombuffer(file, np.uint8)
            self.places.append((self._memory.ptr + at, len(file)))
            at += len(file)


def nvjpeg_seconds(decoder: Nvjpeg, prepared: tuple) -> float:
    started = time.perf_counter()
    for _ in range(REPEATS):
        decoder.decode(prepared)
    return (time.perf_counter() - started) / REPEATS


def check(name: str, pixels: cupy.ndarray, files: list[bytes], chosen: Iterable[int], most: int) -> None:
    """Ends the process if a pixel of the chosen images differs from libjpeg-turbo's by more than `most`."""
    for index in chosen:
        expected = np.asarray(Image.open(io.BytesIO(files[index])).convert("RGB")).astype(np.int16)
        off = np.abs(pixels[index].get().astype(np.int16) - expected).max()
        if off > most:
            raise SystemExit(f"{name}: image {index} is {off} levels off")


def measure(
    files: list[bytes], size: tuple[int, int], rounds: int, with_nvjpeg: bool
) -> tuple[dict[str, list[float]], int]:
    """Images per second of each round, for each row; and the number of files that the kernels refused."""
    kernels, locked = Kernels(files, *size), Locked(files)
    table = {
        "kernels, data on the device": lambda: kernels.seconds(REPEATS),
        "of these, up to coefficients": lambda: kernels.seconds(REPEATS, pixels=False),
        "kernels, data copied each time": lambda: kernels.seconds(REPEATS, copies=True),
    }
    backends = {"nvJPEG's engine": HARDWARE, "nvJPEG's kernels": GPU} if with_nvjpeg else {}
    for name, backend in backends.items():
        decoder = Nvjpeg(len(files), *size, backend=backend)
        prepared = decoder.prepare(locked.places)
        nvjpeg_seconds(decoder, prepared)
        check(name, decoder.pixels, files, range(16), 3)
        table[name] = lambda decoder=decoder, prepared=prepared: nvjpeg_seconds(decoder, prepared)
    kernels.seconds(1, copies=True)
    refused = kernels.refused()
    check("kernels", kernels.pixels, files, sorted(set(range(len(files))) - set(refused)), 0)
    rates: dict[str, list[float]] = {name: [] for name in table}
    for _ in range(rounds):
        for name, seconds in table.items():
            rates[name].append(len(files) / seconds())
    kernels.close()
    return rates, len(refused)


def main() -> None:
    arguments = parse_arguments()
    found = []
    print("images per second: median, smallest, largest")
    for size in SIZES:
        for kind in arguments.kinds:
            files = load(max(arguments.batches), size, kind, arguments)
            for batch in arguments.batches:
                # nvJPEG's JPEG engine reads no progressive files.
                with_nvjpeg = not arguments.no_nvjpeg and "progressive" not in KINDS[kind]
                height, width = (arguments.enlarged * extent for extent in size)
                rates, refused = measure(files[:batch], (height, width), arguments.rounds, with_nvjpeg)
                mean = sum(map(len, files[:batch])) / batch / 1024
                print(f"\n{width} x {height}, {mean:.0f} KiB, {kind}, {batch} files, {refused} refused")
                for name, rate in rates.items():
                    print(f"{name:34}{statistics.median(rate):10.0f}{min(rate):10.0f}{max(rate):10.0f}", flush=True)
                found.append({"size": (height, width), "KiB": mean, "kind": kind, "files": batch, "refused": refused})
                found[-1]["images_per_s"] = rates
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({"about": harness.machine(), "rows": found}, indent=1))


if __name__ == "__main__":
    main()
