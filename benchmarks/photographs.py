"""Writes distinct files of images, and the range of each file's values, by which a crop of it can be recognised."""

from __future__ import annotations

import functools
import io
import itertools
import multiprocessing
import os
import pathlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PIL import Image

__all__ = ["KINDS", "SIZE", "file_names", "ranges", "write_files"]

SIZE = (375, 500)  # about the median of ImageNet

_BYTES = 64 << 10
_SMALL = {"sizes": [(375, 500), (333, 500)], "mean_bytes": 40 << 10}
# What `write_files` is given for each kind of file.
KINDS: dict[str, dict[str, Any]] = {
    "JPEG": {},
    "JPEG 500 px": _SMALL,
    "JPEG optimized": {**_SMALL, "optimize": True},
    **{f"JPEG {share} % progressive": {**_SMALL, "progressive": share / 100} for share in (1, 10, 50)},
    "JPEG progressive": {**_SMALL, "progressive": 1.0},
    "PNG": {**_SMALL, "format": "PNG"},
    "WebP": {**_SMALL, "format": "WEBP"},
    "JPEG, PNG and WebP": {**_SMALL, "format": ("JPEG", "PNG", "WEBP")},
    "JPEG large": {"sizes": [(375, 500)], "mean_bytes": 750 << 10, "enlarged": 8},
    "JPEG, 1 of 1000 large and progressive": {**_SMALL, "large_every": 1000},
}
_RANGES = "ranges.npy"
_ENDINGS = {"JPEG": "jpg", "PNG": "png", "WEBP": "webp"}
# Number of files that one process writes at a time; of larger ones fewer, because each takes longer.
_PART = 125


def write_files(
    folder: str,
    count: int,
    photographs: str | None,
    sizes: Sequence[tuple[int, int]] = (SIZE,),
    mean_bytes: int = _BYTES,
    optimize: bool = False,
    progressive: float = 0.0,
    format: str | Sequence[str] = "JPEG",
    enlarged: int = 1,
    large_every: int = 0,
) -> float:
    """Writes `count` files into a folder. Returns their mean size in bytes.

    Args:
        sizes: (height, width) of the files, in turn.
        mean_bytes: approximate mean size; the quality is chosen for it, from 50 to 97.
        optimize: give each file its own Huffman tables.
        progressive: the share of progressive files, from 0 to 1, which are evenly spread.
        format: Pillow's name of it, "JPEG", "PNG" or "WEBP"; or several, which the files have in turn.
        enlarged: how many times as high and wide as `sizes` the files are, with interpolated pixels.
        large_every: the last of so many files is progressive, and 8 times as high and wide; 0: none is.
    """
    part = _PART // enlarged
    parts = [
        (
            folder,
            first,
            min(part, count - first),
            photographs,
            sizes,
            mean_bytes,
            optimize,
            progressive,
            (format,) if isinstance(format, str) else tuple(format),
            enlarged,
            large_every,
        )
        for first in range(0, count, part)
    ]
    # Spawned, because the caller may have threads.
    with multiprocessing.get_context("spawn").Pool(min(len(os.sched_getaffinity(0)), len(parts))) as pool:
        try:
            written = pool.starmap(_write_part, parts)
        except LookupError as error:
            raise SystemExit(error) from None
    np.save(pathlib.Path(folder, _RANGES), np.concatenate([found for _, found in written]))
    return sum(total for total, _ in written) / count


def _write_part(
    folder: str,
    first: int,
    count: int,
    photographs: str | None,
    sizes: Sequence[tuple[int, int]],
    mean_bytes: int,
    optimize: bool,
    progressive: float,
    formats: tuple[str, ...],
    enlarged: int,
    large_every: int,
) -> tuple[int, np.ndarray]:
    draws = np.random.default_rng(first)
    make = _cut(photographs, draws, sizes) if photographs else functools.partial(_draw, draws)
    total, found = 0, np.empty((count, 2, 3), np.uint8)
    quality = 85
    for index in range(count):
        stream = io.BytesIO()
        image = Image.fromarray(make(sizes[(first + index) % len(sizes)]))
        is_large = large_every and (first + index + 1) % large_every == 0
        if (times := 8 if is_large else enlarged) > 1:
            image = image.resize((image.width * times, image.height * times), Image.Resampling.BICUBIC)
        options, format = {}, formats[(first + index) % len(formats)]
        if format == "JPEG":
            options = {"optimize": optimize, "progressive": is_large or _is_progressive(first + index, progressive)}
        image.save(stream, format, quality=quality, subsampling="4:2:0", **options)
        size = stream.tell()
        if not is_large:  # the size of each file adjusts the quality of the next one
            quality = min(max(quality + (1 if size < mean_bytes else -1), 50), 97)
        total += size
        pathlib.Path(folder, f"{first + index:06}.{_ENDINGS[format]}").write_bytes(stream.getvalue())
        decoded = np.asarray(Image.open(stream))
        found[index] = decoded.min((0, 1)), decoded.max((0, 1))
    return total, found


def _is_progressive(index: int, share: float) -> bool:
    return int((index + 1) * share) > int(index * share)


def file_names(folder: str) -> list[str]:
    """The files, in order; the label of each is its index."""
    return sorted(str(path) for path in pathlib.Path(folder).iterdir() if path.suffix[1:] in _ENDINGS.values())


def ranges(folder: str) -> np.ndarray:
    """`uint8[files, 2, 3]`, the smallest and largest value of each channel."""
    return np.load(pathlib.Path(folder, _RANGES))


def _draw(draws: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """Waves, edges and noise around a random colour."""
    y, x = np.mgrid[: size[0], : size[1]].astype(np.float32)
    colour, slope = draws.uniform(70, 190, 3), draws.uniform(0.02, 0.1, (2, 3))
    noise = draws.normal(0, 9, (*size, 3))
    waves = [25 * np.sin(slope[0, k] * x) * np.cos(slope[1, k] * y) for k in range(3)]
    edges = 20 * ((x // draws.integers(20, 60) + y // draws.integers(20, 60)) % 2)
    return (colour + np.stack(waves, -1) + edges[..., None] + noise).clip(0, 255).astype(np.uint8)


def _cut(
    folder: str, draws: np.random.Generator, sizes: Sequence[tuple[int, int]]
) -> Callable[[tuple[int, int]], np.ndarray]:
    """Cuts windows out of the photographs in a folder, one after the other."""
    height, width = (max(size[axis] for size in sizes) for axis in (0, 1))
    paths = [p for p in sorted(pathlib.Path(folder).rglob("*")) if p.suffix.lower() in (".jpg", ".jpeg")]
    found = [np.asarray(Image.open(path).convert("RGB")) for path in paths]
    images = itertools.cycle([image for image in found if image.shape[0] >= height and image.shape[1] >= width])

    def cut(size: tuple[int, int]) -> np.ndarray:
        image = next(images, None)
        if image is None:
            raise LookupError(f"{folder} holds no JPEG of at least {width} x {height} pixels")
        top, left = (int(draws.integers(image.shape[axis] - size[axis] + 1)) for axis in (0, 1))
        return np.ascontiguousarray(image[top : top + size[0], left : left + size[1]])

    return cut
