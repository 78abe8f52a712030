"""Decodes files of video to frames: all of them, or those that are asked for."""

from __future__ import annotations

import dataclasses
import os
from typing import ClassVar

import numpy as np

from jaxdali.errors import SourceDataError
from .. import _host
from ..records.foreign import data_errors
from ..records.packed_clip import pack_pixels
from ..records.packed_video import Offered, PackedVideo
from ..records.video_file import MOST_BYTES, Video
from .video import frames_within

__all__ = ["VideoReading"]


@dataclasses.dataclass(frozen=True)
class VideoReading:
    """Which frames of a file become its clip.

    Attributes:
        frames: their numbers; None: those from `start` on.
        start: the number of the first frame; None: 0.
        end: where they end, exclusive; None: after `length` frames, or at the file's end.
        length: how many frames.
        stride: the distance between frames; None: 1.
        pad: what replaces frames that the file does not have, see `VideoClips`. With "none", `frames` must not name any,
            and other clips end before them.
        fill: the level of each channel, for "constant".
        upright: whether frames are turned as the file says that they are shown.
        offered: what the video engine of a GPU decodes, if clips are packed for it (`records.packed_clip`); None: they are
            decoded here.
    """

    decodes: ClassVar[str] = "videos"
    frames: tuple[int, ...] | None = None
    start: int | None = None
    end: int | None = None
    length: int | None = None
    stride: int | None = None
    pad: str = "constant"
    fill: tuple[int, ...] = (0,)
    upright: bool = True
    offered: Offered | None = None

    def __call__(self, file: object) -> tuple[np.ndarray]:
        """Returns the frames, `uint8[frames, height, width, 3]`; there may be none. Or they are packed, `uint8[n]`.

        Args:
            file: its bytes, `uint8[n]`, or a `_host.FileSample`.

        Raises:
            SourceDataError: it is not a video, or a frame is missing or cannot be decoded.
            OSError: the file cannot be read.
        """
        with PackedVideo(_content(file), upright=self.upright) as video:
            count = video.frames.count
            height, width = video.stored_size
            most = MOST_BYTES // max(height * width * 3, 1)
            wanted = self._numbers(count, most)
            if len(wanted) > most:
                raise SourceDataError(f"{len(wanted)} frames of {height} x {width} pixels are too large")
            numbers = frames_within(wanted, count, self.pad)
            there = (numbers >= 0) & (numbers < count)
            if self.pad == "none" and not there.all():
                if self.frames is not None or wanted[0] < 0:
                    raise SourceDataError(
                        f"frame {wanted[~there][0]} was asked for, but the video has {count}; pad_mode= says what "
                        "replaces missing frames"
                    )
                wanted, numbers, there = wanted[there], numbers[there], there[there]
            if self.offered is not None:
                fill = np.broadcast_to(np.asarray(self.fill, np.uint8), 3).tolist()
                packed = video.pack(np.where(there, numbers, -1).tolist(), fill, self.offered)
                return (packed if packed is not None else pack_pixels(self._read(video, numbers, there)),)
            return (self._read(video, numbers, there),)

    def _read(self, video: Video, numbers: np.ndarray, there: np.ndarray) -> np.ndarray:
        """Decodes frames; `there` says which of them the file has."""
        if there.all() and len(there):
            return video.read(numbers.tolist())
        found = video.read(numbers[there].tolist()) if there.any() else None
        height, width = video.size_of(0) if found is None else found.shape[1:3]
        with data_errors(f"{len(numbers)} frames of {height} x {width} pixels"):
            clip = np.empty((len(numbers), height, width, 3), np.uint8)
        clip[~there] = np.asarray(self.fill, np.uint8)
        if found is not None:
            clip[there] = found
        return clip

    def _numbers(self, count: int, most: int) -> np.ndarray:
        """Returns the numbers of the wanted frames, some of which the file may not have."""
        if self.frames is not None:
            return np.array(self.frames, np.int64)
        start, stride = self.start or 0, 1 if self.stride is None else self.stride
        if stride < 1 or (self.length is not None and self.length < 0):
            raise SourceDataError(f"stride={stride} and sequence_length={self.length}; expected at least 1 and 0")
        if start >= count:
            raise SourceDataError(f"start_frame={start} must be less than the {count} frames of the video")
        if self.length is not None:
            return start + stride * np.arange(min(self.length, most + 1), dtype=np.int64)
        end = count if self.end is None else self.end
        if end <= start:
            raise SourceDataError(f"end_frame={end} must be greater than start_frame={start}")
        return np.arange(start, min(end, start + stride * (most + 1)), stride, dtype=np.int64)


def _content(file: object) -> str | bytes:
    if isinstance(file, _host.FileSample):
        return os.fsdecode(file.path)
    content = np.ascontiguousarray(file)
    if content.dtype != np.uint8 or content.ndim != 1:
        raise SourceDataError(f"videos are bytes, uint8[n], got {content.dtype} with {content.ndim} dimensions")
    return content.tobytes()
