"""Reads video files with PyAV (FFmpeg): finds their frames, and decodes any of them to pixels."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from jaxdali._base.missing import load_extra
from jaxdali.errors import SourceDataError
from ..storage.remote_file import RemoteFile
from ..storage.urls import is_remote
from .foreign import data_errors
from .frame_pixels import FramePixels
from .safe_open import open_regular

__all__ = ["MOST_BYTES", "Frames", "Video", "find_frames"]

# FFmpeg has formats that refer to other files, even over the network: playlists and scripts. These formats do not.
_FORMATS = "mov,matroska,avi,mpeg,mpegts,mpegvideo,m4v,flv,ogg,ivf,asf,mxf,h264,hevc,obu,gif,yuv4mpegpipe"
_MOST_PIXELS = 1 << 28
# Limit on a clip's bytes, which is a slot's.
MOST_BYTES = 1 << 34
# To reach a frame within this distance, the frames in between are decoded; to others FFmpeg seeks.
_NEAR = 32


@dataclasses.dataclass(frozen=True, eq=False)
class Frames:
    """The frames of a file, in the order in which they are shown.

    Attributes:
        stamps: `int64[frames]`: when each is shown, in units of `unit_s`. Empty if the file does not say; frames are then
            counted from the beginning.
        count: the number of frames.
        unit_s: the unit of `stamps`, in seconds.
        rate: frames per second, as the file says.
    """

    stamps: np.ndarray
    count: int
    unit_s: float
    rate: float

    @property
    def times(self) -> np.ndarray:
        """`float64[frames]`: seconds."""
        return self.stamps * self.unit_s if len(self.stamps) else np.arange(self.count) / self.rate

    @property
    def is_even(self) -> bool:
        """Whether frames are equally spaced in time, apart from rounding."""
        return len(self.stamps) < 3 or int(np.ptp(np.diff(self.stamps))) <= max(
            1, int(np.diff(self.stamps).mean() * 0.1)
        )


def find_frames(file: str | bytes) -> Frames:
    """Finds the frames of a file, without decoding it.

    Args:
        file: its path, which may be a URL, or its contents.

    Raises:
        SourceDataError: the file has no video that FFmpeg can read.
        OSError: the file cannot be read.
    """
    with Video(file) as video:
        return video.find_frames()


class Video:
    """An open video file.

    Args:
        file: its path, which may be a URL, or its contents.
        frames: the file's frames; None: they are found when they are needed.
        pixels: converts frames to pixels, and remembers what it learns about the file; None: makes its own.

    Raises:
        SourceDataError: the file has no video that FFmpeg can read.
        OSError: the file cannot be read.
    """

    def __init__(self, file: str | bytes, frames: Frames | None = None, pixels: FramePixels | None = None):
        self._av = load_extra("av", "video", "reading videos")
        self.name = file if isinstance(file, str) else f"a file of {len(file)} bytes"
        self._file = file
        self._bytes = _File(file) if isinstance(file, str) else io.BytesIO(file)
        self._frames = frames
        try:
            with self._errors(lambda: f"{self.name} is not a video that can be read"):
                self._container = self._av.open(self._bytes, options={"format_whitelist": _FORMATS})
                # The first one may be a picture of the cover.
                self._stream = self._container.streams.best("video")
                if self._stream is None:
                    raise ValueError("it has no video stream")
                context = self._stream.codec_context
                context.options = {"max_pixels": str(_MOST_PIXELS)}
                # Work is parallel across processes instead; a child forked while FFmpeg's threads run would wait for them.
                context.thread_count, context.thread_type = 1, "NONE"
        except BaseException:
            self._bytes.close()
            raise
        self._pixels = pixels or FramePixels()
        self._decoded: Iterator[Any] = iter(())
        # The number of the frame that `_decoded` gives next; None: unknown, as after a `seek`.
        self._next: int | None = None
        self._sought = False

    def __enter__(self) -> Video:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._container.close()
        self._bytes.close()

    def find_frames(self) -> Frames:
        """Finds the frames. Call it before anything else is read."""
        stream = self._stream
        stamps: list[int | None] = []
        with self._errors(lambda: f"{self.name}: frame {len(stamps)} cannot be read"):
            for packet in self._container.demux(stream):
                if packet.size and not packet.is_discard:
                    stamps.append(packet.pts)
        if not stamps:
            raise SourceDataError(f"{self.name} has no frames of video")
        known = [stamp for stamp in stamps if stamp is not None]
        if len(set(known)) < len(stamps):
            known = []
        with self._errors(lambda: f"{self.name}: its frame rate cannot be read"):
            rate = float(stream.average_rate or stream.guessed_rate or stream.base_rate or 25)
        return Frames(np.sort(np.array(known, np.int64)), len(stamps), float(stream.time_base or 0), rate)

    def _errors(self, where: Callable[[], str]) -> contextlib.AbstractContextManager[None]:
        """Makes SourceDataErrors of FFmpeg's errors, of which some are OSErrors, too. One of reading the file passes."""
        return data_errors(where, OSError, own=self._av.FFmpegError)

    @property
    def frames(self) -> Frames:
        """All frames of the file."""
        if self._frames is None:
            self._frames = find_frames(self._file)
        return self._frames

    def read(self, numbers: Sequence[int]) -> np.ndarray:
        """Returns frames in red, green and blue, `uint8[len(numbers), height, width, 3]`.

        Args:
            numbers: the frames' numbers, at least one, in any order; one may come several times.

        Raises:
            SourceDataError: a frame cannot be decoded.
        """
        height, width = self.size
        if len(numbers) * height * width * 3 > MOST_BYTES:
            raise SourceDataError(f"{self.name}: {len(numbers)} frames of {height} x {width} pixels are too large")
        with data_errors(f"{self.name}: {len(numbers)} frames of {height} x {width} pixels"):
            found = np.empty((len(numbers), height, width, 3), np.uint8)
        rows: dict[int, list[int]] = {}
        for row, number in enumerate(numbers):
            rows.setdefault(number, []).append(row)
        for number in sorted(rows):
            first, *others = rows[number]
            self._write(number, found[first])
            for other in others:
                found[other] = found[first]
        return found

    @property
    def size(self) -> tuple[int, int]:
        """Height and width in pixels, as they are stored."""
        return self._stream.height, self._stream.width

    def _write(self, number: int, out: np.ndarray) -> None:
        """Writes the pixels of frame `number`, `uint8[height, width, 3]`."""
        try:
            with self._errors(lambda: f"{self.name}: frame {number} cannot be decoded"):
                frame = self._frame(number)
                if frame is not None and (frame.height, frame.width) == self.size:
                    self._pixels.write(self._av, self.name, frame, out)
        except SourceDataError:
            self._next = None
            raise
        if frame is None:
            raise SourceDataError(f"{self.name}: frame {number} of {self.frames.count} cannot be decoded")
        if (frame.height, frame.width) != self.size:
            raise SourceDataError(
                f"{self.name}: frame {number} has {frame.height} x {frame.width} pixels, but the file says {self.size[0]} x "
                f"{self.size[1]}"
            )

    def _frame(self, number: int) -> Any:
        """Returns frame `number` as FFmpeg decodes it, or None if it does not."""
        if self._next is None or not self._next <= number < self._next + _NEAR:
            self._seek(number)
        frame = self._reach(number)
        if frame is None and self._sought:
            # If seeking overshot or frames lack timestamps, count from the start.
            self._seek(0)
            frame = self._reach(number)
        return frame

    def _seek(self, number: int) -> None:
        stamps = self.frames.stamps
        self._sought = bool(number and len(stamps))
        if self._sought:
            self._container.seek(int(stamps[number]), stream=self._stream)
        else:
            self._container.seek(int(stamps[0]) if len(stamps) else 0, stream=self._stream)
        self._decoded = self._container.decode(self._stream)
        self._next = None if self._sought else 0

    def _reach(self, number: int) -> Any:
        for frame in self._decoded:
            here = self._number_of(frame)
            if here is None or here > number:
                break
            self._next = here + 1
            if here == number:
                return frame
        self._next = None
        return None

    def _number_of(self, frame: Any) -> int | None:
        """Returns the number of a decoded frame; without a timestamp, the one after the previous frame's."""
        stamps = self.frames.stamps
        if frame.pts is not None and len(stamps):
            number = int(np.searchsorted(stamps, frame.pts))
            if number < len(stamps) and stamps[number] == frame.pts:
                return number
        return self._next


class _File:
    """A regular file or a remote object, for FFmpeg to read. Closes with its last reference: nobody closes sources."""

    def __init__(self, path: str):
        self._offset, self._descriptor = 0, -1
        if is_remote(path):
            remote = RemoteFile(path)
            self._read, self._size = remote.read, remote.size
        else:
            self._descriptor = open_regular(path)
            self._read, self._size = self._of_file, os.fstat(self._descriptor).st_size

    def _of_file(self, count: int, offset: int) -> bytes:
        return os.pread(self._descriptor, count, offset)

    def read(self, count: int) -> bytes:
        found = self._read(count, self._offset)
        self._offset += len(found)
        return found

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        begin = {os.SEEK_SET: 0, os.SEEK_CUR: self._offset, os.SEEK_END: self._size}[whence]
        self._offset = max(begin + offset, 0)
        return self._offset

    def tell(self) -> int:
        return self._offset

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __del__(self) -> None:
        self.close()
