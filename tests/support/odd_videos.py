"""Writes small videos of the kinds that decoders get wrong. Every frame shows its number in black and white."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import av
import numpy as np

HEIGHT, WIDTH = 48, 64
_BITS = 8
# What encoders need so that their files are small and their frames hold the numbers.
_OPTIONS = {
    "libx264": {"preset": "veryfast", "crf": "20"},
    "libx265": {"preset": "ultrafast", "crf": "20", "x265-params": "log-level=none:pools=1:frame-threads=1"},
    "libvpx-vp9": {"deadline": "realtime", "cpu-used": "8", "crf": "20"},
    "libsvtav1": {"preset": "12", "crf": "20", "svtav1-params": "lp=1"},
}


def picture(number: int, height: int = HEIGHT, width: int = WIDTH) -> np.ndarray:
    """A picture that shows a number below 256: two rows of four fields, and the top left corner in red."""
    found = np.full((height, width, 3), 96, np.uint8)
    for bit in range(_BITS):
        top, left = height // 4 + (bit // 4) * height // 4, (bit % 4) * width // 4
        found[top : top + height // 4, left : left + width // 4] = 235 if number >> bit & 1 else 16
    found[: height // 4, : width // 4] = 220, 20, 20
    return found


def number_of(pixels: np.ndarray) -> int:
    """Reads the number back, from a decoded `uint8[height, width, 3]`."""
    height, width = pixels.shape[:2]
    light = pixels.mean(-1)
    found = 0
    for bit in range(_BITS):
        top, left = height // 4 + (bit // 4) * height // 4, (bit % 4) * width // 4
        found |= int(light[top + 3 : top + height // 4 - 3, left + 3 : left + width // 4 - 3].mean() > 128) << bit
    return found


@dataclasses.dataclass(frozen=True)
class Part:
    """Consecutive frames of one size.

    Attributes:
        stamps: when each is shown, in 1/25 s.
        first: the number that the first one shows.
    """

    stamps: Sequence[int]
    first: int = 0
    height: int = HEIGHT
    width: int = WIDTH


def packets_of(codec: str, part: Part, options: dict[str, str], gop: int, pixels: str) -> tuple[Any, list[Any]]:
    """Encodes a part by itself; returns the encoder and its packets."""
    encoder = av.CodecContext.create(codec, "w")
    encoder.width, encoder.height, encoder.pix_fmt = part.width, part.height, pixels
    encoder.time_base, encoder.framerate, encoder.gop_size, encoder.thread_count = Fraction(1, 25), 25, gop, 1
    encoder.options = {**_OPTIONS.get(codec, {}), **options}
    packets = []
    for place, stamp in enumerate(part.stamps):
        frame = av.VideoFrame.from_ndarray(picture(part.first + place, part.height, part.width), format="rgb24")
        frame.pts, frame.time_base = stamp, Fraction(1, 25)
        packets += encoder.encode(frame)
    return encoder, [*packets, *encoder.encode(None)]


def write(
    path: pathlib.Path,
    codec: str,
    parts: Sequence[Part],
    options: dict[str, str] | None = None,
    gop: int = 12,
    pixels: str = "yuv420p",
    keep: Callable[[int, Any], bool] | None = None,
    matrix: Sequence[int] | None = None,
    muxer: dict[str, str] | None = None,
) -> str:
    """Writes parts one behind the other as one stream.

    Args:
        keep: `(place, packet) -> whether it is written`; None: all are.
        matrix: the nine numbers of a display matrix.
        muxer: options of the container.
    """
    with av.open(str(path), "w", options=muxer or {}) as container:
        stream = container.add_stream(codec, rate=25)
        stream.width, stream.height, stream.pix_fmt = parts[0].width, parts[0].height, pixels
        stream.codec_context.gop_size, stream.codec_context.thread_count = gop, 1
        stream.codec_context.options = {**_OPTIONS.get(codec, {}), **(options or {})}
        stream.time_base = Fraction(1, 25)
        if matrix is not None:
            stream.set_display_matrix(matrix)
        encoded: list[Any] = []
        for part in parts[:1]:
            for place, stamp in enumerate(part.stamps):
                frame = av.VideoFrame.from_ndarray(picture(part.first + place, part.height, part.width), format="rgb24")
                frame.pts, frame.time_base = stamp, Fraction(1, 25)
                encoded += stream.encode(frame)
            encoded += stream.encode(None)
        for part in parts[1:]:
            _, more = packets_of(codec, part, options or {}, gop, pixels)
            encoded += more
        for place, packet in enumerate(encoded):
            if keep is None or keep(place, packet):
                packet.stream = stream
                container.mux(packet)
    return str(path)
