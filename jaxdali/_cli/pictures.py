"""Converts arrays to pictures, for `view`."""

from __future__ import annotations

import io

import numpy as np

__all__ = ["as_levels", "png_of"]

_CHANNELS = (1, 3, 4)
_LONGEST = 4096


def png_of(array: np.ndarray) -> bytes:
    """Returns a PNG of an array, at most 4096 pixels per side."""
    from PIL import Image

    stream = io.BytesIO()
    pixels = as_levels(array)
    steps = tuple(slice(None, None, -(-extent // _LONGEST)) for extent in pixels.shape[:2])
    Image.fromarray(pixels[steps]).save(stream, "PNG", compress_level=1)
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
