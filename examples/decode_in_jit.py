"""Decodes JPEG files inside your own training step: files in, gradients out, one compiled program.

    python examples/decode_in_jit.py [--images FOLDER] [--steps 20] [--batch 16]

Without a folder it draws some pictures. Every step decodes a random window of each file, resizes it to 64 x 64, mirrors
half of them, normalises, and takes a gradient step of a linear classifier (does a file belong to the first or second
half?). The first step's images are compared with Pillow's pixels after the same operations one by one: bit for bit on
the CPU, and within its decoder's tolerance on a GPU.
"""

from __future__ import annotations

import argparse
import io
import pathlib
import tempfile
import time

import jax
import jax.numpy as jnp
import make_images
import numpy as np
from PIL import Image, ImageOps

from jaxdali.image import EncodedBatch, crop_windows, decode_resample, flip, normalize, resize
from jaxdali.random import coin_flip, resized_crop_window, sample_keys

SIZE = (64, 64)
MEAN, STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)
SEED, OPERATOR, EPOCH = 0, 0, 0


def augment(batch: EncodedBatch, keys: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Returns images `float32[N, 64, 64, 3]`, and the windows and flags with which they were made."""
    window = resized_crop_window(keys, batch.sizes)
    flips = coin_flip(keys, 0.5)
    return decode_resample(batch, window, SIZE, flip=flips, mean=MEAN, std=STD), window, flips


@jax.jit
def step(weights: jax.Array, batch: EncodedBatch, labels: jax.Array, keys: jax.Array) -> tuple[jax.Array, jax.Array]:
    images, _, _ = augment(batch, keys)

    def loss(weights):
        scores = jnp.einsum("nhwc,hwc->n", images, weights)
        return jnp.mean(jnp.logaddexp(0.0, -labels * scores))

    value, gradient = jax.value_and_grad(loss)(weights)
    return weights - 1e-3 * gradient, value


def from_pillow(contents: list[bytes], windows: np.ndarray, flips: np.ndarray) -> np.ndarray:
    """The same as `augment`, one operation after the other on the pixels that Pillow decodes."""
    decoded = [ImageOps.exif_transpose(Image.open(io.BytesIO(file))).convert("RGB") for file in contents]
    canvas = np.zeros(
        (len(decoded), max(one.height for one in decoded), max(one.width for one in decoded), 3), np.uint8
    )
    for row, one in zip(canvas, decoded, strict=True):
        row[: one.height, : one.width] = one
    extents = np.concatenate([windows[:, 2:], np.full((len(windows), 1), 3, np.int32)], axis=1)
    resized = resize(crop_windows(canvas, windows), SIZE, extents)
    return np.asarray(normalize(flip(resized, flips), MEAN, STD))


def check(batch: EncodedBatch, contents: list[bytes], keys: jax.Array) -> float:
    """The largest difference from Pillow's images, in levels. Ends the program if it is too large."""
    images, windows, flips = map(np.asarray, jax.jit(augment)(batch, keys))
    expected = from_pillow(contents, windows, flips)
    off = float((np.abs(images - expected) * np.float32(STD)).max())
    if off > (0 if jax.default_backend() == "cpu" else 1.01):
        raise SystemExit(f"an image is {off:.2f} levels off")
    return off


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=pathlib.Path, help="a folder with JPEGs, at any depth")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--batch", type=int, default=16)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as drawn:
        folder = arguments.images or pathlib.Path(drawn)
        if arguments.images is None:
            make_images.make_images(folder, count=24)
        files = [p.read_bytes() for p in sorted(folder.rglob("*")) if p.suffix.lower() in (".jpg", ".jpeg")]
    if not files:
        raise SystemExit(f"{folder} holds no JPEG")
    weights, compiled, waited = jnp.zeros((*SIZE, 3)), 0.0, 0.0
    for number in range(arguments.steps):
        # A sample's random numbers depend on its index, not on its position in a batch.
        indices = np.arange(number * arguments.batch, (number + 1) * arguments.batch)
        contents = [files[index % len(files)] for index in indices]
        labels = np.where(indices % len(files) < len(files) // 2, -1.0, 1.0).astype(np.float32)
        batch, keys = EncodedBatch.from_encoded(contents), sample_keys(SEED, OPERATOR, EPOCH, indices)
        if number == 0:
            print(f"on {jax.devices()[0].device_kind}: {check(batch, contents, keys):g} levels from Pillow's pixels")
        started = time.perf_counter()
        weights, loss = jax.block_until_ready(step(weights, batch, labels, keys))
        elapsed = time.perf_counter() - started
        if number == 0:
            compiled = elapsed
        waited += elapsed if number else 0.0
    rate = (arguments.steps - 1) * arguments.batch / waited if waited else 0.0
    print(f"{arguments.steps} steps, loss {loss:.3f}; compiled in {compiled:.1f} s, then {rate:.0f} images/s")


if __name__ == "__main__":
    main()
