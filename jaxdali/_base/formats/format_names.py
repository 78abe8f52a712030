"""Recognises the format of a file by its first bytes."""

from __future__ import annotations

import re
from typing import Any, TypeAlias, cast

import numpy as np

__all__ = ["DECODED", "NAMES", "NATIVE", "Content", "recognise"]

Content: TypeAlias = bytes | bytearray | memoryview | np.ndarray

# The formats that `decode_pixels` decodes.
DECODED = ("png", "webp", "bmp", "tiff", "gif", "pnm", "tga", "jpeg2000", "avif")
# Those of which native code decodes all but unusual and damaged files; Pillow decodes the others.
NATIVE = ("png", "webp")

# The formats that are recognised, with their usual names.
NAMES = {
    **{"jpeg": "JPEG", "png": "PNG", "webp": "WebP", "bmp": "BMP", "tiff": "TIFF"},
    **{"gif": "GIF", "avif": "AVIF", "heif": "HEIF", "jpegxl": "JPEG XL", "jpeg2000": "JPEG 2000", "jpegxr": "JPEG XR"},
    **{"psd": "PSD", "ico": "ICO", "pnm": "PNM", "dds": "DDS", "svg": "SVG", "exr": "OpenEXR", "hdr": "Radiance HDR"},
    **{"qoi": "QOI", "tga": "TGA"},
}

_MARKS = (
    (b"\xff\xd8\xff", "jpeg"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"BM", "bmp"),
    (b"II\x2a\x00", "tiff"),
    (b"MM\x00\x2a", "tiff"),
    (b"II\x2b\x00", "tiff"),  # BigTIFF
    (b"MM\x00\x2b", "tiff"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"\xff\x0a", "jpegxl"),
    (b"\x00\x00\x00\x0cJXL \r\n\x87\n", "jpegxl"),
    (b"\x00\x00\x00\x0cjP  \r\n\x87\n", "jpeg2000"),
    (b"\xff\x4f\xff\x51", "jpeg2000"),
    (b"II\xbc\x01", "jpegxr"),
    (b"8BPS", "psd"),
    (b"DDS ", "dds"),
    (b"\x76\x2f\x31\x01", "exr"),
    (b"#?RADIANCE", "hdr"),
    (b"#?RGBE", "hdr"),
    (b"qoif", "qoi"),
)
# An icon's width and height, between the number of icons and a byte that is 0.
_ICO = re.compile(rb"\x00\x00\x01\x00[\x01-\xff]\x00..[\x00-\xff]\x00", re.DOTALL)
_PNM = re.compile(rb"P[1-7Ff][ \t\r\n][ \t\r\n#0-9A-Z]")
# An SVG begins with its element, or with declarations and comments before it. Two patterns, each of which looks at a byte
# once: one that could divide the bytes between several wildcards would try all ways to do so.
_SVG_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?=<(?:\?xml\b|!|svg\b))")
_SVG_ELEMENT = re.compile(rb"<svg\b")
_TGA_END = b"TRUEVISION-XFILE.\x00"

# ISO base media files (ISO/IEC 14496-12) say what they are in their first box: a major brand and compatible ones.
_AVIF_BRANDS = {b"avif", b"avis"}
_HEIF_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}

_HEAD = 1024  # an SVG may begin with comments and the names of its schemas


def recognise(data: Content) -> str | None:
    """Names the format of a file by its first bytes: "jpeg", "png", "webp", or one that is not decoded here, such
    as "avif". These are the keys of `NAMES`.

    Returns None for anything else, including data shorter than the format's signature.
    """
    view = memoryview(cast(Any, data))
    head = bytes(view[:_HEAD])
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if head[4:8] == b"ftyp":
        return _of_brands({head[8:12], *(head[at : at + 4] for at in range(16, min(head[3], 64), 4))})
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    for pattern, name in ((_ICO, "ico"), (_PNM, "pnm")):
        if pattern.match(head):
            return name
    if (begin := _SVG_BEGINS.match(head)) and _SVG_ELEMENT.search(head, begin.end()):
        return "svg"
    return "tga" if bytes(view[-len(_TGA_END) :]) == _TGA_END else None


def _of_brands(brands: set[bytes]) -> str | None:
    if brands & _AVIF_BRANDS:
        return "avif"
    return "heif" if brands & _HEIF_BRANDS else None
