"""Clips of frames that are images in folders, as a map-style source."""

from __future__ import annotations

import fnmatch
import hashlib
import os
import re
from collections.abc import Iterator, Sequence

import numpy as np

from jaxdali._base.batch import DEFAULT_MAX_IMAGE_PIXELS
from jaxdali._base.formats.image_frames import COLORS, decode_frame
from jaxdali._base.formats.reasons import why_unsupported
from jaxdali.errors import ConfigError, SourceDataError
from .. import _host
from ..storage.cache import ByteRange, make_cache
from ..storage.read_ahead import Ahead
from ..storage.remote_objects import list_folders
from ..storage.urls import absolute, is_remote, joined
from .direct import Own
from .file_format import FileFormat
from .file_reading import Path, read_file
from .folder import EXTENSIONS
from .record_source import Fetched

__all__ = ["FrameClips"]

# The names of a folder's frames, in upper or lower case.
_ENDINGS = re.compile("|".join(fnmatch.translate(f"*{extension}") for extension in EXTENSIONS), re.I)
# Limit on a clip's bytes, which is a slot's.
_MOST_BYTES = 1 << 34


class FrameClips(Fetched):
    """Clips of videos whose frames are stored as images, one folder per video: `data[i]` is
    `uint8[sequence_length, height, width, C]`.

    Frames are the files directly in the folders directly below `root`, in the order of their names, that have the
    extension of an image format jaxdali decodes. A clip never spans two folders, and all clips are full. The frames of
    a clip have one size.

    Args:
        root: a folder, or a URL.
        sequence_length: frames per clip.
        step: the distance from a clip's first frame to the next clip's.
        stride: the distance between the frames of a clip.
        colors: "rgb", "bgr", "gray", or "file" for the channels that the files have.
        cache_dir, cache_bytes: a folder that caches objects read from URLs, and its limit in bytes (16 GiB by default).
            All processes that name the same folder share it. An object is taken to be unchanged as long as its name is.

    Attributes:
        groups: `int64[folders + 1]`: the first clip of each folder, and the end, as a `GroupSampler` takes them.

    Raises:
        ConfigError: an argument is out of range, or no folder has enough frames for a clip.
        OSError: a folder cannot be read. `data[i]` raises it if a file cannot be read, and SourceDataError if an image
            cannot be decoded, or differs in size from the frames before it.
    """

    _format = FileFormat("frames")
    # None: all clips are shuffled together before shards are cut, not folder by folder.
    bounds = None

    def __init__(
        self,
        root: Path,
        sequence_length: int,
        step: int = 1,
        stride: int = 1,
        colors: str = "rgb",
        *,
        cache_dir: Path | None = None,
        cache_bytes: int | None = None,
    ):
        for name, value in (("sequence_length", sequence_length), ("step", step), ("stride", stride)):
            if not isinstance(value, int) or value < 1:
                raise ConfigError(f"{name} must be an integer, at least 1, got {value!r:.80}")
        if colors not in COLORS:
            raise ConfigError(f"colors must be one of {', '.join(COLORS)}, got {colors!r:.80}")
        self.root = absolute(root)
        self.length, self.step, self.stride, self.colors = sequence_length, step, stride, colors
        self.folders, names = [], []
        for folder, found in (_remote_frames if is_remote(self.root) else _frames)(self.root):
            self.folders.append(folder)
            names.append(found)
        self._names = names
        span = 1 + (sequence_length - 1) * stride
        counts = [max((len(found) - span) // step + 1, 0) for found in names]
        self.groups = np.cumsum([0, *counts], dtype=np.int64)
        if not self.groups[-1]:
            most = max(map(len, names), default=0)
            raise ConfigError(
                f"No files found in {self.root!r} for a clip of {sequence_length} frames, {stride} apart: of its "
                f"{len(names)} folders none has {span} images ({most} at most)"
            )
        self._own, self._cache = Own[Ahead](), make_cache(cache_dir, cache_bytes)

    def _paths_shown(self) -> Sequence[str]:
        return [self.root]

    def __len__(self) -> int:
        return int(self.groups[-1])

    def __getitem__(self, index: int) -> np.ndarray:
        if not 0 <= index < len(self):
            raise IndexError(f"index {index} of {len(self)} clips")
        found: np.ndarray | None = None
        for number, path in enumerate(self._paths(index)):
            pixels = self._frame(path)
            if found is None:
                if pixels.nbytes * self.length > _MOST_BYTES:
                    raise SourceDataError(f"{path}: {self.length} frames of {list(pixels.shape)} are too large")
                found = np.empty((self.length, *pixels.shape), np.uint8)
            elif pixels.shape != found.shape[1:]:
                raise SourceDataError(
                    f"{path} is {list(pixels.shape)}, but the first frame of its clip {list(found.shape[1:])}; all frames "
                    "of a clip must have one size and number of channels"
                )
            found[number] = pixels
        assert found is not None
        return found

    decodes = "frames"

    def row(self, index: int) -> tuple[np.ndarray]:
        """Returns a reader's outputs for clip `index`."""
        return (self[index],)

    def _frame(self, path: str) -> np.ndarray:
        content = self._ahead.read(ByteRange(path, 0, None)) if is_remote(path) else read_file(path)
        pixels, status = decode_frame(content, self.colors, DEFAULT_MAX_IMAGE_PIXELS, _host.decode_image)
        if pixels is None:
            why = why_unsupported(content)
            raise SourceDataError(f"{path} cannot be decoded: {status.name}{f', {why}' if why else ''}")
        return pixels

    def _paths(self, index: int) -> Iterator[str]:
        """Yields the paths of the frames of clip `index`."""
        folder = int(np.searchsorted(self.groups, index, side="right")) - 1
        first = (index - int(self.groups[folder])) * self.step
        for name in self._names[folder][first : first + (self.length - 1) * self.stride + 1 : self.stride]:
            yield joined(self.folders[folder], name)

    def ahead(self) -> Ahead | None:
        return self._ahead if is_remote(self.root) else None

    @property
    def _ahead(self) -> Ahead:
        return self._own.of(lambda: Ahead(self._byte_ranges_of, self._cache))

    def _byte_ranges_of(self, index: int) -> Iterator[ByteRange]:
        return (ByteRange(path, 0, None) for path in self._paths(index))

    def direct(self) -> None:
        """Returns None: images are decoded in Python."""
        return None

    def source_info(self, index: int) -> str:
        """Returns the path of the first frame of clip `index`."""
        return next(self._paths(index))

    def digest(self) -> str:
        """Returns a hash of what is read."""
        how = (self.length, self.step, self.stride, self.colors, self.folders, self._names)
        return hashlib.sha256(repr(how).encode(errors="surrogateescape")).hexdigest()


def _is_frame(name: str) -> bool:
    return not name.startswith(".") and _ENDINGS.match(name) is not None


def _frames(root: str) -> Iterator[tuple[str, list[str]]]:
    """Yields each folder and the names of its frames, both in sorted order."""
    with os.scandir(root) as entries:
        folders = sorted(entry.path for entry in entries if not entry.name.startswith(".") and entry.is_dir())
    for folder in folders:
        with os.scandir(folder) as entries:
            yield folder, sorted(entry.name for entry in entries if _is_frame(entry.name) and entry.is_file())


def _remote_frames(root: str) -> Iterator[tuple[str, Sequence[str]]]:
    (top,) = list_folders([root])
    folders = [joined(root, name) for name in top.folders if not name.startswith(".")]
    for folder, listing in zip(folders, list_folders(folders) if folders else [], strict=True):
        yield folder, [name for name in listing.files if _is_frame(name)]
