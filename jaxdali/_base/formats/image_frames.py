"""Decodes whole images to a color space where they are read: frames of sequences, which travel as pixels."""

from __future__ import annotations

import io

import numpy as np

from ..batch import Status
from ..interruptions import raised_by_handler
from .format_names import Content, recognise
from .pixel_decoding import NativeDecoder, decode_pixels, turned

__all__ = ["COLORS", "decode_frame"]

# "file" keeps the channels of the file.
COLORS = ("rgb", "bgr", "gray", "file")
# The same limit as in the compiled decoder; files with more scans are made to be slow to decode.
_MOST_SCANS = 500
# The weights of red, green and blue in luma, in units of 1/65536, as in libjpeg.
_LUMA = np.array([19595, 38470, 7471], np.uint32)


def decode_frame(
    data: Content, colors: str, max_image_pixels: int, native: NativeDecoder | None = None
) -> tuple[np.ndarray | None, Status]:
    """Decodes a file of any format that is read to Pillow's pixels, and turns it as its Exif data specify.

    Args:
        data: the file.
        colors: one of `COLORS`. Alpha is dropped unless this is "file".
        max_image_pixels: an image with more pixels is TOO_LARGE.
        native: see `decode_pixels`.

    Returns:
        `uint8[height, width, C]` and OK; or None and the status: see `decode_pixels`. Channels of 16 bits become 8.
    """
    if recognise(data) == "jpeg":
        pixels, status = _jpeg(bytes(data), colors, max_image_pixels)
    else:
        pixels, status = decode_pixels(data, max_image_pixels, native=native)
    return (None if pixels is None else np.ascontiguousarray(_in_colors(pixels, colors))), status


def _jpeg(content: bytes, colors: str, max_image_pixels: int) -> tuple[np.ndarray | None, Status]:
    from PIL import JpegImagePlugin

    if content.count(b"\xff\xda") > _MOST_SCANS:
        return None, Status.UNSUPPORTED
    try:
        with JpegImagePlugin.JpegImageFile(io.BytesIO(content), "") as image:
            if image.width * image.height > max_image_pixels:
                return None, Status.TOO_LARGE
            if colors == "gray":
                image.draft("L", image.size)  # libjpeg's own gray, which is the luma as stored
            image.load()
            mode = "L" if colors == "gray" or (colors == "file" and image.mode == "L") else "RGB"
            shown = image if image.mode == mode else image.convert(mode)
            pixels = np.frombuffer(shown.tobytes(), np.uint8).reshape(image.height, image.width, len(mode))
            return turned(pixels, image), Status.OK
    except MemoryError:
        return None, Status.TOO_LARGE
    except Exception as error:  # Pillow's parsers raise nearly every type of exception
        if raised_by_handler(error):
            raise
        return None, Status.TRUNCATED if "truncated" in str(error).lower() else Status.CORRUPT


def _in_colors(pixels: np.ndarray, colors: str) -> np.ndarray:
    if pixels.dtype == np.uint16:
        pixels = ((pixels.astype(np.uint32) + 128) // 257).astype(np.uint8)
    if colors == "file":
        return pixels
    count = pixels.shape[2]
    if colors == "gray":
        if count < 3:
            return pixels[..., :1]
        luma = (pixels[..., :3].astype(np.uint32) @ _LUMA + (1 << 15)) >> 16
        return luma.astype(np.uint8)[..., np.newaxis]
    if count < 3:
        return pixels[..., [0, 0, 0]]
    return pixels[..., 2::-1] if colors == "bgr" else pixels[..., :3]
