"""Writes video files in which every frame shows its number."""

from __future__ import annotations

import functools
import pathlib
import tempfile
from contextlib import AbstractContextManager
from fractions import Fraction
from unittest import mock

import av
import numpy as np

# FFmpeg's names for the codec and pixel format, by file ending.
CODECS = {".webm": ("libvpx-vp9", "yuv420p"), ".avi": ("mjpeg", "yuvj420p"), ".mp4": ("libx264", "yuv420p")}


def write_video(
    path: pathlib.Path,
    frames: int,
    height: int = 32,
    width: int = 48,
    rate: int = 25,
    uneven: bool = False,
    first: int = 0,
) -> str:
    """Writes a video of moving colors, with a key frame every 7 frames.

    Args:
        uneven: show every third frame twice as long.
        first: when the first frame is shown, in frames after 0.
    """
    codec, pixels = CODECS[path.suffix]
    y, x = np.mgrid[:height, :width]
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=rate)
        stream.height, stream.width, stream.pix_fmt, stream.codec_context.gop_size = height, width, pixels, 7
        stamp = first
        for number in range(frames):
            colors = [(x * 3 + number * 7) % 256, (y * 5 + number * 3) % 256, ((x + y) * 2 + number * 11) % 256]
            frame = av.VideoFrame.from_ndarray(np.stack(colors, -1).astype(np.uint8), format="rgb24")
            frame.pts, frame.time_base = stamp, Fraction(1, rate)
            stamp += 2 if uneven and number % 3 == 2 else 1
            for packet in stream.encode(frame):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return str(path)


@functools.cache
def _frames_of(paths: tuple[str, ...]) -> list[object]:
    from jaxdali._feed.records.video_scan import find_all_frames

    return find_all_frames(paths)


def scanned_once() -> AbstractContextManager[object]:
    """While it is entered, the same files are scanned once, and not once per source: a scan starts a process."""
    import jaxdali._feed.source.video

    return mock.patch.object(jaxdali._feed.source.video, "find_all_frames", lambda paths: _frames_of(tuple(paths)))


@functools.cache
def video_bytes(frames: int, height: int, width: int) -> np.ndarray:
    """A video file as `uint8[n]`."""
    with tempfile.TemporaryDirectory() as folder:
        return np.fromfile(write_video(pathlib.Path(folder, "video.avi"), frames, height, width), np.uint8)


def decoded(path: str) -> np.ndarray:
    """All frames from first to last, as red, green and blue."""
    ways = av.video.reformatter.Interpolation
    how = ways.BILINEAR | ways.FULL_CHR_H_INT | ways.ACCURATE_RND
    with av.open(path) as container:
        frames = [frame.reformat(format="rgb24", interpolation=how).to_ndarray() for frame in container.decode(video=0)]
    return np.stack(frames)
