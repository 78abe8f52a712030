"""Whether a refused file is shorter than its own structure says."""

from __future__ import annotations

import contextlib

from .avif import check_boxes
from .fields import EndsEarly, read
from .gif import first_frame_extents
from .jpeg2000 import Jpeg2000Damaged, Jpeg2000File
from .png import chunk_names
from .tiff import TiffDirectory

__all__ = ["ends_early"]


def ends_early(kind: str, content: bytes) -> bool:
    """Whether a file of a format that is decoded here ends before the data that it announces."""
    try:
        return kind in _CHECKS and _CHECKS[kind](content)
    except EndsEarly:  # the field with a length is itself cut off
        return True


def _png(content: bytes) -> bool:
    for _ in chunk_names(content):
        pass
    return False


def _webp(content: bytes) -> bool:
    (size,) = read("<I", content, 4)
    return 8 + size > len(content)


def _bmp(content: bytes) -> bool:
    size, _, pixels_start = read("<III", content, 2)
    return max(size, pixels_start) > len(content)


def _gif(content: bytes) -> bool:
    first_frame_extents(content)
    return not content.endswith(b";")


def _tiff(content: bytes) -> bool:
    return TiffDirectory(content).ends_early


def _jpeg2000(content: bytes) -> bool:
    with contextlib.suppress(Jpeg2000Damaged):
        Jpeg2000File(content).check_end()
    return False


def _avif(content: bytes) -> bool:
    check_boxes(content)
    return False


_CHECKS = {"png": _png, "webp": _webp, "bmp": _bmp, "tiff": _tiff, "gif": _gif, "jpeg2000": _jpeg2000, "avif": _avif}
