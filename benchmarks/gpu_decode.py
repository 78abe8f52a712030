"""How fast one GPU decodes JPEG files that lie in host memory, when each batch is waited for; and how fast plain samples
get there.

    python benchmarks/gpu_decode.py [--rounds 7] [--files 4096] [--batch 256] [--images FOLDER] [--json FILE]

The files are drawn, or cut out of the photographs in FOLDER. All systems decode the same batches, one after the other in
one process, in rounds that go through all systems in turn. Of every batch an image is compared with libjpeg-turbo's.
"""

from __future__ import annotations

import argparse
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
    """Batches of files in host memory that the GPU can read, and what is expected of them."""

    def __init__(self, names: Sequence[str], batch: int):
        contents = [np.fromfile(name, np.uint8) for name in names]
        parts = [contents[k : k + batch] for k in range(0, len(contents) - batch + 1, batch)]
        device = jax.devices()[0]
        self.batches = [EncodedBatch.from_encoded([c.tobytes() for c in part], device=device) for part in parts]
        self.nvjpeg = Nvjpeg(batch, *SIZE)
        self.prepared = [self.nvjpeg.prepare(self._places(batch)) for batch in self.batches]
        self.checked = [k % batch for k in range(len(parts))]
        self.pixels = [np.asarray(Image.open(names[k * batch + row])) for k, row in enumerate(self.checked)]

    @staticmethod
    def _places(batch: EncodedBatch) -> list[tuple[int, int]]:
        """Address and size of each file: nvJPEG reads the same memory."""
        start = batch.bytes.unsafe_buffer_pointer()
        return [(start + 64 * offset, size) for offset, size in np.asarray(batch.rows)[:, :2].tolist()]


def systems(files: Files, decoders: Sequence[str]) -> dict[str, Callable[[int], Any]]:
    """Name -> a function that decodes batch number k, waits, and returns its image `files.checked[k]` or None."""

    def nvjpeg(k: int) -> np.ndarray:
        files.nvjpeg.decode(files.prepared[k])
        return files.nvjpeg.pixels[files.checked[k]]

    samples = len(files.batches[0])
    keys = [sample_keys(0, 0, 0, np.arange(k * samples, (k + 1) * samples)) for k in range(len(files.batches))]
    found: dict[str, Callable[[int], Any]] = {"nvJPEG alone": nvjpeg}
    for decoder in decoders:
        whole = jax.jit(lambda batch, decoder=decoder: decode(batch, SIZE, decoder=decoder))

        @jax.jit
        def augmented(batch: EncodedBatch, keys: jax.Array, decoder: str = decoder) -> jax.Array:
            window = resized_crop_window(keys, batch.sizes)
            flip = coin_flip(keys, 0.5)
            return decode_resample(
                batch, window, (EXTENT, EXTENT), flip=flip, mean=MEAN, std=STD, dtype=jnp.float32, decoder=decoder
            )

        def run_whole(k: int, whole: Any = whole) -> Any:
            return jax.block_until_ready(whole(files.batches[k]))[files.checked[k]]

        def run_augmented(k: int, augmented: Any = augmented) -> None:
            jax.block_until_ready(augmented(files.batches[k], keys[k]))

        found[f"decode, {decoder}"] = run_whole
        found[f"decode + resample, {decoder}"] = run_augmented
    return found


def measure(decode_one: Callable[[int], Any], files: Files, tolerance: int) -> float:
    """Images a second over all batches; ends the process if a checked image is wrong."""
    elapsed = 0.0
    for k in range(len(files.batches)):
        started = time.perf_counter()
        pixels = decode_one(k)
        elapsed += time.perf_counter() - started
        if pixels is not None:
            pixels = np.asarray(pixels) if isinstance(pixels, jax.Array) else pixels.get()
            off = np.abs(pixels.astype(int) - files.pixels[k])
            if off.max() > tolerance:
                raise SystemExit(f"an image of batch {k} is {off.max()} levels off")
    return len(files.batches) * len(files.batches[0]) / elapsed


def main() -> None:
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        size = write_files(folder, arguments.files, arguments.images)
        names = file_names(folder)
        files = Files(names, arguments.batch)
    table = systems(files, arguments.decoders)
    rates: dict[str, list[float]] = {name: [] for name in table}
    for round_ in range(arguments.rounds + 1):
        for name, decode_one in table.items():
            rate = measure(decode_one, files, 3)
            if round_:  # the first compiles, and grows what is kept
                rates[name].append(rate)
    print(f"{jax.devices()[0].device_kind}, jax {jax.__version__}")
    shape = f"{SIZE[1]} x {SIZE[0]}, {size / 1024:.0f} KiB in the mean"
    print(f"{len(files.batches)} batches of {arguments.batch} files of {shape}")
    base = statistics.median(rates["nvJPEG alone"])
    for name, found in rates.items():
        median = statistics.median(found)
        print(f"{name:32} {median:10.0f} img/s  {min(found):8.0f} to {max(found):8.0f}  {median / base:6.2f}")
    if arguments.json:
        about = harness.machine()
        pathlib.Path(arguments.json).write_text(json.dumps({"about": about, "images_per_s": rates}, indent=1))


if __name__ == "__main__":
    main()
