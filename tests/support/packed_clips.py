"""Decodes packed clips by FFmpeg, as a GPU's video engine does: only from their packets."""

from __future__ import annotations

import itertools
from typing import Any

import av
import numpy as np

from jaxdali._feed import _host
from jaxdali._feed.records.packed_clip import NO_FRAME

__all__ = ["OFFERED", "by_ffmpeg", "is_packed"]

# As of an engine that takes small pictures, too.
OFFERED = {4: (16, 48, 4096, 4096, 65536), 8: (16, 48, 8192, 8192, 262144)}

_CODECS = {4: "h264", 8: "hevc"}


def is_packed(clip: np.ndarray) -> bool:
    """Whether a clip has packets, and not pixels."""
    return bool(clip[:16].view(np.int64)[1])


def by_ffmpeg(clip: np.ndarray) -> np.ndarray:
    """Returns the frames of a clip of packets, `uint8[T, H, W, 3]`."""
    head = clip[:192].view(np.int64).tolist()
    stamps, table = _words(clip, head[18], head[2]), _words(clip, head[19], 4 * head[17]).reshape(-1, 4)
    frames: dict[int, np.ndarray] = {}
    begins = [*np.flatnonzero(table[:, 3]).tolist(), len(table)]
    for first, end in itertools.pairwise(begins):
        context: Any = av.CodecContext.create(_CODECS[head[5]], "r")
        context.thread_count = 1
        found = []
        for place, size, stamp, _ in table[first:end].tolist():
            packet: Any = av.Packet(clip[place : place + size].tobytes())
            packet.pts = stamp
            found += context.decode(packet)
        for frame in [*found, *context.decode(None)]:
            if frame.pts >= table[first, 2]:  # those before a key frame lack what they need
                frames[frame.pts] = _shown(frame, head)
    fill = np.array([head[16] >> 8 * channel & 255 for channel in range(3)], np.uint8)
    empty = np.broadcast_to(fill, (*head[3:5], 3))
    return np.stack([empty if stamp == NO_FRAME else frames[stamp] for stamp in stamps.tolist()])


def _words(clip: np.ndarray, place: int, count: int) -> np.ndarray:
    return np.frombuffer(clip[place : place + 8 * count].tobytes(), np.int64)


def _shown(frame: Any, head: list[int]) -> np.ndarray:
    luma, blue, red = (
        np.frombuffer(one, np.uint8).reshape(-1, one.line_size)[: one.height, : one.width] for one in frame.planes
    )
    stored = np.empty((frame.height, frame.width, 3), np.uint8)
    matrix: Any = tuple(head[10:16])
    _host.yuv_to_rgb(luma, blue, red, matrix, bool(head[9]), stored)
    shown = np.empty((*head[3:5], 3), np.uint8)
    _host.copy_oriented(stored, head[8], shown)
    return shown
