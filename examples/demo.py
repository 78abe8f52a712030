"""Runs the pipelines of fork_tutorial.py on a folder of images, draws what they return, and checks every pixel.

    python examples/demo.py --output demo [--images FOLDER]

Writes training.png and validation.png. FOLDER is one with a file_list.txt ("path label" lines) or any folder with
images; without it a set of JPEGs is drawn.
"""

from __future__ import annotations

import argparse
import logging
import os
import pathlib
import sys
import time

import fork_tutorial
import numpy as np
from contact_sheet import ContactSheet
from make_images import make_images, write_file_list
from PIL import Image, ImageOps
from tqdm import tqdm
from tqdm.contrib.logging import logging_redirect_tqdm

import jaxdali

EPOCHS = 3
ENDINGS = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp")


def lay_out(images: pathlib.Path | None, output: pathlib.Path) -> pathlib.Path:
    """Makes `output`/data/images and changes into a folder from which that is ../../data/images."""
    data = output / "data" / "images"
    here = output / "run" / "here"
    here.mkdir(parents=True, exist_ok=True)
    if images is not None and not images.is_dir():
        sys.exit(f"{images}: no such folder")
    if images is None:
        drawn = output / "data" / "drawn"
        make_images(drawn)
        link(data, drawn)
    elif (images / "file_list.txt").exists():
        data.parent.mkdir(parents=True, exist_ok=True)
        link(data, images)
    else:
        # The tutorial's list parts a line at its blank: links have names without one. Every label is 0.
        folder = output / "data" / "listed"
        folder.mkdir(parents=True, exist_ok=True)
        found = sorted(p for p in images.rglob("*") if p.suffix.lower() in ENDINGS)
        names = [f"{index:05d}{path.suffix.lower()}" for index, path in enumerate(found)]
        if len(names) < fork_tutorial.batch_size:
            sys.exit(f"{images}: holds {len(names)} images, wanted are {fork_tutorial.batch_size} or more")
        for name, path in zip(names, found, strict=True):
            link(folder / name, path)
        write_file_list(folder, [(name, 0) for name in names])
        link(data, folder)
    os.chdir(here)
    return data


def link(place: pathlib.Path, target: pathlib.Path) -> None:
    if place.is_symlink():
        place.unlink()
    place.symlink_to(target)


def formula(pixels: np.ndarray, contrast: float) -> np.ndarray:
    """DALI's brightness_contrast with nothing but a contrast, in float32, halves away from zero."""
    center = np.float32(128)
    x = np.float32(1) * (center + np.float32(contrast) * (pixels.astype(np.float32) - center))
    x = x + np.float32(0) * np.float32(255)
    magnitude = np.floor(np.abs(x))
    rounded = magnitude + (np.abs(x) - magnitude >= np.float32(0.5))
    return np.clip(np.copysign(rounded, x), 0, 255).astype(np.uint8)


def contrasts(pipe: jaxdali.Pipeline, epoch: int, first: int) -> np.ndarray:
    """What the training pipeline drew: its first random operator, in this epoch, for these samples."""
    indices = np.arange(first, first + fork_tutorial.batch_size)
    keys = jaxdali.random.sample_keys(pipe.seed, 0, epoch, indices)
    return np.asarray(jaxdali.random.uniform(keys, range=(1, 3.0)))


def run(pipe: jaxdali.Pipeline, name: str, output: pathlib.Path, draws: bool) -> int:
    """Runs whole epochs; returns the number of images that were compared, all of them equal."""
    files = fork_tutorial.ExternalInputCallable(fork_tutorial.batch_size)
    steps = files.full_iterations
    sheet = ContactSheet()
    compared = 0
    rates = []
    for epoch in range(EPOCHS):
        started = time.perf_counter()
        outputs = []
        with tqdm(total=steps * fork_tutorial.batch_size, desc=f"{name} {epoch}", unit="img") as bar:
            while True:
                try:
                    outputs.append(pipe.run())
                except StopIteration:
                    break
                bar.update(fork_tutorial.batch_size)
        rates.append(steps * fork_tutorial.batch_size / (time.perf_counter() - started))
        if len(outputs) != steps:
            sys.exit(f"{name}: {len(outputs)} batches in epoch {epoch}, expected {steps}")
        for iteration, (images, labels) in enumerate(outputs):
            first = iteration * fork_tutorial.batch_size
            drawn = contrasts(pipe, epoch, first) if draws else [1.5] * fork_tutorial.batch_size
            for row, contrast in enumerate(drawn):
                index = first + row
                image, label = images.as_cpu().at(row), labels.as_cpu().at(row)
                with Image.open(files.images_dir + files.files[index]) as picture:
                    pixels = np.asarray(ImageOps.exif_transpose(picture).convert("RGB"))
                if label != int(files.labels[index]) or not np.array_equal(image, formula(pixels, contrast)):
                    sys.exit(f"{name}: image {index} of epoch {epoch} ({files.files[index]}) is wrong")
                compared += 1
                if epoch == 0:
                    height, width, _ = image.shape
                    sheet.add(image, f"label {int(label[0])}  {width}x{height}  contrast {contrast:.2f}")
        pipe.reset()
    path = output / f"{name}.png"
    sheet.save(path)
    print(f"{name}: {rates[-1]:.0f} images/s in the last of {EPOCHS} epochs; wrote {path}")
    return compared


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("demo"))
    parser.add_argument("--images", type=pathlib.Path)
    arguments = parser.parse_args()
    logging.basicConfig(format="%(name)s: %(message)s")
    output = arguments.output.resolve()
    lay_out(arguments.images and arguments.images.resolve(), output)
    files = fork_tutorial.ExternalInputCallable(fork_tutorial.batch_size)
    used = files.full_iterations * fork_tutorial.batch_size
    print(f"{used} of {len(files.files)} images: whole batches of {fork_tutorial.batch_size}")
    train_pipe, val_pipe = fork_tutorial.start_pipelines()
    with train_pipe, val_pipe, logging_redirect_tqdm():
        compared = run(train_pipe, "training", output, draws=True)
        compared += run(val_pipe, "validation", output, draws=False)
    print(
        f"{compared} images compared with Pillow and the NumPy formula (training: with the contrasts that were drawn): "
        "all equal, bit for bit"
    )


if __name__ == "__main__":
    main()
