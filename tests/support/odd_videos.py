"""Small videos of the kinds that readers get wrong. Each frame shows its number in black and white."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import av
import numpy as np

__all__ = ["ODD", "UNEVEN", "Odd", "number_of", "picture", "two_matrices", "two_sizes", "write_odd"]

_HEIGHT, _WIDTH = 48, 64
# Fields of black or white, in rows of four.
_BITS = 8
# x265's cutree writes beyond its memory where pictures are smaller than its blocks.
_X265 = "log-level=none:pools=1:frame-threads=1:cutree=0"
_H265 = f"{_X265}:bframes=3:keyint=12:min-keyint=12:scenecut=0:open-gop=1"
# What encoders need so that they are quick, and frames hold their numbers.
_OPTIONS = {
    "libx264": {"preset": "veryfast", "crf": "20", "bf": "3", "b_strategy": "0"},
    "libx265": {"preset": "ultrafast", "crf": "20", "x265-params": _X265},
    "libvpx": {"deadline": "good", "cpu-used": "4"},
    "libvpx-vp9": {"deadline": "realtime", "cpu-used": "8", "crf": "20"},
    "libsvtav1": {"preset": "12", "crf": "20", "svtav1-params": "lp=1"},
    "mpeg4": {"bf": "2", "qscale": "2"},
    "mpeg2video": {"bf": "2", "qscale": "2"},
}
_OPEN = {"x264-params": "open-gop=1:bframes=3:b-adapt=0"}
_ALT = {"auto-alt-ref": "1", "lag-in-frames": "16"}
_COUNT = 40
# When frames of an uneven video are shown, in 1/25 s.
UNEVEN = (
    0,
    1,
    2,
    5,
    6,
    9,
    10,
    11,
    20,
    21,
    22,
    23,
    24,
    30,
    31,
    33,
    34,
    35,
    36,
    40,
    41,
    50,
    51,
    52,
    53,
    54,
    55,
    56,
    57,
    60,
)


def picture(number: int, height: int = _HEIGHT, width: int = _WIDTH) -> np.ndarray:
    """`uint8[height, width, 3]` that shows a number below 256, with a red field at the top left."""
    found = np.full((height, width, 3), 96, np.uint8)
    for bit in range(_BITS):
        found[_field(bit, height, width)] = 235 if number >> bit & 1 else 16
    found[: height // 4, : width // 4] = 220, 20, 20
    return found


def number_of(pixels: np.ndarray) -> int:
    """Reads the number back from a decoded picture."""
    light = pixels.mean(-1)
    height, width = pixels.shape[:2]
    return sum(int(light[_field(bit, height, width, 3)].mean() > 128) << bit for bit in range(_BITS))


def _field(bit: int, height: int, width: int, within: int = 0) -> tuple[slice, slice]:
    high, wide = height // 4, width // 4
    top, left = high + bit // 4 * high, bit % 4 * wide
    return slice(top + within, top + high - within), slice(left + within, left + wide - within)


@dataclasses.dataclass(frozen=True)
class Odd:
    """A video to write.

    Attributes:
        name: of the file; its ending says which container.
        codec: FFmpeg's name of the encoder.
        shown: the numbers on the frames, in the order in which they are shown.
        stamps: when the encoded frames are shown, in 1/25 s; those before 0 are in the file, and its edit list leaves them
            out.
        options, pixels: of the encoder, and its format of pixels.
        first: the place of the first packet that is written, as if the file had been cut out of a longer one.
        muxer: options of the container.
    """

    name: str
    codec: str
    shown: Sequence[int] = range(_COUNT)
    stamps: Sequence[int] = range(_COUNT)
    options: dict[str, str] = dataclasses.field(default_factory=dict)
    pixels: str = "yuv420p"
    first: int = 0
    muxer: dict[str, str] = dataclasses.field(default_factory=dict)


_H264, _HEVC, _VP9, _AV1 = "libx264", "libx265", "libvpx-vp9", "libsvtav1"
_LATER = range(-10, _COUNT - 10)
ODD = {
    one.name: one
    for one in (
        Odd("b_frames.mp4", _H264),
        Odd("open.mp4", _H264, options=_OPEN),
        Odd("open.ts", _H264, options=_OPEN),
        Odd("open_cut.ts", _H264, range(16, 40), options=_OPEN, first=12),
        Odd("cut.ts", _H264, range(8, 40), first=5),
        Odd("cut.mp4", _H264, range(8, 40), first=5),
        Odd("cut.mkv", _H264, range(8, 40), first=5),
        Odd("edited.mp4", _H264, range(10, 40), _LATER),
        Odd("late.mp4", _H264, stamps=range(1000, 1000 + _COUNT)),
        Odd("fragments.mp4", _H264, muxer={"movflags": "frag_keyframe+empty_moov"}),
        Odd("uneven.mp4", _H264, range(len(UNEVEN)), UNEVEN),
        Odd("uneven.mkv", _H264, range(len(UNEVEN)), UNEVEN),
        Odd("b_frames.avi", _H264),  # whose stamps say when frames are decoded
        Odd("plain.h264", _H264),  # without stamps
        Odd("fields.ts", _H264, options={"x264-params": "tff=1:bframes=2"}),
        Odd("b_frames.flv", _H264),
        Odd("hevc.mp4", _HEVC, options={"x265-params": _H265}),
        Odd("hevc_cut.ts", _HEVC, range(24, 40), options={"x265-params": _H265}, first=12),
        Odd("plain.hevc", _HEVC, options={"x265-params": _H265}),
        Odd("hidden_vp8.webm", "libvpx", options=_ALT),  # packets whose frame is only referred to
        Odd("hidden_vp9.webm", _VP9, options={**_ALT, "deadline": "good"}),
        Odd("vp9.ivf", _VP9),
        Odd("turned.mp4", _VP9),
        Odd("uneven_vp9.webm", _VP9, range(len(UNEVEN)), UNEVEN),
        Odd("cut_vp9.webm", _VP9, range(12, 40), first=5),
        Odd("edited_vp9.mp4", _VP9, range(10, 40), _LATER),
        Odd("av1.webm", _AV1),
        Odd("edited_av1.mp4", _AV1, range(10, 40), _LATER),
        Odd("mpeg4.avi", "mpeg4"),
        Odd("mpeg2.ts", "mpeg2video"),
        Odd("mpeg2.mpg", "mpeg2video"),
        Odd("ten_bits.mp4", _H264, pixels="yuv420p10le"),
        Odd("all_chroma.mp4", _H264, pixels="yuv444p"),
        Odd("gray.mp4", _H264, pixels="gray"),
    )
}


def write_odd(
    folder: pathlib.Path, odd: Odd, height: int = _HEIGHT, width: int = _WIDTH, degrees: int = 0, mirrored: bool = False
) -> str:
    """Writes a video, with a key frame every 12 frames at least; returns its path.

    Args:
        degrees, mirrored: how it is to be turned when it is shown, counterclockwise, and then mirrored; MP4 only.
    """
    path = folder / odd.name
    with av.open(str(path), "w", options=odd.muxer) as container:
        stream = _stream(container, odd, height, width)
        if degrees or mirrored:
            stream.set_display_rotation(degrees, hflip=mirrored)
        for place, packet in enumerate(_packets(stream, odd.stamps, height, width)):
            if place >= odd.first:
                container.mux(packet)
    return str(path)


def two_sizes(path: pathlib.Path, codec: str, stamps: int = 20) -> str:
    """Writes a video of 48 x 64 pixels, which goes on with 32 x 48 from frame `stamps` on."""
    return _two_parts(path, codec, stamps, (32, 48), ())


def two_matrices(
    path: pathlib.Path, codec: str, matrices: tuple[int, int], height: int = _HEIGHT, width: int = _WIDTH
) -> str:
    """Writes a video whose frames name another matrix of colors from frame 20 on; 2: none."""
    return _two_parts(path, codec, 20, (height, width), matrices, (height, width))


def _two_parts(
    path: pathlib.Path,
    codec: str,
    stamps: int,
    later: tuple[int, int],
    matrices: tuple[int, ...],
    first: tuple[int, int] = (_HEIGHT, _WIDTH),
) -> str:
    """Writes a video in two parts of which the second one has other extents, or names another matrix."""
    odd = Odd(path.name, codec)
    with av.open(str(path), "w") as container:
        stream = _stream(container, odd, *first)
        _name_matrix(stream.codec_context, matrices[:1])
        for packet in _packets(stream, range(stamps), *first):
            container.mux(packet)
        encoder: Any = av.CodecContext.create(codec, "w")
        encoder.time_base, encoder.framerate = Fraction(1, 25), 25
        _set(encoder, odd, *later)
        _name_matrix(encoder, matrices[1:])
        for packet in _packets(encoder, range(stamps, 2 * stamps), *later, stamps):
            packet.stream = stream
            container.mux(packet)
    return str(path)


def _name_matrix(context: Any, numbers: Sequence[int]) -> None:
    for number in numbers:
        context.colorspace, context.color_range = number, 1


def _stream(container: Any, odd: Odd, height: int, width: int) -> Any:
    stream = container.add_stream(odd.codec, rate=25)
    _set(stream.codec_context, odd, height, width)
    stream.time_base = Fraction(1, 25)
    return stream


def _set(context: Any, odd: Odd, height: int, width: int) -> None:
    context.height, context.width, context.pix_fmt = height, width, odd.pixels
    context.gop_size, context.thread_count = 12, 1
    context.options = {**_OPTIONS.get(odd.codec, {}), **odd.options}


def _packets(encoder: Any, stamps: Sequence[int], height: int, width: int, first: int = 0) -> list[Any]:
    found = []
    for number, stamp in enumerate(stamps, first):
        frame = av.VideoFrame.from_ndarray(picture(number, height, width), format="rgb24")
        frame.pts, frame.time_base = stamp, Fraction(1, 25)
        found += encoder.encode(frame)
    return [*found, *encoder.encode(None)]
