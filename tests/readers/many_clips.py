"""Reads many clips in one process, and measures its memory. Runs in a program of its own."""

from __future__ import annotations

import os
import pathlib
import tempfile
from typing import Any

import numpy as np
from odd_videos import ODD, number_of, write_odd
from packed_clips import OFFERED, is_packed

KINDS = ("b_frames.mp4", "open.ts", "cut.mkv", "b_frames.avi", "uneven_vp9.webm", "mpeg4.avi")


def run(count: int, packed: bool) -> dict[str, Any]:
    """Returns memory in MiB, and open descriptors, after a tenth of the clips, and after all.

    Args:
        packed: they are packed for a GPU, as far as its engines take them.
    """
    from jaxdali._feed.records.packed_clip import shape_of
    from jaxdali.source import VideoClips

    chance, found = np.random.default_rng(0), {}
    with tempfile.TemporaryDirectory() as name:
        data = VideoClips([write_odd(pathlib.Path(name), ODD[kind]) for kind in KINDS], 4, 2, step=1)
        shown = [list(ODD[kind].shown) for kind in KINDS]
        for number in range(1, count + 1):
            index = int(chance.integers(len(data)))
            clip = data.packed(index, OFFERED) if packed else data[index]
            file = int(np.searchsorted(data.bounds, index, side="right")) - 1
            frames = clip["frames"]
            if packed:
                assert shape_of(frames) == (4, 48, 64, 3)
                found["packed"] = found.get("packed", 0) + is_packed(frames)
                frames = frames[:0] if is_packed(frames) else frames[192:].reshape(4, 48, 64, 3)
            assert not len(frames) or number_of(frames[0]) == shown[file][clip["numbers"][0]]
            if number in (count // 10, count):
                early = "_early" if number < count else ""
                pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
                found[f"mib{early}"] = pages * os.sysconf("SC_PAGESIZE") / (1 << 20)
                found[f"descriptors{early}"] = len(os.listdir("/proc/self/fd"))
    return found


if __name__ == "__main__":
    import sys

    print(run(int(sys.argv[1]), len(sys.argv) > 2))
