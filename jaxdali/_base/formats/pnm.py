"""Colors of 16 bits in PNM files, of which Pillow keeps only 8."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

__all__ = ["deep_colors"]

_MOST = 65535


def deep_colors(image: ImageFile, content: bytes) -> np.ndarray | None:
    """Returns the levels of a file of binary colors (P6), scaled to 16 bits as Pillow scales gray ones.

    Returns:
        `uint16[height, width, 3]`; None for a plain file (P3).

    Raises:
        EOFError: there are not enough pixels.
    """
    tiles: list[Any] = image.tile  # Pillow's types allow for tiles without arguments
    ((codec, _, offset, arguments),) = tiles
    if codec != "ppm" or image.mode != "RGB":
        return None
    count = 3 * image.width * image.height
    if len(content) - offset < 2 * count:
        raise EOFError("truncated pixels")
    levels = np.frombuffer(content, ">u2", count, offset).reshape(image.height, image.width, 3)
    most = int(arguments[1])
    if most == _MOST:
        return levels.astype(np.uint16)
    return np.minimum(np.rint(levels / most * _MOST), _MOST).astype(np.uint16)
