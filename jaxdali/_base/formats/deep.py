"""Channels of 16 bits, of which Pillow keeps only the upper 8 if a pixel has several."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

__all__ = ["deep_pixels"]

# Pillow's unpackers that read the upper bytes, by the image's mode; the other byte order's read the lower ones.
_UNPACKERS = {"RGB;16": 3, "RGBX;16": 3, "RGBA;16": 4}
_OWN_ORDER = "L" if sys.byteorder == "little" else "B"
_OTHER = {"L": "B", "B": "L"}
_GRAY = {"I;16", "I;16B", "I;16L", "I;16N"}
# A pixel of gray and alpha with 16 bits has four bytes, as an RGBA pixel does.
_GRAY_ALPHA, _FOUR_BYTES = "LA;16B", "RGBA"


def deep_pixels(image: ImageFile, again: Callable[[], ImageFile]) -> np.ndarray | None:
    """Returns the pixels of a file with channels of 16 bits.

    Args:
        image: opened, but not read yet.
        again: opens the file once more.

    Returns:
        `uint16[height, width, C]`, with the file's 1 to 4 channels; None for a variant that Pillow does not read.
    """
    modes = {_unpacker(tile) for tile in image.tile}
    if len(modes) != 1:
        return None
    (mode,) = modes
    if image.mode in _GRAY or (image.mode == "I" and mode == "I;16B"):
        return np.asarray(image).astype(np.uint16)[..., np.newaxis]
    if mode == _GRAY_ALPHA and image.mode == _FOUR_BYTES:
        pairs = _read(image, _FOUR_BYTES)
        return np.ascontiguousarray(pairs).view(">u2").astype(np.uint16)
    name, order = mode[:-1], mode[-1:]
    order = _OWN_ORDER if order == "N" else order
    if name not in _UNPACKERS or order not in _OTHER:
        return None
    upper = _read(image, name + order)
    with again() as other:
        lower = _read(other, name + _OTHER[order])
    return upper.astype(np.uint16) << 8 | lower


def _unpacker(tile: Any) -> str:
    arguments = tile[3]
    return str(arguments if isinstance(arguments, str) else arguments[0])


def _read(image: Any, mode: str) -> np.ndarray:
    """Reads the pixels with the unpacker of a mode: `uint8[height, width, C]`."""
    image.tile = [_with(tile, mode) for tile in image.tile]
    return np.asarray(image)


def _with(tile: Any, mode: str) -> Any:
    arguments = tile[3]
    changed = mode if isinstance(arguments, str) else (mode, *arguments[1:])
    return type(tile)(*tile[:3], changed) if hasattr(tile, "_fields") else (*tile[:3], changed)
