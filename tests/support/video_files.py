"""Writes video files in which every frame shows its number."""

from __future__ import annotations

import functools
import pathlib
import tempfile
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Any
from unittest import mock

import av
import numpy as np
from samples import HALVES, Arguments, Samples, both

from jaxdali import types

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
    degrees: int = 0,
) -> str:
    """Writes a video of moving colors, with a key frame every 7 frames.

    Args:
        uneven: show every third frame twice as long.
        first: when the first frame is shown, in frames after 0.
        degrees: by how much it is turned before it is shown, counterclockwise; MP4 only.
    """
    codec, pixels = CODECS[path.suffix]
    y, x = np.mgrid[:height, :width]
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=rate)
        stream.height, stream.width, stream.pix_fmt, stream.codec_context.gop_size = height, width, pixels, 7
        if degrees:
            stream.set_display_rotation(degrees)
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


def write_three_videos(folder: pathlib.Path) -> list[str]:
    """Writes videos of 18, 20 and 16 frames; the last is upright, the others are wide. Returns their paths."""
    sizes = ((18, 64, 96), (20, 64, 96), (16, 96, 64))
    return [write_video(folder / f"{k}.mp4", count, height, width) for k, (count, height, width) in enumerate(sizes)]


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
        return np.fromfile(write_video(pathlib.Path(folder, "video.mp4"), frames, height, width, degrees=180), np.uint8)


def decoded(path: str) -> np.ndarray:
    """All frames from first to last, as red, green and blue."""
    ways = av.video.reformatter.Interpolation
    how = ways.BILINEAR | ways.FULL_CHR_H_INT | ways.ACCURATE_RND
    with av.open(path) as container:
        frames = [frame.reformat(format="rgb24", interpolation=how).to_ndarray() for frame in container.decode(video=0)]
    return np.stack(frames)


def _write(folder: pathlib.Path) -> tuple[dict[str, Any], Any]:
    from jaxdali import fn

    videos = both(folder, "{}.avi")
    for path, mine in zip(videos, HALVES, strict=True):
        write_video(path, len(mine), 16, 32)
    given = {"filenames": videos, "sequence_length": 1, "labels": [0, 1], "enable_frame_num": True}
    return given, fn.readers.video(**given)[0].call.source.data


SAMPLES = {"video": Samples(_write, "video")}


def arguments(root: pathlib.Path) -> dict[str, Arguments]:
    root = root / "videos"
    videos = [root / "a/one.mp4", root / "b/two.mp4"]
    for path, frames in zip(videos, (12, 13), strict=True):
        path.parent.mkdir(parents=True)
        write_video(path, frames, 16, 16, degrees=180)
    for name, part in (("parts.txt", "0.05 0.31"), ("later.txt", "0.13 0.44"), ("other.txt", "2 9")):
        (root / name).write_text(f"{videos[0]} 3 {part}\n")
    one, other = ({"filenames": [str(path)]} for path in videos)
    parts, later, others = (
        {"filenames": None, "file_list": root / f"{name}.txt"} for name in ("parts", "later", "other")
    )
    both_readers = {
        "filenames": [one, other],
        "labels": [{"labels": [3]}, {"labels": [4]}],
        "file_root": [{"filenames": None, "file_root": root}],
        "file_list": [parts, later],
        "sequence_length": [{"sequence_length": count} for count in (2, 3)],
        "step": [{"step": step} for step in (1, 3)],
        "adjust_orientation": [{"adjust_orientation": False}],
    }
    old = {
        "file_list_frame_num": [{**others, "file_list_frame_num": True}],
        "file_list_include_preceding_frame": [{**parts, "file_list_include_preceding_frame": True}],
        "dtype": [{"dtype": types.FLOAT}],
        "normalized": [{"dtype": types.FLOAT, "normalized": True}],
        "pad_sequences": [{"sequence_length": 5, "pad_sequences": True}],
    }
    new = {
        "file_list_format": [{**others, "file_list_format": "frames"}],
        "file_list_rounding": [{**parts, "file_list_rounding": way} for way in ("all_up", "all_down")],
        "pad_mode": [{"sequence_length": 5, "pad_mode": way} for way in ("edge", "constant", "reflect_101")],
        "fill_value": [
            {"sequence_length": 5, "pad_mode": "constant", "fill_value": fill} for fill in (1.0, (1.0, 2.0, 3.0))
        ],
    }
    base = {**one, "sequence_length": 2}
    return {
        "readers.video": Arguments(base, {**both_readers, **old}),
        "experimental.readers.video": Arguments(base, {**both_readers, **new}),
    }
