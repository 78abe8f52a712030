"""Reads video files with PyAV (FFmpeg): decodes any of their frames to pixels."""

from __future__ import annotations

import collections
import contextlib
import io
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

import numpy as np

from jaxdali._base.missing import load_extra
from jaxdali.errors import SourceDataError
from ..storage.remote_file import RemoteFile
from ..storage.urls import is_remote
from .foreign import data_errors
from .frame_pixels import FramePixels, orientation_of
from .safe_open import open_regular
from .video_frames import Frames, Packet, doubtful_packets, frames_of

__all__ = ["MOST_BYTES", "Frames", "Video", "find_frames"]

# FFmpeg has formats that refer to other files, even over the network: playlists and scripts. These formats do not.
_FORMATS = "mov,matroska,avi,mpeg,mpegts,mpegvideo,m4v,flv,ogg,ivf,asf,mxf,h264,hevc,obu,gif,yuv4mpegpipe"
_MOST_PIXELS = 1 << 28
# Limit on a clip's bytes, which is a slot's.
MOST_BYTES = 1 << 34
# A key frame at least so many frames ahead is sought; to nearer ones, the frames in between are decoded.
_WORTH_SEEKING = 8
# Formats without an index, in which FFmpeg's search by time may end behind the key frame: they are read from its packet on.
_BY_PLACE = ("mpegts", "h264", "hevc")

# Decoders that can be told at any frame to leave out what nothing is decoded from; others are told when they are opened.
_SKIPPING = ("h264", "hevc")
_LEAST_STAMP = -(1 << 63)


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
        upright: whether frames are turned as the file says that they are shown.

    Raises:
        SourceDataError: the file has no video that FFmpeg can read.
        OSError: the file cannot be read.
    """

    def __init__(
        self,
        file: str | bytes,
        frames: Frames | None = None,
        pixels: FramePixels | None = None,
        upright: bool = True,
    ):
        self._av = load_extra("av", "video", "reading videos")
        self.name = file if isinstance(file, str) else f"a file of {len(file)} bytes"
        self._file = file
        self._frames, self._upright = frames, upright
        self._pixels = pixels or FramePixels()
        self._bytes: Any = None
        self._open()

    def _open(self) -> None:
        """Opens the file, at its beginning."""
        self._bytes = _File(self._file) if isinstance(self._file, str) else io.BytesIO(self._file)
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
                self._colors = context.colorspace, context.color_range
        except BaseException:
            self._bytes.close()
            raise
        self._decoded: _Decoded | None = None
        # The number of the frame that `_decoded` gives next; None: unknown, as after a `_seek`.
        self._next: int | None = 0
        # Whether nothing was read since the file was opened.
        self._fresh = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._decoded = None
        self._container.close()
        self._bytes.close()

    def find_frames(self) -> Frames:
        """Finds the frames. Call it before anything else is read."""
        stream = self._stream
        packets: list[Packet] = []
        with self._errors(lambda: f"{self.name}: frame {len(packets)} cannot be read"):
            for one in self._container.demux(stream):
                if one.size:
                    packets.append(Packet(one.pts, one.is_keyframe, one.is_discard, -1 if one.pos is None else one.pos))
        if all(one.is_discarded for one in packets):
            raise SourceDataError(f"{self.name} has no frames of video")
        with self._errors(lambda: f"{self.name}: its frame rate cannot be read"):
            rate = float(stream.average_rate or stream.guessed_rate or stream.base_rate or 25)
        unit_s, by_place = float(stream.time_base or 0), self._container.format.name in _BY_PLACE
        doubtful = doubtful_packets(packets, bool(stream.codec_context.has_b_frames))
        del stream  # `_first_stamps` opens the file again
        shown = self._first_stamps(doubtful) if doubtful else []
        found = frames_of(packets, shown, doubtful, unit_s, rate, by_place)
        if not found.count:
            raise SourceDataError(f"{self.name} has no frames of video: none can be decoded without those before it")
        return found

    def _first_stamps(self, count: int) -> list[int | None]:
        """Decodes the beginning of the file; returns the stamps of the frames that the first `count` packets give, as they
        come.
        """
        self.close()
        self._open()
        stamps: list[int | None] = []
        for place, packet in enumerate(self._container.demux(self._stream)):
            # What cannot be decoded gives no frame; that is what is to be found out.
            with contextlib.suppress(SourceDataError), self._errors(lambda: self.name):
                stamps += [frame.pts for frame in packet.decode()]
            if place >= count:
                break
        return stamps

    def _errors(self, where: Callable[[], str]) -> contextlib.AbstractContextManager[None]:
        """Makes SourceDataErrors of FFmpeg's errors, of which some are OSErrors, too. One of reading the file passes."""
        return data_errors(where, OSError, own=self._av.FFmpegError)

    @property
    def frames(self) -> Frames:
        """All frames of the file."""
        if self._frames is None:
            self._frames = find_frames(self._file)
        return self._frames

    @property
    def stored_size(self) -> tuple[int, int]:
        """Height and width in pixels, as the file's header says: frames may be turned, or differ from it."""
        return self._stream.height, self._stream.width

    def size_of(self, number: int) -> tuple[int, int]:
        """Returns height and width of frame `number` as it is shown.

        Raises:
            SourceDataError: the frame cannot be decoded.
        """
        return self._shown(self._frame(number))[1]

    def read(self, numbers: Sequence[int]) -> np.ndarray:
        """Returns frames in red, green and blue, `uint8[len(numbers), height, width, 3]`.

        Args:
            numbers: the frames' numbers, at least one, in any order; one may come several times.

        Raises:
            SourceDataError: a frame cannot be decoded, or has another size than the others.
        """
        rows: dict[int, list[int]] = {}
        for row, number in enumerate(numbers):
            rows.setdefault(number, []).append(row)
        found, leading = np.empty((0, 0, 0, 3), np.uint8), min(numbers)
        for number in sorted(rows):
            frame = self._frame(number)
            orientation, (height, width) = self._shown(frame)
            if number == leading:
                what = f"{self.name}: {len(numbers)} frames of {height} x {width} pixels"
                if len(numbers) * height * width * 3 > MOST_BYTES:
                    raise SourceDataError(f"{what} are too large")
                with data_errors(what):
                    found = np.empty((len(numbers), height, width, 3), np.uint8)
            elif found.shape[1:3] != (height, width):
                raise SourceDataError(
                    f"{self.name}: frame {number} has {height} x {width} pixels, but frame {leading} of the same clip "
                    f"{found.shape[1]} x {found.shape[2]}"
                )
            first, *others = rows[number]
            with self._errors(lambda number=number: f"{self.name}: frame {number} cannot be decoded"):
                self._pixels.write(self._av, self.name, frame, found[first], orientation)
            for other in others:
                found[other] = found[first]
        return found

    def _shown(self, frame: Any) -> tuple[int, tuple[int, int]]:
        """Returns a frame's orientation, as EXIF numbers them, and its height and width in it."""
        orientation = orientation_of(frame) if self._upright else 1
        size = frame.height, frame.width
        return orientation, size if orientation < 5 else size[::-1]

    def _frame(self, number: int) -> Any:
        """Returns frame `number` as FFmpeg decodes it. Raises SourceDataError if it does not."""
        try:
            with self._errors(lambda: f"{self.name}: frame {number} cannot be decoded"):
                frame = self._found(number)
        except SourceDataError:
            self._next = None
            raise
        if frame is None:
            raise SourceDataError(f"{self.name}: frame {number} of {self.frames.count} cannot be decoded")
        return frame

    def _found(self, number: int) -> Any:
        """Returns frame `number` as FFmpeg decodes it, or None."""
        frames = self.frames
        key = frames.key_before(number)
        if self._next is not None and self._next <= number:
            ahead = 0 if key < 0 else frames.number_of_key(key) - self._next
            if ahead < _WORTH_SEEKING and (frame := self._reach(number)) is not None:
                return frame
        # If FFmpeg's search overshoots, or if frames lack stamps: from the key frame before, or from the beginning.
        for one in (key, key - 1):
            if one >= 0:
                self._seek(one)
                if (frame := self._reach(number)) is not None:
                    return frame
        if not self._fresh:
            self.close()
            self._open()
        return self._reach(number)

    def _seek(self, key: int) -> None:
        """Goes to key frame `key`."""
        frames, context = self.frames, self._stream.codec_context
        # FFmpeg's decoder of H.264 keeps the colors that were named last, for frames that name none. That of HEVC does not,
        # and sets them only where a sequence begins.
        if context.name == "h264":
            context.colorspace, context.color_range = self._colors
        if len(frames.places):
            self._container.seek(int(frames.places[key]), unsupported_byte_offset=True)
        else:
            self._container.seek(int(frames.keys[key]), stream=self._stream)
        self._decoded, self._next, self._fresh = self._decode(key), None, False

    def _decode(self, key: int) -> _Decoded:
        """Returns the frames from here on; those before key frame `key` may lack what they need."""
        keys = self.frames.keys
        begin = int(keys[key]) if len(keys) else None
        return _Decoded(self._container.demux(self._stream), self._stream.codec_context, self._av.FFmpegError, begin)

    def _reach(self, number: int) -> Any:
        """Returns frame `number` if it is still to come, or None."""
        self._fresh = False
        stamps = self.frames.stamps
        if self._decoded is None:
            self._decoded = self._decode(0)
        self._decoded.wanted = int(stamps[number]) if 0 <= number < len(stamps) else _LEAST_STAMP
        for frame in self._decoded:
            here = self.frames.number_of(frame.pts, self._next)
            if here is None:
                continue
            if here > number:
                break
            self._next = here + 1
            if here == number:
                return frame
        self._next = None
        return None


class _Decoded:
    """Frames, as FFmpeg decodes them. It has no reference to the video, which would be a cycle: nobody closes sources.

    Args:
        packets: those that are still to be decoded.
        context: the decoder.
        failed: what it raises.
        begin: the stamp of the key frame to begin with; what cannot be decoded before it gives no frame. None: the numbers
            of frames are counted, so all count.

    Attributes:
        wanted: the stamp of the frame that is looked for.
    """

    def __init__(self, packets: Iterator[Any], context: Any, failed: type[Exception], begin: int | None):
        self._packets, self._context, self._failed, self._begin = packets, context, failed, begin
        self._ready = collections.deque[Any]()
        # Of the frames before the wanted one, those that no other is decoded from are not needed.
        self._skips = begin is not None and context.name in _SKIPPING
        self.wanted = _LEAST_STAMP

    def __iter__(self) -> _Decoded:
        return self

    def __next__(self) -> Any:
        while not self._ready:
            packet = next(self._packets)
            if packet.pts == self._begin:
                self._begin = None
            if self._skips:
                is_before = packet.pts is not None and packet.pts < self.wanted
                self._context.skip_frame = "NONREF" if is_before else "DEFAULT"
            try:
                self._ready.extend(packet.decode())
            except self._failed:
                if self._begin is None:
                    raise
        return self._ready.popleft()


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
