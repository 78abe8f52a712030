"""The first frame of a GIF file, before Pillow sees the file."""

from __future__ import annotations

from .fields import EndsEarly, read

__all__ = ["first_frame_extents"]

_EXTENSION, _IMAGE = 0x21, 0x2C
_HAS_PALETTE, _PALETTE_BITS = 0x80, 7
# Pillow joins comments piece by piece, in time that grows with the square of their number and size.
_MOST_EXTENSIONS, _MOST_EXTENSION_BYTES = 256, 1 << 20


def first_frame_extents(content: bytes) -> tuple[int, int] | None:
    """Returns the height and width of the canvas, which reaches as far as its first frame does.

    Returns None if there is no frame, or more before it than any program writes.

    Raises:
        EndsEarly: the content ends before the first frame.
    """
    width, height, flags = read("<HHB", content, 6)
    at = 13 + (3 << (flags & _PALETTE_BITS) + 1 if flags & _HAS_PALETTE else 0)
    begin = at
    for _ in range(_MOST_EXTENSIONS):
        (kind,) = read("<B", content, at)
        if kind == _IMAGE:
            left, top, across, down = read("<HHHH", content, at + 1)
            return max(height, top + down), max(width, left + across)
        if kind != _EXTENSION or at - begin > _MOST_EXTENSION_BYTES:
            return None
        at = _behind_blocks(content, at + 2)
    return None


def _behind_blocks(content: bytes, at: int) -> int:
    while at < len(content):
        size = content[at]
        at += 1 + size
        if size == 0:
            return at
    raise EndsEarly
