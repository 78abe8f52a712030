"""How fast one GPU decodes JPEG files in host memory waiting for each batch; and how fast plain samples get there.

    python benchmarks/gpu_decode.py [--rounds 7] [--files 4096] [--batch 256] [--images FOLDER] [--json FILE]

The files are drawn, or cut out of the photographs in FOLDER. All systems decode the same batches one after the other in
one process, in rounds that go through all systems in turn. One image of every batch is compared with libjpeg-turbo's.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
import pathlib
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

import harness
import jax
import jax.numpy as jnp
import numpy as np
from nvjpeg import Nvjpeg
from photographs import SIZE, file_names, write_files
from PIL import Image

from jaxdali.image import EncodedBatch, decode, decode_resample
from jaxdali.random import coin_flip, resized_crop_window, sample_keys

EXTENT = 224
MEAN, STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--files", type=int, default=4096, help="how many distinct files")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--images", help="folder of photographs, at least 500 x 375, to cut the files out of")
    parser.add_argument("--decoders", nargs="+", default=["hardware"], help="of hardware, gpu, hybrid, cpu")
    parser.add_argument("--json", help="where to write every number")
    return parser.parse_args()


class Files:
    """Batches of files in host memory that the GPU can read, with the expected result for one image of each."""

    def __init__(self, names: Sequence[str], batch: int):
        parts = [names[k : k + batch] for k in range(0, len(names) - batch + 1, batch)]
        device = jax.devices()[0]
        self.batches = [
            EncodedBatch.from_encoded([pathlib.Path(n).read_bytes() for n in part], device=device) for part in parts
        ]
        self.keys = [sample_keys(0, 0, 0, np.arange(k * batch, (k + 1) * batch)) for k in range(len(parts))]
        self.nvjpeg = Nvjpeg(batch, *SIZE)
        self.prepared = [self.nvjpeg.prepare(self._places(batch)) for batch in self.batches]
        self.checked = [7 * k % batch for k in range(len(parts))]
        self.whole, self.augmented = [], []
        for part, keys, row in zip(parts, self.keys, self.checked, strict=True):
            self.whole.append(np.asarray(Image.open(part[row])).astype(np.int16))
            with jax.default_device(jax.local_devices(backend="cpu")[0]):
                one = EncodedBatch.from_encoded([pathlib.Path(part[row]).read_bytes()])
                self.augmented.append(np.asarray(augment(one, jax.device_put(keys[row : row + 1], one.rows.device)))[0])

    @staticmethod
    def _places(batch: EncodedBatch) -> list[tuple[int, int]]:
        """Address and size of each file, so that nvJPEG reads the same memory."""
        start = batch.bytes.unsafe_buffer_pointer()
        return [(start + 64 * offset, size) for offset, size in np.asarray(batch.rows)[:, :2].tolist()]


def augment(batch: EncodedBatch, keys: jax.Array, decoder: str = "hardware") -> jax.Array:
    """What a training step does with files: random resized crop, flip, normalisation, to float32."""
    return decode_resample(
        batch,
        resized_crop_window(keys, batch.sizes),
        (EXTENT, EXTENT),
        flip=coin_flip(keys, 0.5),
        mean=MEAN,
        std=STD,
        dtype=jnp.float32,
        decoder=decoder,
    )


@dataclasses.dataclass(frozen=True)
class System:
    """A way to decode the batches.

    Attributes:
        start: starts to decode batch number k, and returns what will hold the images.
        expected: the image `files.checked[k]` of batch k.
        tolerance: how much an element may differ from it.
        each: whether to wait for every batch before the next one; else all are dispatched at once.
    """

    start: Callable[[int], Any]
    expected: list[np.ndarray]
    tolerance: float
    each: bool = True

    def rate(self, files: Files) -> float:
        """Images per second over all batches; ends the process if a checked image is wrong."""
        elapsed = 0.0
        numbers = list(range(len(files.batches)))
        for part in [[k] for k in numbers] if self.each else [numbers]:
            started = time.perf_counter()
            results = jax.block_until_ready([self.start(k) for k in part])
            elapsed += time.perf_counter() - started
            for k, result in zip(part, results, strict=True):
                self._check(k, result[files.checked[k]])
        return len(numbers) * len(files.batches[0]) / elapsed

    def _check(self, k: int, image: Any) -> None:
        found = np.asarray(image) if isinstance(image, jax.Array) else image.get()
        off = np.abs(found.astype(np.float32) - self.expected[k]).max()
        if not off <= self.tolerance:
            raise SystemExit(f"an image of batch {k} is {off} off")


def systems(files: Files, decoders: Sequence[str]) -> dict[str, System]:
    def alone(k: int) -> Any:
        files.nvjpeg.decode(files.prepared[k])
        return files.nvjpeg.pixels

    found = {"nvJPEG alone": System(alone, files.whole, 3)}
    for decoder in decoders:
        whole = jax.jit(functools.partial(decode, canvas=SIZE, decoder=decoder))
        augmented = jax.jit(functools.partial(augment, decoder=decoder))

        def start(k: int, call: Any = augmented) -> jax.Array:
            return call(files.batches[k], files.keys[k])

        level = 1 / min(STD)
        found[f"decode, {decoder}"] = System(lambda k, call=whole: call(files.batches[k]), files.whole, 3)
        found[f"decode + resample, {decoder}"] = System(start, files.augmented, 3.1 * level)
        found[f"the same, dispatched ahead, {decoder}"] = System(start, files.augmented, 3.1 * level, each=False)
    return found


def main() -> None:
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        size = write_files(folder, arguments.files, arguments.images)
        names = file_names(folder)
        files = Files(names, arguments.batch)
    table = systems(files, arguments.decoders)
    rates: dict[str, list[float]] = {name: [] for name in table}
    for round_ in range(arguments.rounds + 1):
        for name, system in table.items():
            rate = system.rate(files)
            if round_:  # the first round compiles, and allocates memory that is kept
                rates[name].append(rate)
    print(f"{jax.devices()[0].device_kind}, jax {jax.__version__}")
    shape = f"{SIZE[1]} x {SIZE[0]}, {size / 1024:.0f} KiB in the mean"
    print(f"{len(files.batches)} batches of {arguments.batch} files of {shape}")
    base = statistics.median(rates["nvJPEG alone"])
    for name, found in rates.items():
        median = statistics.median(found)
        print(f"{name:40} {median:10.0f} img/s  {min(found):8.0f} to {max(found):8.0f}  {median / base:6.2f}")
    if arguments.json:
        about = harness.machine()
        pathlib.Path(arguments.json).write_text(json.dumps({"about": about, "images_per_s": rates}, indent=1))


if __name__ == "__main__":
    main()
