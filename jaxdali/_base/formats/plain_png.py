"""Ordinary PNG files with 8 bits a channel: uses Pillow's decoder, without the time that its file reader takes."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from ..interruptions import raised_by_handler

__all__ = ["plain_pixels"]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_GRAY, _RGB, _INDICES, _GRAY_ALPHA, _RGBA = 0, 2, 3, 4, 6
_MODES = {_GRAY: "L", _RGB: "RGB", _GRAY_ALPHA: "LA", _RGBA: "RGBA"}
# Chunks that do not affect the stored pixels, with their length if Pillow checks it. Others may hold Exif or text.
_HARMLESS = {
    b"PLTE": None,
    b"sBIT": None,
    b"bKGD": None,
    b"tIME": None,
    b"gAMA": 4,
    b"cHRM": 32,
    b"sRGB": 1,
    b"pHYs": 9,
}


def plain_pixels(content: bytes, max_image_pixels: int, indices: bool) -> np.ndarray | None:
    """Returns `uint8[height, width, C]` of an ordinary PNG file; None if it is unusual, damaged, or too large.

    Args:
        indices: return indices into a palette; if False, a file with a palette counts as unusual.
    """
    if len(content) < 33 or content[:8] != _SIGNATURE or content[8:16] != b"\0\0\0\rIHDR":
        return None
    width, height, depth, colours, *rest = struct.unpack_from(">IIBBBBB", content, 16)
    mode = "P" if indices and colours == _INDICES else _MODES.get(colours)
    if mode is None or depth != 8 or rest != [0, 0, 0] or not 0 < width * height <= max_image_pixels:
        return None
    packed = _packed(content)
    if packed is None:
        return None
    from PIL import Image

    try:
        image = Image.frombytes(mode, (width, height), packed, "zip", mode, 0)
    except Exception as error:
        if raised_by_handler(error):
            raise
        return None  # the ordinary reader, which is tried next, reports it
    return np.frombuffer(image.tobytes(), np.uint8).reshape(height, width, len(mode))


def _packed(content: bytes) -> bytes | None:
    """Returns the compressed pixels from consecutive chunks; None if there are other or damaged chunks."""
    at, parts, size = 8, [], len(content)
    while at + 12 <= size:
        length, name = struct.unpack_from(">I4s", content, at)
        end = at + 12 + length
        if end > size:
            return None
        if name == b"IDAT":
            parts.append(content[at + 8 : end - 4])
        elif name == b"IEND":
            return b"".join(parts) if parts and length == 0 else None
        # Pillow checks the checksums of all chunks except those of pixels, which must be consecutive.
        elif parts or not (at == 8 or _is_harmless(name, length)) or not _has_its_sum(content[at + 4 : end]):
            return None
        at = end
    return None


def _is_harmless(name: bytes, length: int) -> bool:
    return name in _HARMLESS and _HARMLESS[name] in (None, length)


def _has_its_sum(chunk: bytes) -> bool:
    return zlib.crc32(chunk[:-4]) == int.from_bytes(chunk[-4:], "big")
