"""Gives the videos that it is fed in batches of sequences: DALI's `fn.experimental.inputs.video`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali.errors import SourceDataError
from ..records.video_file import Video
from .collate import as_batch, as_sample
from .push_source import FedSource
from .source_kinds import Request

__all__ = ["FedVideos"]


class FedVideos(FedSource):
    """Sequences of frames from videos, batch by batch, first in first out. No batch has frames of two videos. A video is
    opened when it is fed, and decoded when a batch of it is asked for.

    Args:
        blocking: whether asking for data waits until there are some.
        length: frames per sequence.
        padded: whether frames of zeros complete the last sequence of a video.
        upright: whether frames are turned as their video says that they are shown.
    """

    has_checkpoints = False

    def __init__(self, blocking: bool, length: int, padded: bool, upright: bool = True):
        super().__init__(blocking, repeat_last=False, no_copy=True)
        self._length, self._padded, self._upright = length, padded, upright

    def feed(self, value: Any, batch_size: int, layout: str = "") -> None:
        """Appends a video.

        Args:
            value: a batch of one file, `uint8[n]`.
            batch_size: sequences per batch.

        Raises:
            SourceDataError: it is something else, or not a video.
        """
        video = Video(_file_of(value), upright=self._upright)
        try:
            count = video.frames.count
        except SourceDataError:
            video.close()
            raise
        self._untouched = False
        self._batches.put(_Rest(video, 0, count, self._length * batch_size))

    def batch(self, request: Request) -> tuple[Any, ...]:
        (rest,) = super().batch(request)
        try:
            return (rest.sequences(self._length, self._padded),)
        except SourceDataError:
            self.written()  # skips to the next batch
            raise

    def written(self) -> None:
        self._begun = self._begun[0].behind() if self._begun else []


class _Rest:
    """The frames of a video that are still to come, from `first` to `end` (exclusive), `frames` of them per batch."""

    def __init__(self, video: Video, first: int, end: int, frames: int):
        self.video, self.first, self.end, self.frames = video, first, end, frames

    def behind(self) -> list[_Rest]:
        """Returns what comes after the next batch; an empty list if nothing does."""
        first = self.first + self.frames
        return [_Rest(self.video, first, self.end, self.frames)] if first < self.end else []

    def sequences(self, length: int, padded: bool) -> list[np.ndarray]:
        """Returns the sequences of the next batch, `uint8[length, height, width, 3]` each; the last one may be shorter if it
        is not padded.
        """
        frames = self.video.read(range(self.first, min(self.first + self.frames, self.end)))
        found = [frames[place : place + length] for place in range(0, len(frames), length)]
        if padded and len(found[-1]) < length:
            lacking = np.zeros((length - len(found[-1]), *frames.shape[1:]), np.uint8)
            found[-1] = np.concatenate([found[-1], lacking])
        return found


def _file_of(value: Any) -> bytes:
    batch = as_batch(value)
    if len(batch) != 1:
        raise SourceDataError(
            f"expected one video, as a list of one array or as uint8[1, n]; got {len(batch)}. Feed several one after the "
            "other"
        )
    sample = batch[0]
    if isinstance(sample, bytes):
        return sample
    file = as_sample(sample)
    if file.dtype != np.uint8 or file.ndim != 1:
        raise SourceDataError(f"a video is fed as its file, uint8[n]; got {file.dtype}{list(file.shape)}")
    return file.tobytes()
