"""Converts arrays and image files to pictures, for `view` and for notebooks."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

__all__ = ["as_levels", "looks_like_image", "png_of", "thumbnail", "thumbnail_of_file"]

_CHANNELS = (1, 3, 4)
_LONGEST = 4096
_THUMBNAIL = 128  # the longer side, in pixels
# Larger files are not looked at for a thumbnail, so that it takes milliseconds.
_MOST_BYTES, _MOST_PIXELS = 1 << 25, 1 << 26


def png_of(array: np.ndarray) -> bytes:
    """Returns a PNG of an array, at most 4096 pixels per side."""
    from PIL import Image

    pixels = as_levels(array)
    steps = tuple(slice(None, None, -(-extent // _LONGEST)) for extent in pixels.shape[:2])
    return _saved(Image.fromarray(pixels[steps]))


def looks_like_image(shape: tuple[int, ...]) -> bool:
    """Whether an array of this shape may be an image, or frames of one: its extents are those of a picture's sides, and an
    axis of 1, 3 or 4 is at the place of channels.
    """
    if len(shape) == 2:
        return min(shape) >= 8
    if len(shape) < 3 or 0 in shape:
        return False
    last, first = shape[-3:-1], shape[-2:]
    return (shape[-1] in _CHANNELS and min(last) >= 2) or (shape[-3] in _CHANNELS and min(first) >= 8)


def thumbnail(array: np.ndarray) -> bytes:
    """Returns a small PNG of an array, see `as_levels`, in a time that does not grow with the array."""
    from PIL import Image

    pixels = _two_axes(array)
    steps = tuple(slice(None, None, max(1, extent // (4 * _THUMBNAIL))) for extent in pixels.shape[:2])
    picture = Image.fromarray(as_levels(pixels[steps]))
    picture.thumbnail((_THUMBNAIL, _THUMBNAIL))
    return _saved(picture)


def thumbnail_of_file(file: bytes) -> bytes:
    """Returns a small PNG of an image file.

    Raises:
        ValueError: it is too large for a thumbnail.
        Exception: Pillow cannot read it.
    """
    from PIL import Image, ImageOps

    if len(file) > _MOST_BYTES:
        raise ValueError("a large file")
    with Image.open(io.BytesIO(file)) as picture:
        if picture.width * picture.height > _MOST_PIXELS:
            raise ValueError("a large image")
        picture.draft("RGB", (2 * _THUMBNAIL, 2 * _THUMBNAIL))  # of a JPEG file, only what is needed is decoded
        small = ImageOps.exif_transpose(picture)
        small.thumbnail((_THUMBNAIL, _THUMBNAIL))
        return _saved(small.convert("RGB"))


def _saved(picture: Any) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, "PNG", compress_level=1)
    return stream.getvalue()


def as_levels(array: np.ndarray) -> np.ndarray:
    """Converts any array to `uint8[height, width]` or `uint8[height, width, 3]`. Bytes are levels; other numbers are
    scaled from the smallest (black) to the largest (white). An axis of 1, 3 or 4 has the channels if it is the last
    one, or the first; of further axes the middle is shown. Non-finite numbers become 0.
    """
    pixels = _two_axes(np.abs(array) if array.dtype.kind == "c" else array)
    if pixels.dtype == np.uint8:
        return np.ascontiguousarray(pixels)
    numbers = np.nan_to_num(pixels.astype(np.float64), posinf=0, neginf=0)
    low, high = (float(numbers.min()), float(numbers.max())) if numbers.size else (0.0, 0.0)
    return ((numbers - low) * (255 / (high - low) if high > low else 0)).round().astype(np.uint8)


def _two_axes(array: np.ndarray) -> np.ndarray:
    if not array.size:
        return np.zeros((1, 1), np.uint8)
    while array.ndim > 3:
        array = array[len(array) // 2]
    if array.ndim < 3:
        return array.reshape(-1, array.shape[-1] if array.ndim else 1)
    if array.shape[2] not in _CHANNELS and array.shape[0] in _CHANNELS:
        array = np.moveaxis(array, 0, 2)
    if array.shape[2] not in _CHANNELS:
        return array[len(array) // 2]
    return array[:, :, 0] if array.shape[2] == 1 else array[:, :, :3]
