"""Runs the pipelines of fork_tutorial.py on a folder of images, draws their results, and checks every pixel.

    python examples/demo.py --output demo [--images FOLDER]

Writes training.png and validation.png. FOLDER either has a file_list.txt ("path label" lines) or is any folder with
images; without it, some JPEGs are drawn.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import logging
import os
import pathlib
import sys
import time
from collections.abc import Callable
from typing import Any

import fork_tutorial
import numpy as np
from fork_tutorial import batch_size
from make_images import make_images, write_file_list
from PIL import Image, ImageOps
from tqdm import tqdm
from tqdm.contrib.logging import logging_redirect_tqdm

import jaxdali
from jaxdali._cli.sheet import ContactSheet
from jaxdali.tensors import TensorListGPU

Consume = Callable[[int, Any, Any], None]
CHECKED_EPOCHS = 2
ENDINGS = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp")


def lay_out(images: pathlib.Path | None, output: pathlib.Path) -> None:
    """Links `output`/data/images to the images, and changes to a folder from which the link is ../../data/images."""
    here = output / "run" / "here"
    data = output / "data" / "images"
    for folder in (here, data.parent):
        folder.mkdir(parents=True, exist_ok=True)
    if images is not None and not images.is_dir():
        sys.exit(f"{images}: no such folder")
    if images is None:
        target = data.parent / "generated"
        make_images(target)
    elif (images / "file_list.txt").exists():
        target = images
    else:
        target = data.parent / "listed"
        list_images(images, target)
    replace_link(data, target)
    os.chdir(here)


def list_images(images: pathlib.Path, folder: pathlib.Path) -> None:
    """Makes a `folder` with a file_list.txt of all images below `images`; labels are the numbers of their folders.

    Files are links with numbers as names, because file_list.txt is split at blanks.
    """
    found = sorted(path for path in images.rglob("*") if path.suffix.lower() in ENDINGS)
    if len(found) < batch_size:
        sys.exit(f"{images}: {len(found)} images below it, but a batch has {batch_size}")
    parents = sorted({path.parent for path in found})
    folder.mkdir(exist_ok=True)
    entries = []
    for number, path in enumerate(found):
        name = f"{number:06d}{path.suffix.lower()}"
        replace_link(folder / name, path)
        entries.append((name, parents.index(path.parent)))
    write_file_list(folder, entries)


def replace_link(place: pathlib.Path, target: pathlib.Path) -> None:
    """Links `place` to `target`; only a link is ever replaced."""
    if place.is_symlink():
        place.unlink()
    elif place.exists():
        sys.exit(f"{place} is in the way and no link of an earlier run; move it or give another --output")
    place.symlink_to(target)


def formula(pixels: np.ndarray, contrast: float) -> np.ndarray:
    """DALI's brightness_contrast with only a contrast, in float32, halves away from zero."""
    center = np.float32(128)
    x = np.float32(1) * (center + np.float32(contrast) * (pixels.astype(np.float32) - center))
    x = x + np.float32(0) * np.float32(255)
    magnitude = np.floor(np.abs(x))
    rounded = magnitude + (np.abs(x) - magnitude >= np.float32(0.5))
    return np.clip(np.copysign(rounded, x), 0, 255).astype(np.uint8)


def contrasts(pipe: jaxdali.Pipeline, epoch: int, first: int) -> np.ndarray:
    """What the training pipeline's first random operator drew in an epoch for a batch of samples."""
    indices = np.arange(first, first + batch_size)
    keys = jaxdali.random.sample_keys(pipe.seed, 0, epoch, indices)
    return np.asarray(jaxdali.random.uniform(keys, minval=1.0, maxval=3.0))


class Check:
    """Compares a pipeline's results with the files, and draws the first epoch on a sheet."""

    def __init__(self, pipe: jaxdali.Pipeline, name: str, draws: bool):
        self.pipe, self.name, self.draws = pipe, name, draws
        self.files = fork_tutorial.ExternalInputCallable(batch_size)
        self.sheet = ContactSheet()
        self.compared = 0
        self.on_gpu = False

    def equal(self, image: np.ndarray, pixels: np.ndarray, contrast: float) -> bool:
        """Whether an image equals `pixels` after the formula. A GPU's decoder may differ from Pillow by one level, so
        there the image may be anything between the results for one level less and one more.
        """
        if not self.on_gpu:
            return np.array_equal(image, formula(pixels, contrast))
        signed = pixels.astype(np.int16)
        least, most = (formula(np.clip(signed + step, 0, 255), contrast) for step in (-1, 1))
        return image.shape == pixels.shape and bool(((least <= image) & (image <= most)).all())

    def batch(self, epoch: int, iteration: int, images, labels) -> None:
        """Exits at the first image that differs from Pillow's pixels after the formula."""
        first = iteration * batch_size
        self.on_gpu = isinstance(images, TensorListGPU)
        drawn = contrasts(self.pipe, epoch, first) if self.draws else [1.5] * batch_size
        for row, contrast in enumerate(drawn):
            name = self.files.files[first + row]
            image, label = images.as_cpu().at(row), int(labels.as_cpu().at(row)[0])
            with Image.open(self.files.images_dir + name) as picture:
                pixels = np.asarray(ImageOps.exif_transpose(picture).convert("RGB"))
            if label != int(self.files.labels[first + row]) or not self.equal(image, pixels, contrast):
                sys.exit(f"{self.name}: image {first + row} of epoch {epoch} ({name}) is wrong")
            self.compared += 1
            if epoch == 0:
                height, width, _ = image.shape
                self.sheet.add(image, f"label {label}  {width}x{height}  contrast {contrast:.2f}")


def one_epoch(pipe: jaxdali.Pipeline, name: str, steps: int, consume: Consume) -> None:
    """Runs until StopIteration; calls `consume(iteration, images, labels)` for every batch."""
    pipe.reset()  # does nothing before the first run
    with tqdm(total=steps * batch_size, desc=name, unit="img") as bar:
        for iteration in itertools.count():
            try:
                images, labels = pipe.run()
            except StopIteration:
                break
            consume(iteration, images, labels)
            bar.update(batch_size)
    if iteration != steps:
        sys.exit(f"{name}: {iteration} batches, expected {steps}")


def to_host(iteration: int, images, labels) -> None:
    """Reads a batch as NumPy arrays, and thereby waits for its pixels."""
    for row in range(batch_size):
        images.as_cpu().at(row)
        labels.as_cpu().at(row)


def run(pipe: jaxdali.Pipeline, name: str, output: pathlib.Path, draws: bool) -> tuple[int, bool]:
    """Runs several epochs, and checks all but the last. Returns the number of compared images, and whether a GPU
    decoded them.
    """
    check = Check(pipe, name, draws)
    steps = check.files.full_iterations
    for epoch in range(CHECKED_EPOCHS):
        one_epoch(pipe, f"{name}, checking", steps, functools.partial(check.batch, epoch))
    started = time.perf_counter()
    one_epoch(pipe, f"{name}, timing", steps, to_host)
    rate = steps * batch_size / (time.perf_counter() - started)
    path = output / f"{name}.png"
    check.sheet.save(path)
    print(f"{name}: {rate:.0f} images/s; wrote {path}")
    return check.compared, check.on_gpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("demo"))
    parser.add_argument("--images", type=pathlib.Path)
    arguments = parser.parse_args()
    logging.basicConfig(format="%(name)s: %(message)s")
    output = arguments.output.resolve()
    lay_out(arguments.images and arguments.images.resolve(), output)
    files = fork_tutorial.ExternalInputCallable(batch_size)
    used = files.full_iterations * batch_size
    print(f"{used} of {len(files.files)} images: whole batches of {batch_size}")
    train_pipe, val_pipe = fork_tutorial.start_pipelines()
    with train_pipe, val_pipe, logging_redirect_tqdm():
        compared, on_gpu = run(train_pipe, "training", output, draws=True)
        compared += run(val_pipe, "validation", output, draws=False)[0]
    how = "all equal to one level of the GPU's decoder" if on_gpu else "all equal, bit for bit"
    print(
        f"{compared} images compared with Pillow and the NumPy formula (training: with the contrasts that were drawn): "
        f"{how}"
    )


if __name__ == "__main__":
    main()
