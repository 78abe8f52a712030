"""Decodes files other than JPEG: ordinary PNG and WebP files with native code, others with Pillow.

The result is that of `ImageOps.exif_transpose(Image.open(f))`, with the file's own channels: gray, gray and alpha, RGB,
or RGB and alpha. Other colors are converted to RGB. Pillow is imported when the first file is decoded; jax never is.
"""

from __future__ import annotations

import contextlib
import io
import struct
import threading
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from jaxdali.errors import ConfigError
from ..batch import Status
from ..interruptions import raised_by_handler
from .avif import exif_directories
from .cut_off_files import ends_early
from .deep import deep_pixels
from .fields import EndsEarly
from .format_names import DECODED, Content, recognise
from .gif import first_frame_extents
from .jpeg2000 import Jpeg2000Damaged, Jpeg2000File
from .png import chunk_names
from .pnm import deep_colors
from .tiff import BITS_PER_SAMPLE, ROOM_BESIDES_PIXELS, TiffDirectory

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

__all__ = ["NativeDecoder", "decode_pixels", "turned"]

# The native decoder: takes `uint8[n]`, the most pixels, and whether to keep indices into a palette. Returns None for files
# that Pillow should see: those of formats that it does not decode, unusual and damaged ones.
NativeDecoder: TypeAlias = Callable[[np.ndarray, int, bool], np.ndarray | None]

# Pillow's modes with at most 8 bits a channel, and what they become. Transparency outside of a channel is dropped.
_MODES = {
    **{"1": "L", "L": "L", "LA": "LA", "RGBA": "RGBA"},
    **dict.fromkeys(("La", "P", "PA", "RGB", "RGBX", "RGBa", "CMYK", "YCbCr"), "RGB"),
}

# How to transform pixels for each Exif orientation.
_TURNS: dict[int, Callable[[np.ndarray], np.ndarray]] = {
    2: lambda pixels: pixels[:, ::-1],
    3: lambda pixels: pixels[::-1, ::-1],
    4: lambda pixels: pixels[::-1],
    5: lambda pixels: pixels.swapaxes(0, 1),
    6: lambda pixels: np.rot90(pixels, -1),
    7: lambda pixels: pixels[::-1, ::-1].swapaxes(0, 1),
    8: lambda pixels: np.rot90(pixels, 1),
}
_ORIENTATION = 0x0112
_PHOTOMETRIC, _WHITE_IS_ZERO, _COLOR_MAP = 262, 0, 320

# BMP run-length coding: most rows that one code skips, and most pixels that a byte of the file makes.
_BMP_SKIPS, _BMP_PIXELS_PER_BYTE = 256, 256
# OpenJPEG has some KB for each tile of a JPEG 2000 file, from the start, and hundreds of bytes for each precinct of a tile.
_MOST_TILES, _TILE_PIXELS, _PRECINCT_PIXELS = 256, 4096, 128

# `warnings.catch_warnings` changes the state of the whole process.
_warnings_lock = threading.Lock()


class _Refused(Exception):
    """The file is not decoded, for a reason found in its header."""

    def __init__(self, status: Status):
        super().__init__(status.name)
        self.status = status


def decode_pixels(
    data: Content,
    max_image_pixels: int,
    indices: bool = False,
    as_stored: bool = False,
    native: NativeDecoder | None = None,
) -> tuple[np.ndarray | None, Status]:
    """Decodes a file of one of the formats in `DECODED` to Pillow's pixels; of an animation the first frame.

    For any file, time and memory are bounded by a small multiple of its size and of `max_image_pixels`, plus what
    Pillow allows for a PNG's compressed text, 64 MiB, and what it allows for an AVIF file, 2**28 pixels.

    Args:
        data: the file: bytes, or `uint8[n]`.
        max_image_pixels: an image with more pixels is TOO_LARGE, and so is a TIFF file with a tile larger than both
            this and 2**22 pixels. The header decides, before memory for pixels is allocated. Of Pillow's own limit,
            which is left unchanged, only the one on TIFF files larger than twice `PIL.Image.MAX_IMAGE_PIXELS` applies.
        native: `_host.decode_image` or `_cpu.decode_image`, which are the same; Pillow decodes what it does not, or all if
            None.

    Returns:
        `uint8[height, width, C]`, or uint16 if channels or a palette's levels have 16 bits, with C from 1 to 4, and OK.
        Or None and a status: TRUNCATED if the data end early, CORRUPT if they make no sense or are no image, TOO_LARGE
        (also if memory runs out), or UNSUPPORTED for another format or a variant that Pillow does not read, such as
        channels of 32 bits: see `why_unsupported`.

    Raises:
        ConfigError: the file is a JPEG; those are decoded later, inside the program.
    """
    kind = recognise(data)
    if kind == "jpeg":
        raise ConfigError("a JPEG file is decoded by jaxdali.image.decode, not with Pillow.")
    if kind is None:
        return None, Status.CORRUPT
    if kind not in DECODED:
        return None, Status.UNSUPPORTED
    content = bytes(data)
    if native is not None:
        pixels = native(np.frombuffer(content, np.uint8), max_image_pixels, indices)
        if pixels is not None:
            return pixels, Status.OK
    with _warnings_lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about metadata and palettes: nobody would read them
        try:
            pixels, turn = _decode_with_pillow(kind, content, max_image_pixels, indices)
            turned = pixels if turn is None or as_stored else np.ascontiguousarray(turn(pixels))
            return turned, Status.OK
        except Exception as error:  # Pillow's parsers raise nearly every type of exception
            if raised_by_handler(error):
                raise
            return None, _status_of(error, kind, content)


def _status_of(error: Exception, kind: str, content: bytes) -> Status:
    if isinstance(error, _Refused) and error.status != Status.CORRUPT:
        return error.status
    # DecompressionBombError is compared by name, because importing Pillow may be what failed.
    if isinstance(error, MemoryError) or type(error).__name__ == "DecompressionBombError":
        return Status.TOO_LARGE
    words = str(error).lower()
    if "truncated" in words or ends_early(kind, content) or (kind == "pnm" and any(end in words for end in _PNM_ENDS)):
        return Status.TRUNCATED
    unread = isinstance(error, NotImplementedError) or any(part in words for part in _PILLOW_DOES_NOT_READ)
    return Status.UNSUPPORTED if unread else Status.CORRUPT


# Parts of Pillow's error messages about PNM files that end early; the files do not say how long they are.
_PNM_ENDS = ("not enough image data", "reached eof")
# Parts of Pillow's error messages about unsupported variants.
_PILLOW_DOES_NOT_READ = ("unsupported", "not supported", "not yet supported", "unknown pixel mode")


def _decode_with_pillow(
    kind: str, content: bytes, max_image_pixels: int, indices: bool
) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray] | None]:
    """Returns the pixels as stored, and the function that turns them upright; None if they are upright."""
    room = max(max_image_pixels, ROOM_BESIDES_PIXELS)
    if kind == "webp":
        # Pillow's plugin allocates the whole image when it opens the file.
        height, width = _webp_extents(content)
        _limit(height * width, max_image_pixels)
    elif kind == "gif":
        # Pillow may allocate the whole frame when it opens the file.
        extents = first_frame_extents(content)
        if extents is None:
            raise _Refused(Status.CORRUPT)
        _limit(extents[0] * extents[1], max_image_pixels)
    elif kind == "tiff":
        _check_tiff(content, room)
    elif kind == "png":
        _check_png(content)
    elif kind == "jpeg2000":
        _check_jpeg2000(content, max_image_pixels, room)
    elif kind == "avif":
        _check_avif(content)
    with _open(kind, content) as image:
        _limit(image.width * image.height, max_image_pixels)
        if kind == "bmp" and image.info.get("compression") in (1, 2):
            # Pillow's decoder is written in Python, and pixels that the file only skips take it long, too.
            _limit(_BMP_SKIPS * image.width, room)
            _limit(image.width * image.height, max(ROOM_BESIDES_PIXELS, _BMP_PIXELS_PER_BYTE * len(content)))
        pixels = _pixels(kind, content, image, indices)
        exif = image.info.get("exif")  # in a PNG it may come after the pixels
        if isinstance(exif, bytes):
            _check_values(TiffDirectory(exif.removeprefix(b"Exif\x00\x00")), len(exif))
        return pixels, _turn_of(image)


def turned(pixels: np.ndarray, image: ImageFile) -> np.ndarray:
    """Returns the pixels of an image in the orientation that its Exif data specify."""
    turn = _turn_of(image)
    return pixels if turn is None else turn(pixels)


def _turn_of(image: ImageFile) -> Callable[[np.ndarray], np.ndarray] | None:
    # `ImageOps.exif_transpose` would also rewrite the Exif data.
    return _TURNS.get(image.getexif().get(_ORIENTATION, 1))


def _pixels(kind: str, content: bytes, image: ImageFile, indices: bool) -> np.ndarray:
    """Returns the pixels as stored."""
    bits = _bits(kind, content, image)
    if bits <= 8 and image.mode in _MODES:
        image.load()
        mode = "P" if indices and image.mode == "P" else _MODES[image.mode]
        if kind == "tiff" and image.mode == "P" and mode != "P":
            return _colored(image)
        shown = image if image.mode == mode else image.convert(mode)
        # `np.asarray` would take the same bytes, but a fifth of the time of a small image goes into finding that out.
        return np.frombuffer(shown.tobytes(), np.uint8).reshape(image.height, image.width, len(mode))
    if kind == "tiff" and image.mode == "F":
        return _levels(image)
    if kind == "pnm" and bits == 16 and image.mode == "I":
        return np.asarray(image).astype(np.uint16)[..., np.newaxis]
    if kind == "pnm" and (colors := deep_colors(image, content)) is not None:
        return colors
    # With 16 bits, Pillow does not invert levels that count from white to black.
    known = bits == 16 and _tags(image).get(_PHOTOMETRIC) != _WHITE_IS_ZERO
    deep = deep_pixels(image, lambda: _open(kind, content)) if known else None
    if deep is None:
        raise _Refused(Status.UNSUPPORTED)
    return deep


def _levels(image: ImageFile) -> np.ndarray:
    """Returns the levels of 16 bits of a TIFF file in which black is 0 and white is 1. As in DALI, others are clipped."""
    numbers = np.asarray(image)
    if _tags(image).get(_PHOTOMETRIC) == _WHITE_IS_ZERO or np.isnan(numbers).any():
        raise _Refused(Status.UNSUPPORTED)
    return np.rint(numbers.clip(0, 1) * np.float32(65535)).astype(np.uint16)[..., np.newaxis]


def _colored(image: ImageFile) -> np.ndarray:
    """Returns the colors of a TIFF file with a palette, whose levels have 16 bits. Pillow would round them down to 8."""
    levels = np.array(_tags(image)[_COLOR_MAP], np.uint16).reshape(3, -1).T
    return levels[np.frombuffer(image.tobytes(), np.uint8).reshape(image.height, image.width)]


def _limit(number: int, largest: int) -> None:
    if number > largest:
        raise _Refused(Status.TOO_LARGE)


def _check_tiff(content: bytes, room: int) -> None:
    """Refuses files for which libtiff or Pillow would take memory out of proportion to the image's size."""
    if content.startswith(b"MM\x00\x2b"):
        # Pillow misreads such a file, and would use another directory than the one that is checked here.
        raise _Refused(Status.UNSUPPORTED)
    directory = TiffDirectory(content)
    for one in (directory, *directory.further()):
        _check_values(one, len(content))
    if directory.spare_parts:
        raise _Refused(Status.CORRUPT)
    _limit(directory.tile_pixels, room)


def _check_png(content: bytes) -> None:
    """Refuses files with several colour profiles: PNG allows one, and Pillow would unpack them all."""
    profiles = 0
    with contextlib.suppress(EndsEarly):  # Pillow may still find an image in what is there
        for name in chunk_names(content):
            profiles += name == b"iCCP"
    if profiles > 1:
        raise _Refused(Status.CORRUPT)


def _check_jpeg2000(content: bytes, max_image_pixels: int, room: int) -> None:
    """Refuses files for which OpenJPEG's tables would be out of proportion to the image's size."""
    try:
        file = Jpeg2000File(content)
        _limit(file.height * file.width, max_image_pixels)
        _limit(file.tiles, max(_MOST_TILES, file.height * file.width // _TILE_PIXELS))
        _limit(file.precincts, room // _PRECINCT_PIXELS)
        _limit(file.packets, room)
    except Jpeg2000Damaged as error:
        raise _Refused(Status.CORRUPT) from error


def _check_avif(content: bytes) -> None:
    """Refuses Exif data that share bytes."""
    for directory in exif_directories(content):
        _check_values(directory, len(content))


def _check_values(directory: TiffDirectory, size: int) -> None:
    """Refuses directories whose entries share the bytes of their values: some Pillow versions copy them for each."""
    if directory.value_bytes > size:
        raise _Refused(Status.CORRUPT)


def _bits(kind: str, content: bytes, image: ImageFile) -> int:
    """Bits per channel."""
    if kind == "png":
        return 16 if any("16" in str(tile[3]) for tile in image.tile) else 8
    if kind == "tiff":
        return max(_tags(image).get(BITS_PER_SAMPLE, (1,)))
    if kind == "jpeg2000":
        return 8 if Jpeg2000File(content).bits <= 8 else 16
    if kind == "pnm":
        return 8 if image.mode != "I" and all(_most_level(tile) < 256 for tile in image.tile) else 16
    return 8


def _most_level(tile: Any) -> int:
    """The largest level of a PNM file: of 255 Pillow's arguments say nothing."""
    arguments = tile[3]
    return 255 if isinstance(arguments, str) or len(arguments) != 2 else int(arguments[1])


def _tags(image: ImageFile) -> Any:
    return getattr(image, "tag_v2", {})


def _open(kind: str, content: bytes) -> ImageFile:
    """Opens a file as `Image.open` does for this format, without its limit on pixels: the caller has its own."""
    from PIL import (
        BmpImagePlugin,
        GifImagePlugin,
        Jpeg2KImagePlugin,
        PngImagePlugin,
        PpmImagePlugin,
        TgaImagePlugin,
        TiffImagePlugin,
        WebPImagePlugin,
    )

    plugin = {
        "png": PngImagePlugin.PngImageFile,
        "webp": WebPImagePlugin.WebPImageFile,
        "bmp": BmpImagePlugin.BmpImageFile,
        "tiff": TiffImagePlugin.TiffImageFile,
        "gif": GifImagePlugin.GifImageFile,
        "pnm": PpmImagePlugin.PpmImageFile,
        "tga": TgaImagePlugin.TgaImageFile,
        "jpeg2000": Jpeg2KImagePlugin.Jpeg2KImageFile,
    }.get(kind)
    return _open_avif(content) if plugin is None else plugin(io.BytesIO(content), "")


def _open_avif(content: bytes) -> ImageFile:
    """Opens an AVIF file, which older versions of Pillow do not read. One thread decodes it: others decode other files."""
    try:
        from PIL import AvifImagePlugin
    except ImportError:
        raise _Refused(Status.UNSUPPORTED) from None
    if not AvifImagePlugin.SUPPORTED:
        raise _Refused(Status.UNSUPPORTED)
    before, AvifImagePlugin.DEFAULT_MAX_THREADS = AvifImagePlugin.DEFAULT_MAX_THREADS, 1
    try:
        return AvifImagePlugin.AvifImageFile(io.BytesIO(content), "")
    finally:
        AvifImagePlugin.DEFAULT_MAX_THREADS = before


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
