"""Files that are not JPEG: recognised by their first bytes and decoded with Pillow.

Decoding yields what `ImageOps.exif_transpose(Image.open(f)).convert("RGB")` yields. Pillow is
imported when a file is first decoded; jax never is.
"""

from __future__ import annotations

import io
import struct
import threading
import warnings
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jaxdali.batch import Status
from jaxdali.errors import ConfigError

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

__all__ = ["decode_to_rgb", "recognise"]

_MAGIC = (
    (b"\xff\xd8\xff", "jpeg"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"BM", "bmp"),
    (b"II\x2a\x00", "tiff"),
    (b"MM\x00\x2a", "tiff"),
    (b"II\x2b\x00", "tiff"),  # BigTIFF
    (b"MM\x00\x2b", "tiff"),
)

# TIFF types (TIFF 6.0, section 2; 13 and 16 to 18 of later supplements): bytes of one value, and
# what `struct` calls those that are unsigned integers.
_TIFF_TYPE_BYTES = (0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8)
_TIFF_INTEGERS = {1: "B", 3: "H", 4: "I", 16: "Q"}

# `warnings.catch_warnings` changes the state of the whole process.
_warnings_lock = threading.Lock()


def recognise(data: bytes | bytearray | memoryview | np.ndarray) -> str | None:
    """Names the format of a file from its first bytes: "jpeg", "png", "webp", "bmp", "tiff".

    Returns None for anything else, data of fewer bytes than the format's mark included.
    """
    head = bytes(memoryview(cast(Any, data))[:12])
    if head[:4] == b"RIFF" and head[8:] == b"WEBP":
        return "webp"
    return next((name for mark, name in _MAGIC if head.startswith(mark)), None)


def decode_to_rgb(
    data: bytes | bytearray | memoryview | np.ndarray, max_image_pixels: int
) -> tuple[np.ndarray | None, Status]:
    """Decodes a PNG, WebP, BMP or TIFF file with Pillow.

    Args:
        data: the file: bytes, or `uint8[n]`.
        max_image_pixels: an image of more pixels is TOO_LARGE. This is judged from the header,
            before memory for pixels is taken; Pillow's own limit does not apply.

    Returns:
        `uint8[height, width, 3]` and OK; or None and TRUNCATED where the data end early, CORRUPT
        where they make no sense or are of no format known here, TOO_LARGE, or UNSUPPORTED for a
        variant that Pillow does not read.

    Raises:
        ConfigError: the file is a JPEG, which is decoded later, inside the program.
    """
    kind = recognise(data)
    if kind == "jpeg":
        raise ConfigError("a JPEG file is decoded by jaxdali.image.decode, not with Pillow.")
    if kind is None:
        return None, Status.CORRUPT
    content = bytes(data)
    with _warnings_lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about metadata, palettes: nobody is there to read them
        try:
            return _decode_with_pillow(kind, content, max_image_pixels)
        except MemoryError:
            raise
        except NotImplementedError:
            return None, Status.UNSUPPORTED
        except Exception as error:  # Pillow's parsers raise nearly every type there is
            truncated = "truncated" in str(error).lower() or _ends_early(kind, content)
            return None, Status.TRUNCATED if truncated else Status.CORRUPT


def _decode_with_pillow(kind: str, content: bytes, max_image_pixels: int) -> tuple[np.ndarray | None, Status]:
    from PIL import ImageOps

    if kind == "webp":
        # Pillow's plugin takes memory for the whole image when it opens it.
        height, width = _webp_extents(content)
        if height * width > max_image_pixels:
            return None, Status.TOO_LARGE
    with _open(kind, content) as image:
        if image.width * image.height > max_image_pixels:
            return None, Status.TOO_LARGE
        upright = ImageOps.exif_transpose(image).convert("RGB")
    return np.asarray(upright), Status.OK


def _open(kind: str, content: bytes) -> ImageFile:
    """What `Image.open` does for this format, less its limit on pixels: the caller has its own."""
    from PIL import BmpImagePlugin, PngImagePlugin, TiffImagePlugin, WebPImagePlugin

    plugin = {
        "png": PngImagePlugin.PngImageFile,
        "webp": WebPImagePlugin.WebPImageFile,
        "bmp": BmpImagePlugin.BmpImageFile,
        "tiff": TiffImagePlugin.TiffImageFile,
    }[kind]
    return plugin(io.BytesIO(content), "")


def _webp_extents(content: bytes) -> tuple[int, int]:
    """Height and width of a WebP file from its first chunk (RFC 9649, sections 2.5 to 2.7)."""
    chunk, body = content[12:16], content[20:30]
    if chunk == b"VP8X":
        width, height = (1 + int.from_bytes(body[at : at + 3], "little") for at in (4, 7))
    elif chunk == b"VP8L":
        (bits,) = struct.unpack_from("<I", body, 1)
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif chunk == b"VP8 ":
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", body, 6))
    else:
        raise ValueError(f"unknown first chunk {chunk!r} of a WebP file")
    return height, width


def _ends_early(kind: str, content: bytes) -> bool:
    """Whether a file that Pillow refused is shorter than its own structure says."""
    try:
        return {
            "png": _png_ends_early,
            "webp": _webp_ends_early,
            "bmp": _bmp_ends_early,
            "tiff": _tiff_ends_early,
        }[kind](content)
    except struct.error:  # a field that tells lengths is itself cut
        return True


def _png_ends_early(content: bytes) -> bool:
    at = 8
    while True:
        size, name = struct.unpack_from(">I4s", content, at)
        at += 8 + size + 4
        if at > len(content):
            return True
        if name == b"IEND":
            return False


def _webp_ends_early(content: bytes) -> bool:
    (size,) = struct.unpack_from("<I", content, 4)
    return 8 + size > len(content)


def _bmp_ends_early(content: bytes) -> bool:
    size, _, pixels_start = struct.unpack_from("<III", content, 2)
    return max(size, pixels_start) > len(content)


def _tiff_ends_early(content: bytes) -> bool:
    """Whether the first directory, a value it points to, a strip or a tile ends beyond the data."""
    order = "<" if content[:2] == b"II" else ">"
    if 0x2B in content[2:4]:  # BigTIFF
        start_format, count_format, entry_format, inline_bytes = "8xQ", "Q", "HHQ8s", 8
    else:
        start_format, count_format, entry_format, inline_bytes = "4xI", "H", "HHI4s", 4
    (at,) = struct.unpack_from(order + start_format, content)
    (entries,) = struct.unpack_from(order + count_format, content, at)
    at += struct.calcsize(order + count_format)
    values = {}
    for _ in range(entries):
        tag, kind, count, inline = struct.unpack_from(order + entry_format, content, at)
        at += struct.calcsize(order + entry_format)
        size = count * (_TIFF_TYPE_BYTES[kind] if kind < len(_TIFF_TYPE_BYTES) else 0)
        data = inline
        if size > inline_bytes:
            (start,) = struct.unpack(order + start_format[-1], inline)
            if start + size > len(content):
                return True
            data = content[start : start + size]
        if kind in _TIFF_INTEGERS:
            values[tag] = struct.unpack_from(f"{order}{count}{_TIFF_INTEGERS[kind]}", data)
    return any(
        start + size > len(content)
        for starts_tag, sizes_tag in ((273, 279), (324, 325))  # strips, tiles
        for start, size in zip(values.get(starts_tag, ()), values.get(sizes_tag, ()), strict=False)
    )
