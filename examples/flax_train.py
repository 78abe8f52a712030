"""Trains a small Flax NNX network from JPEG files through the Loader, and again from decoded arrays.

    python examples/flax_train.py [--steps 60]

The second run gets pixels that Pillow decoded, in the same order and through the same resize and normalise
functions. Its losses equal the first run's within 1e-3, which shows that the Loader delivers what the files contain.
"""

from __future__ import annotations

import argparse
import pathlib
import tempfile
import time
from collections.abc import Iterator

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from PIL import Image

import jaxdali
from jaxdali._feed.source.sampler import ShuffleSampler

CLASSES = 4
BATCH = 16
IMAGES = 96
SEED = 0
CANVAS = (96, 128)  # at least as large as any image
SIZE = (32, 32)


def write_images(folder: pathlib.Path) -> None:
    """JPEGs of several sizes; a class is given by the direction and colour of its stripes."""
    rng = np.random.default_rng(SEED)
    for index in range(IMAGES):
        label = index % CLASSES
        height, width = int(rng.integers(48, CANVAS[0])), int(rng.integers(48, CANVAS[1]))
        y, x = np.mgrid[:height, :width]
        along = y if label < 2 else x
        stripes = 127 + 90 * np.sin(2 * np.pi * along / 16 + rng.uniform(0, 6))
        tint = np.array([1.0, 0.7, 0.4] if label % 2 else [0.4, 0.7, 1.0])
        pixels = stripes[:, :, None] * tint + rng.normal(0, 12, (height, width, 3))
        path = folder / f"class_{label}" / f"{index:03d}.jpg"
        path.parent.mkdir(exist_ok=True)
        Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(path, quality=90)


def prepare(pixels: jax.Array, sizes: jax.Array) -> jax.Array:
    """Converts images on a canvas to `float32[N, 32, 32, 3]` around 0."""
    return jaxdali.image.normalize(jaxdali.image.resize(pixels, SIZE, sizes), 127.5, 64.0)


def augment(batch, keys):
    """The Loader runs this on the device; nothing is random, so that both runs see the same data."""
    images = batch["image"]
    return {"x": prepare(jaxdali.image.decode(images, canvas=CANVAS), images.sizes), "y": batch["label"]}


class Network(nnx.Module):
    def __init__(self, rngs: nnx.Rngs):
        self.first = nnx.Conv(3, 16, (3, 3), strides=2, rngs=rngs)
        self.second = nnx.Conv(16, 32, (3, 3), strides=2, rngs=rngs)
        self.out = nnx.Linear(32, CLASSES, rngs=rngs)

    def __call__(self, x):
        x = nnx.relu(self.first(x))
        x = nnx.relu(self.second(x))
        return self.out(x.mean(axis=(1, 2)))


@nnx.jit
def train_step(model, optimizer, batch):
    def loss_of(model):
        return optax.softmax_cross_entropy_with_integer_labels(model(batch["x"]), batch["y"]).mean()

    loss, gradients = nnx.value_and_grad(loss_of)(model)
    optimizer.update(model, gradients)
    return loss


def train(batches: Iterator[dict[str, jax.Array]]) -> np.ndarray:
    """The losses of a network that always starts from the same parameters."""
    model = Network(nnx.Rngs(SEED))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    return np.array([train_step(model, optimizer, batch) for batch in batches], np.float32)


def decoded_batches(data: jaxdali.source.ImageFolder, steps: int) -> Iterator[dict[str, jax.Array]]:
    """The Loader's batches without the Loader: Pillow's pixels in the sampler's order."""
    sampler = ShuffleSampler(len(data), SEED)
    per_epoch = len(data) // BATCH
    prepared = jax.jit(prepare)
    for step in range(steps):
        epoch, iteration = divmod(step, per_epoch)
        positions = np.arange(iteration * BATCH, (iteration + 1) * BATCH)
        pixels = np.zeros((BATCH, *CANVAS, 3), np.uint8)
        sizes = np.zeros((BATCH, 3), np.int32)
        indices = sampler.indices(epoch, positions)
        for row, index in enumerate(indices.tolist()):
            with Image.open(data.paths[index]) as image:
                decoded = np.asarray(image.convert("RGB"))
            sizes[row] = decoded.shape
            pixels[row, : sizes[row, 0], : sizes[row, 1]] = decoded
        yield {"x": prepared(pixels, sizes), "y": jnp.asarray(data.labels[indices])}


def compare(steps: int, workers: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Losses from files, losses from arrays, and the duration of the first run in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        write_images(pathlib.Path(folder))
        data = jaxdali.source.ImageFolder(folder)
        started = time.perf_counter()
        with jaxdali.Loader(data, augment, batch_size=BATCH, shuffle=True, seed=SEED, workers=workers) as loader:
            batches = (batch for step, batch in loader.enumerate())
            from_files = train(batch for batch, _ in zip(batches, range(steps), strict=False))
        seconds = time.perf_counter() - started
        return from_files, train(decoded_batches(data, steps)), seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    from_files, from_arrays, seconds = compare(arguments.steps, arguments.workers)
    difference = float(np.abs(from_files - from_arrays).max())
    first, last = float(from_files[:10].mean()), float(from_files[-10:].mean())
    print(f"{len(from_files)} steps in {seconds:.1f} s; loss {first:.3f} -> {last:.3f}")
    print(f"largest difference to the run from decoded arrays: {difference:.2e}")
    if difference > 1e-3 or not from_files[-10:].max() < 0.5 * from_files[:10].min():
        raise SystemExit("the losses differ, or did not fall below half")


if __name__ == "__main__":
    main()
