"""Files that are not JPEG: recognised by their first bytes and decoded with Pillow.

Decoding yields what `ImageOps.exif_transpose(Image.open(f)).convert("RGB")` yields. Pillow is
imported when a file is first decoded; jax never is.
"""

from __future__ import annotations

import io
import struct
import threading
import warnings
from typing import TYPE_CHECKING

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

# `warnings.catch_warnings` changes the state of the whole process.
_warnings_lock = threading.Lock()


def recognise(data: bytes | bytearray | memoryview | np.ndarray) -> str | None:
    """Names the format of a file from its first bytes: "jpeg", "png", "webp", "bmp", "tiff".

    Returns None for anything else, data of fewer bytes than the format's mark included.
    """
    head = bytes(memoryview(data)[:12])
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


def _decode_with_pillow(
    kind: str, content: bytes, max_image_pixels: int
) -> tuple[np.ndarray | None, Status]:
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
    """Whether the first directory or its strips reach beyond the data."""
    order = "<" if content[:2] == b"II" else ">"
    if 0x2B in content[2:4]:
        start, count, entry = struct.unpack_from(order + "Q", content, 8)[0], "Q", "HHQQ"
    else:
        start, count, entry = struct.unpack_from(order + "I", content, 4)[0], "H", "HHII"
    (entries,) = struct.unpack_from(order + count, content, start)
    first = start + struct.calcsize(order + count)
    last = first + entries * struct.calcsize(order + entry)
    return last > len(content) or _tiff_strips_end(content) > len(content)


def _tiff_strips_end(content: bytes) -> int:
    """One past the last byte of the strips or tiles of the first directory, as it says itself."""
    from PIL.TiffImagePlugin import ImageFileDirectory_v2

    header = 16 if 0x2B in content[2:4] else 8
    directory = ImageFileDirectory_v2(content[:header])
    stream = io.BytesIO(content)
    stream.seek(directory.next)
    directory.load(stream)
    ends = [0]
    for starts_tag, sizes_tag in ((273, 279), (324, 325)):  # strips, tiles
        starts, sizes = directory.get(starts_tag, ()), directory.get(sizes_tag, ())
        ends += [start + size for start, size in zip(starts, sizes, strict=False)]
    return max(ends)
