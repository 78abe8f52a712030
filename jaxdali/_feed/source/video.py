"""Clips of video files, as a map-style source."""

from __future__ import annotations

import dataclasses
import hashlib
import logging
import os
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, check_integer
from ..records.frame_pixels import FramePixels
from ..records.packed_clip import pack_pixels
from ..records.packed_video import Offered, PackedVideo
from ..records.video_frames import Frames
from ..records.video_scan import find_all_frames
from .direct import Own
from .file_format import FileFormat
from .record_source import described

__all__ = ["PADS", "FileOfClips", "VideoClips", "frames_within"]

logger = logging.getLogger("jaxdali")

# What a clip has in place of frames after the end.
PADS = ("none", "constant", "edge", "reflect_1001", "reflect_101")
# How many files a process keeps open, for consecutive clips.
_OPEN = 4


@dataclasses.dataclass(frozen=True)
class FileOfClips:
    """A file for `VideoClips`, the label of its clips, and which part of it counts.

    Args:
        path: its path, or a URL.
        label: an integer that int32 holds.
        part: a function that says from which frame to which one (exclusive) clips are taken, called once with the file's
            frames: their `count`; their `times`, `float64[count]` in seconds; and their `rate` per second. Ends beyond
            the file are cut. None: all frames.
        optional: whether a file that is not a video is left out, with a warning. Otherwise it is an error.

    Raises:
        ConfigError: the label is no such integer.

    Example:
        >>> from jaxdali import source
        >>> files = [source.FileOfClips("jumping/1.mp4", label=3), source.FileOfClips("running/1.mp4", label=7)]
        >>> half = source.FileOfClips("long.mp4", part=lambda frames: (0, frames.count // 2))
        >>> half.label
        0
    """

    path: str | os.PathLike[str]
    label: int = 0
    part: Callable[[Frames], tuple[int, int]] | None = None
    optional: bool = False

    def __post_init__(self) -> None:
        check_integer("label", self.label, -(1 << 31), (1 << 31) - 1)


class VideoClips:
    """Clips of video files: `data[i]` is a dict of "frames", `uint8[sequence_length, height, width, 3]` in RGB;
    "label", `int32`; "numbers", `int32[sequence_length]`, the frames' numbers in the file; and "times",
    `float64[sequence_length]`, when they are shown, in seconds after the file's first frame. Both are -1 for frames that the
    file does not have.

    Frames are decoded by FFmpeg (PyAV, `pip install 'jaxdali[video]'`), in the process that reads them, one thread per
    clip. In a Loader on GPUs, their video engines decode H.264 and HEVC of 8 bits and 4:2:0, frames of at least 48 x 16 and
    144 x 144 pixels, with the same pixels. FFmpeg shows what it conceals of a damaged clip; there it is an
    error, or looks otherwise if the engine does not notice.
    `Loader(decode_ahead=0)` leaves all to FFmpeg.

    Frames are numbered in the order in which they are shown. What a file has before the first frame that can be
    decoded, since it was cut out of a longer one, does not count. All frames of a clip have one size.

    Args:
        files: paths or URLs, or `FileOfClips`, which have labels.
        sequence_length: frames per clip.
        stride: the distance between the frames of a clip.
        step: the distance from a clip's first frame to the next clip's; 0: as much as a clip spans,
            `sequence_length * stride`.
        pad: what a file's last clip contains beyond its end. "none": there is no such clip; with the others there is.
            "constant": `fill`. "edge": the last frame. "reflect_1001", "reflect_101": the frames before it, backwards,
            with and without the last one, down to the first frame of the file, and then forward again.
        fill: the level of each channel, 0 to 255, or one number for all.
        uniform: one clip per file, of equally spaced frames from the first to the last; `stride`, `step` and `pad` are
            then ignored.
        spanned: whether a clip's last frame must be followed by `stride - 1` frames, as in DALI's newer reader.
        adjust_orientation: turn frames as the file says that they are shown, which is how phones store upright videos;
            False: leave them as they are stored, as DALI does.

    Attributes:
        bounds, groups: `int64[files + 1]`: the first clip of each file, and the end, as a `GroupSampler` takes them.

    Raises:
        ConfigError: arguments contradict each other, a file is not a video, or there is no clip.
        OSError: a file cannot be read. `data[i]` raises it, too, and SourceDataError if a frame cannot be decoded.
    """

    _format = FileFormat("video", r"\.(mp4|m4v|mkv|webm|avi|mov|mpe?g|ts|flv|wmv)$")

    def __init__(
        self,
        files: Sequence[str | os.PathLike[str] | FileOfClips],
        sequence_length: int,
        stride: int = 1,
        step: int = 0,
        pad: str = "none",
        fill: Sequence[int] | int = 0,
        uniform: bool = False,
        spanned: bool = False,
        adjust_orientation: bool = True,
    ):
        for name, value, least in (("sequence_length", sequence_length, 1), ("stride", stride, 1), ("step", step, 0)):
            if not isinstance(value, int) or value < least:
                raise ConfigError(f"{name} must be an integer from {least} on, got {value!r:.80}")
        if pad not in PADS:
            raise ConfigError(f"pad must be one of {', '.join(PADS)}, got {pad!r:.80}")
        filled = np.atleast_1d(np.asarray(fill))
        if filled.shape not in ((1,), (3,)) or filled.dtype.kind not in "iuf" or filled.min() < 0 or filled.max() > 255:
            raise ConfigError(f"fill must be a number from 0 to 255, or one for each of 3 channels; got {fill!r:.80}")
        if not files:
            raise ConfigError("No files found; expected at least one video")
        given, self.frames = _videos([_as_file(one) for one in files])
        self.paths, self.labels = (
            [os.fspath(file.path) for file in given],
            np.array([file.label for file in given], np.int32),
        )
        self.length, self.stride, self.pad, self.uniform = sequence_length, stride, pad, bool(uniform)
        self.step, self.spanned = step or sequence_length * stride, bool(spanned)
        self.upright = bool(adjust_orientation)
        self.fill = np.broadcast_to(filled.astype(np.uint8), 3)
        self._parts = [_part(file, frames) for file, frames in zip(given, self.frames, strict=True)]
        counts = [self._count(*part) for part in self._parts]
        self.bounds = self.groups = np.cumsum([0, *counts], dtype=np.int64)
        if not self.bounds[-1]:
            lengths = [max(end - first, 0) for first, end in self._parts]
            longest = int(np.argmax(lengths))
            raise ConfigError(
                f"no file has a clip of {sequence_length} frames: the longest of {len(self.paths)}, "
                f"{self.paths[longest]}, has {lengths[longest]}"
            )
        self._open = Own[OrderedDict[int, PackedVideo]]()
        self._pixels = Own[FramePixels]()

    decodes = "videos"

    def __repr__(self) -> str:
        return described("VideoClips", self.paths, len(self))

    def __len__(self) -> int:
        return int(self.bounds[-1])

    def __getitem__(self, index: int) -> dict[str, Any]:
        if not 0 <= index < len(self):
            raise IndexError(f"index {index} of {len(self)} clips")
        pixels, label, numbers, times = self.row(index)
        return {"frames": pixels, "label": label[0], "numbers": numbers, "times": times}

    def row(self, index: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Returns clip `index`: its frames, its label, `int32[1]`, and the numbers and times of its frames."""
        file, numbers = self._clip(index)
        there = numbers[numbers >= 0]
        pixels = self._video(file).read(there.tolist())
        if len(there) < len(numbers):
            behind = np.broadcast_to(self.fill, (len(numbers) - len(there), *pixels.shape[1:]))
            pixels = np.concatenate([pixels, behind])
        return pixels, self.labels[file : file + 1], numbers, self._times(file, numbers)

    def packed(self, index: int, offered: Offered) -> dict[str, Any]:
        """Returns clip `index` like `data[index]`, with "frames" as `packed_clip` describes them, `uint8[n]`.

        Args:
            offered: what the video engine decodes; other frames are decoded here.
        """
        file, numbers = self._clip(index)
        frames = self._video(file).pack(numbers.tolist(), self.fill.tolist(), offered)
        if frames is None:
            sample = self[index]
            return {**sample, "frames": pack_pixels(sample["frames"])}
        label = self.labels[file]
        return {"frames": frames, "label": label, "numbers": numbers, "times": self._times(file, numbers)}

    def direct(self) -> None:
        """Returns None: frames are decoded through Python."""
        return None

    def source_info(self, index: int) -> str:
        """Returns the path of the file of clip `index`, and the number of its first frame."""
        file, numbers = self._clip(index)
        return f"{self.paths[file]} at frame {numbers[0]}"

    def name_of(self, index: int, output: int) -> str:
        """Returns the path of the file of clip `index`, the same for each `output`."""
        return "" if output else self.paths[self._clip(index)[0]]

    def digest(self) -> str:
        """Returns a hash of what is read."""
        how = (
            self.length,
            self.stride,
            self.step,
            self.pad,
            self.fill.tolist(),
            self.uniform,
            self.spanned,
            *([] if self.upright else ["stored"]),
        )
        files = [*zip(self.paths, self.labels.tolist(), self._parts, strict=True)]
        return hashlib.sha256(f"{files} {how}".encode(errors="surrogateescape")).hexdigest()

    @property
    def uneven(self) -> str | None:
        """The path of a file whose frames are not equally spaced; None if there is none."""
        found = (path for path, frames in zip(self.paths, self.frames, strict=True) if not frames.is_even)
        return next(found, None)

    def _count(self, first: int, end: int) -> int:
        """Returns the number of clips in a part of a file."""
        if end <= first:
            return 0
        if self.uniform:
            return 1
        span = self.length * self.stride if self.spanned else 1 + (self.length - 1) * self.stride
        whole = max((end - first - span) // self.step + 1, 0)
        return whole + (self.pad != "none" and first + whole * self.step < end)

    def _times(self, file: int, numbers: np.ndarray) -> np.ndarray:
        """Returns when frames of a file are shown, as `data[index]` has them."""
        there = numbers[numbers >= 0]
        times = np.full(len(numbers), -1.0)
        shown = self.frames[file].times
        times[: len(there)] = shown[there] - shown[0]  # files cut from longer ones do not begin at 0
        return times

    def _clip(self, index: int) -> tuple[int, np.ndarray]:
        """Returns the file of clip `index`, and the numbers of its frames, -1 for those that the file does not have."""
        file = int(np.searchsorted(self.bounds, index, side="right")) - 1
        first, end = self._parts[file]
        if self.uniform:
            return file, np.floor(np.linspace(first, end - 1, self.length) + 0.5).astype(np.int32)
        begin = first + (index - int(self.bounds[file])) * self.step
        numbers = np.arange(begin, begin + self.length * self.stride, self.stride, dtype=np.int32)
        return file, frames_within(numbers, end, self.pad)

    def _video(self, file: int) -> PackedVideo:
        opened = self._open.of(OrderedDict)
        video = opened.pop(file, None)
        if video is None:
            while len(opened) >= _OPEN:
                opened.popitem(last=False)[1].close()
            video = PackedVideo(self.paths[file], self.frames[file], self._pixels.of(FramePixels), self.upright)
        opened[file] = video
        return video


def _as_file(one: str | os.PathLike[str] | FileOfClips) -> FileOfClips:
    return one if isinstance(one, FileOfClips) else FileOfClips(one)


def _videos(files: list[FileOfClips]) -> tuple[list[FileOfClips], list[Frames]]:
    """Returns the files that are videos, and the frames of each."""
    videos, frames, left_out = [], [], []
    for file, found in zip(files, find_all_frames([os.fspath(file.path) for file in files]), strict=True):
        if isinstance(found, Frames):
            videos.append(file)
            frames.append(found)
        elif file.optional:
            left_out.append(str(found))
        else:
            raise ConfigError(str(found))
    if not videos:
        raise ConfigError(f"none of the {len(files)} files is a video that can be read: {left_out[0]}")
    if left_out:
        logger.warning("%d files are left out: %s ...", len(left_out), left_out[0])
    return videos, frames


def _part(file: FileOfClips, frames: Frames) -> tuple[int, int]:
    first, end = (0, frames.count) if file.part is None else file.part(frames)
    return max(first, 0), min(end, frames.count)


def frames_within(numbers: np.ndarray, end: int, pad: str) -> np.ndarray:
    """Replaces numbers of frames below 0, and from `end` on, as `pad` says; -1 stands for no frame. `end` is above 0."""
    if pad == "edge":
        return numbers.clip(0, end - 1)
    if pad in ("reflect_1001", "reflect_101"):
        if end == 1:
            return np.zeros_like(numbers)
        twice = pad == "reflect_1001"
        period = 2 * end - (0 if twice else 2)
        places = numbers % period
        return np.where(places < end, places, period - twice - places).astype(numbers.dtype)
    return np.where((numbers >= 0) & (numbers < end), numbers, -1)
