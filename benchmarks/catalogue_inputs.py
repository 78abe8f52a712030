"""Inputs for measuring operators: batches of one kind, the same for both systems."""

from __future__ import annotations

import functools
import io
import wave
from collections.abc import Callable

import numpy as np
from PIL import Image

__all__ = ["BATCH", "LAYOUTS", "SIZES", "batch_of"]

BATCH = 8
# Height and width of a batch's images, and the side of windows to cut out of them.
SIZES = {"small": (32, 32, 24), "images": (480, 640, 224)}
# For the kinds that have a layout.
LAYOUTS = {
    "images": "HWC",
    "ragged": "HWC",
    "floats": "HWC",
    "masks": "HWC",
    "mosaics": "HW",
    "frames": "FHWC",
    "spectra": "ft",
}


@functools.cache
def _picture() -> np.ndarray:
    """uint8[1024, 1024, 3] with gradients, edges and some noise, like photographs; no level is 0."""
    y, x = np.mgrid[0:1024, 0:1024].astype(np.float32)
    waves = [90 * np.sin(x / 25 + part) * np.cos(y / 31 + part) for part in range(3)]
    edges = 40.0 * ((x // 37 + y // 23) % 2)
    noise = np.random.default_rng(0).normal(127, 5, (1024, 1024, 3))
    return (np.stack(waves, -1) + edges[..., None] + noise).clip(1, 255).astype(np.uint8)


def _image(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    """uint8[height, width, 3]: a window of the picture."""
    top, left = rng.integers(0, 1025 - height), rng.integers(0, 1025 - width)
    return _picture()[top : top + height, left : left + width].copy()


def _file(image: np.ndarray) -> np.ndarray:
    stream = io.BytesIO()
    Image.fromarray(image).save(stream, "JPEG", quality=85)
    return np.frombuffer(stream.getvalue(), np.uint8)


def _sound(rng: np.random.Generator, count: int) -> np.ndarray:
    """A WAV file with two channels, `count` 16-bit values, at 44.1 kHz."""
    stream = io.BytesIO()
    with wave.open(stream, "wb") as file:
        file.setparams((2, 2, 44100, 0, "NONE", ""))
        file.writeframes(rng.normal(0, 3000, count // 2 * 2).astype("<i2").tobytes())
    return np.frombuffer(stream.getvalue(), np.uint8)


def _mask(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    """int32[height, width, 1]: rectangles of classes 1 to 3 on a background of 0."""
    mask = np.zeros((height, width, 1), np.int32)
    for _ in range(6):
        top, left = int(rng.integers(height - 6)), int(rng.integers(width - 6))
        bottom, right = top + int(rng.integers(4, height // 3)), left + int(rng.integers(4, width // 3))
        mask[top:bottom, left:right] = rng.integers(1, 4)
    return mask


def _boxes(rng: np.random.Generator, count: int) -> np.ndarray:
    """float32[count, 4]: left, top, right, bottom, from 0 to 1."""
    corners = np.sort(rng.uniform(0, 1, (2, count, 2)), axis=0)
    corners[1] = np.minimum(corners[1] + 0.05, 1)
    corners[0] = np.minimum(corners[0], corners[1] - 0.02)
    return np.concatenate(list(corners), axis=1).astype(np.float32)


def _extents(rng: np.random.Generator, height: int, width: int) -> tuple[int, int]:
    """The extents of an image that differs from others in size; at most those given."""
    share = rng.uniform(0.8, 1, 2)
    return int(height * share[0]), int(width * share[1])


def _waves(height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """float32[height, width] each: a column and a row for every pixel, some outside the image."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    return x + 5 * np.sin(y / 9), y + 4 * np.cos(x / 7)


_KINDS: dict[str, Callable[[np.random.Generator, int, int], np.ndarray]] = {
    "images": _image,
    "ragged": lambda rng, height, width: _image(rng, *_extents(rng, height, width)),
    "floats": lambda rng, height, width: _image(rng, height, width).astype(np.float32) / 255,
    # Even extents, as all mosaics have.
    "mosaics": lambda rng, height, width: _image(rng, height, width)[..., 0].copy(),
    "files": lambda rng, height, width: _file(_image(rng, height, width)),
    "frames": lambda rng, height, width: np.stack([_image(rng, height // 2, width // 2)] * 4),
    "masks": _mask,
    "objects": lambda rng, height, width: _mask(rng, height, width)[..., 0],
    "boxes": lambda rng, height, _width: _boxes(rng, 10 if height < 100 else 100),
    "labels": lambda rng, height, _width: rng.integers(0, 80, 10 if height < 100 else 100).astype(np.int32),
    "points": lambda rng, height, _width: rng.uniform(0, 1, (4 * height, 2)).astype(np.float32),
    "polygons": lambda _rng, height, _width: np.array(
        [[0, 0, height], [1, height, 2 * height], [2, 0, height]], np.int32
    ),
    "vertices": lambda rng, height, _width: rng.uniform(0, 1, (2 * height, 2)).astype(np.float32),
    "mask_ids": lambda _rng, _height, _width: np.array([1, 0], np.int32),
    "sizes": lambda _rng, height, width: np.array([height, width], np.int32),
    "columns": lambda _rng, height, width: _waves(height, width)[0],
    "rows": lambda _rng, height, width: _waves(height, width)[1],
    "maps": lambda rng, _height, _width: rng.uniform(0.5, 1, (2, 3)).astype(np.float32),
    "sounds": lambda rng, height, width: _sound(rng, height * width),
    "signals": lambda rng, height, width: rng.normal(0, 0.1, height * width).astype(np.float32),
    "spectra": lambda rng, height, width: np.square(rng.normal(0, 1, (height + 1, width))).astype(np.float32),
    "numbers": lambda rng, _height, _width: np.array(rng.uniform(), np.float32),
}


def batch_of(kind: str, size: str, seed: int, batch: int = BATCH) -> list[np.ndarray]:
    """Returns the samples of a batch.

    Raises:
        KeyError: there is no such kind or size.
    """
    height, width, _ = SIZES[size]
    rng = np.random.default_rng(seed)
    return [_KINDS[kind](rng, height, width) for _ in range(batch)]
