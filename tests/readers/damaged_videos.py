"""Damaged videos, looked through and decoded. Runs in a program of its own, which FFmpeg may end."""

from __future__ import annotations

import logging
import pathlib
import tempfile
import time
from typing import Any

import av
import numpy as np
from odd_videos import ODD, write_odd
from packed_clips import OFFERED

KINDS = (
    "b_frames.mp4",
    "open.ts",
    "uneven.mkv",
    "b_frames.avi",
    "plain.hevc",
    "hidden_vp9.webm",
    "mpeg2.mpg",
    "vp9.ivf",
)


def damaged(file: bytes, chance: np.random.Generator) -> bytes:
    """Returns a file that is cut off, or lacks a piece, or in which bits are others, in its first bytes or everywhere."""
    found = bytearray(file)
    kind = int(chance.integers(4))
    if kind == 0:
        return bytes(found[: int(chance.integers(len(found)))])
    if kind == 1:
        first, end = sorted(chance.integers(0, len(found), 2).tolist())
        return bytes(found[:first] + found[end:])
    for place in chance.integers(0, len(found) if kind == 2 else min(len(found), 900), int(chance.integers(1, 40))):
        found[place] ^= 1 << int(chance.integers(8))
    return bytes(found)


def check(clip: np.ndarray, frames: int) -> None:
    """Checks that a packed clip has a stamp for each frame, and packets, one behind the other."""
    head = clip[:192].view(np.int64).tolist()
    table = np.frombuffer(clip[head[19] : head[19] + 32 * head[17]].tobytes(), np.int64).reshape(-1, 4)
    stamps = np.frombuffer(clip[head[18] : head[18] + 8 * frames].tobytes(), np.int64)
    begins, sizes = table[:, 0], table[:, 1]
    assert head[18] == 192 and head[19] == 192 + 8 * frames and begins[0] == head[19] + 32 * len(table)
    assert (begins[1:] == begins[:-1] + sizes[:-1]).all() and begins[-1] + sizes[-1] == head[21]
    assert table[0, 3] == 1 and {*stamps} <= {*table[:, 2]} and len({*table[:, 2]}) == len(table)


def run(seed: int, count: int) -> dict[str, Any]:
    """Returns how many of `count` files are videos, and how many clips of them are read or are errors, and are packed for a
    GPU; the longest time of one in seconds; and the most memory in MiB.
    """
    logging.getLogger("jaxdali").setLevel(logging.CRITICAL)
    av.logging.set_level(av.logging.PANIC)
    from jaxdali import SourceDataError
    from jaxdali._feed.records.packed_clip import origin_of, shape_of
    from jaxdali._feed.records.packed_video import PackedVideo
    from jaxdali._feed.records.video_file import Video
    from jaxdali._feed.records.video_frames import Frames
    from jaxdali._feed.records.video_scan import find_all_frames

    chance = np.random.default_rng(seed)
    found = {"files": 0, "read": 0, "errors": 0, "packed": 0, "scan_s": 0.0, "slowest_s": 0.0}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        whole = [pathlib.Path(write_odd(folder, ODD[kind])).read_bytes() for kind in KINDS]
        paths = []
        for number in range(count):
            paths.append(str(folder / f"{number}"))
            pathlib.Path(paths[-1]).write_bytes(damaged(whole[number % len(whole)], chance))
        began = time.perf_counter()
        each = find_all_frames(paths)
        found["scan_s"] = time.perf_counter() - began
        for path, frames in zip(paths, each, strict=True):
            if not isinstance(frames, Frames):
                continue
            found["files"] += 1
            began = time.perf_counter()
            for first in chance.integers(0, frames.count, 3).tolist():
                numbers = [*range(first, min(first + 4, frames.count))]
                try:
                    with Video(path, frames) as video:
                        pixels = video.read(numbers)
                    assert pixels.shape[0] == len(numbers) and pixels.dtype == np.uint8
                    found["read"] += 1
                except SourceDataError as error:
                    assert path in str(error), error
                    found["errors"] += 1
                with PackedVideo(path, frames) as video:
                    clip = video.pack(numbers, [0, 0, 0], OFFERED)  # None rather than an error
                if clip is not None:
                    check(clip, len(numbers))
                    assert shape_of(clip)[0] == len(numbers) and origin_of(clip)["file"] == path
                    found["packed"] += 1
            found["slowest_s"] = max(found["slowest_s"], time.perf_counter() - began)
    # Not getrusage's: that knows what the process was forked from, too.
    status = pathlib.Path("/proc/self/status").read_text()
    found["most_mib"] = int(status.partition("VmHWM:")[2].split()[0]) / 1024
    return found


if __name__ == "__main__":
    import sys

    print(run(int(sys.argv[1]), int(sys.argv[2])))
