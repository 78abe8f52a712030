"""The boxes of an AVIF file (ISO/IEC 14496-12), as far as they matter before Pillow sees the file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .fields import EndsEarly, read
from .tiff import TiffDirectory

__all__ = ["check_boxes", "exif_directories"]

# How Exif data begin: where the directory's offsets count from, and its byte order.
_EXIF = re.compile(rb"(?:\x00\x00\x00\x00|Exif\x00\x00)(?=II\*\x00|MM\x00\*)")


def check_boxes(content: bytes) -> None:
    """Returns if the boxes of the file are all there.

    Raises:
        EndsEarly: the last one goes on beyond the content.
    """
    at = 0
    while at < len(content):
        (size,) = read(">I", content, at)
        if size == 1:
            (size,) = read(">Q", content, at + 8)
        if size < 8:  # 0: as far as the file goes
            return
        at += size
    if at > len(content):
        raise EndsEarly


def exif_directories(content: bytes) -> Iterator[TiffDirectory]:
    """Yields the first directories of what looks like Exif data."""
    for found in _EXIF.finditer(content):
        yield TiffDirectory(content[found.end() :])
