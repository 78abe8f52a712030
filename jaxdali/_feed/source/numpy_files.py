"""NumPy's .npy files, one array each, as a map-style source."""

from __future__ import annotations

import dataclasses
import fnmatch
import functools
import hashlib
import os
import re
from collections.abc import Iterator, Sequence

import numpy as np

from jaxdali._base.dtypes import from_numpy_type
from jaxdali.errors import ConfigError, SourceDataError
from .. import _host
from ..records.npy import LEAST_HEADER, Memory, begins_npy, clamped, read_npy
from ..records.safe_open import Opened
from ..storage.cache import ByteRange, make_cache
from ..storage.read_ahead import Ahead
from ..storage.remote_objects import list_folders
from ..storage.urls import absolute, is_remote, joined
from .direct import Direct, Own
from .file_format import FileFormat
from .file_reading import Path
from .record_source import Fetched
from .whole_files import WholeFiles

__all__ = ["NumpyFiles", "Window", "find_arrays"]

POLICIES = ("error", "pad", "trim_to_shape")


@dataclasses.dataclass(frozen=True)
class Window:
    """The part to read of each array.

    Attributes:
        axes: the axes that the other attributes describe; empty: all.
        start, end, shape: a number for each of these axes, or one for all; None: not given.
        rel_start, rel_end, rel_shape: whether these numbers are fractions of the array's extents.
        policy: what happens if the part extends beyond the array: "error", "pad" with `fill`, or "trim_to_shape".
    """

    axes: tuple[int, ...] = ()
    start: tuple[float, ...] | None = None
    end: tuple[float, ...] | None = None
    shape: tuple[float, ...] | None = None
    rel_start: bool = False
    rel_end: bool = False
    rel_shape: bool = False
    policy: str = "error"
    fill: float = 0.0

    def bounds(self, extents: Sequence[int]) -> tuple[list[int], list[int]]:
        """Returns where the part begins and ends on each axis of an array, which may be outside of it. Raises
        SourceDataError if the window does not fit the array's axes.
        """
        axes = [self._axis(axis, len(extents)) for axis in self.axes] or list(range(len(extents)))
        if len(set(axes)) < len(axes):
            raise SourceDataError(f"roi_axes={list(self.axes)} names an axis twice")
        starts, stops = [0] * len(extents), list(extents)
        given = [self._each(name, getattr(self, name), len(axes)) for name in ("start", "end", "shape")]
        for byte_range, axis in enumerate(axes):
            extent = np.float32(extents[axis])
            first, end, size = (None if one is None else np.float32(one[byte_range]) for one in given)
            begin = np.float32(0) if first is None else first * extent if self.rel_start else first
            starts[axis] = _rounded(begin)
            if end is not None:
                stops[axis] = _rounded(end * extent if self.rel_end else end)
            elif size is not None:
                stops[axis] = _rounded(begin + size * extent) if self.rel_shape else starts[axis] + int(size)
            if stops[axis] < starts[axis]:
                raise SourceDataError(f"the region begins at {starts[axis]} and ends at {stops[axis]} on axis {axis}")
        return starts, stops

    @staticmethod
    def _axis(axis: int, axes: int) -> int:
        if not -axes <= axis < axes:
            raise SourceDataError(f"roi_axes names axis {axis} of an array that has {axes} axes")
        return axis % axes

    @staticmethod
    def _each(name: str, values: tuple[float, ...] | None, axes: int) -> tuple[float, ...] | None:
        if values is None or len(values) == axes:
            return values
        if len(values) == 1:
            return values * axes
        raise SourceDataError(f"the region has {len(values)} values for its {name}, expected {axes}, one for each axis")


class NumpyFiles(Fetched):
    """Arrays from .npy files: `data[i]` is the array in file i, or a part of it. Pickles are not read.

    Args:
        files: paths, or URLs. For URLs, the bytes from the part's first to its last number are read; if arrays differ
            in shape, after the header of each has come.
        window: the part to read; None: the whole array.
        cache_dir, cache_bytes: a folder that caches objects read from URLs, and its limit in bytes (16 GiB by default).
            All processes that name the same folder share it. An object is taken to be unchanged as long as its name is.

    Raises:
        ConfigError: there is no file, or a policy is none of DALI's. `data[i]` raises OSError if a file cannot be read,
            and SourceDataError if it is not an array of numbers, is truncated, or does not contain the part.

    Example:
        >>> import numpy as np, tempfile
        >>> from jaxdali import source
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     np.save(f"{folder}/a.npy", np.arange(3))
        ...     source.NumpyFiles([f"{folder}/a.npy"])[0]
        array([0, 1, 2])
    """

    _format = FileFormat("NumPy", r"\.npy$", begins_npy, 6)
    # Each sample is a file of its own.
    bounds = None

    def __init__(
        self,
        files: Sequence[Path],
        window: Window | None = None,
        *,
        cache_dir: Path | None = None,
        cache_bytes: int | None = None,
    ):
        if not files:
            raise ConfigError("No files found; expected at least one .npy file")
        if window is not None and window.policy not in POLICIES:
            raise ConfigError(f"out_of_bounds_policy must be one of {', '.join(POLICIES)}, got {window.policy!r:.80}")
        self.files, self.window = [_checked(os.fspath(file)) for file in files], window
        remote, byte_ranges = any(map(is_remote, self.files)), None if window is None else self._byte_ranges_of
        self._whole = WholeFiles(self.source_info, remote, make_cache(cache_dir, cache_bytes), byte_ranges)
        # Offset and size of the part of the last object.
        self._part = Own[list[int]]()
        self._memory = Memory()
        self._own = Own[_host.NpyRows]()

    def _paths_shown(self) -> Sequence[str]:
        return self.files

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> np.ndarray:
        return self._read(index, None)

    def _read(self, index: int, memory: Memory | None) -> np.ndarray:
        path, window = self.files[index], self.window
        remote = self._whole.is_remote(index)
        if window is None:
            return read_npy(path, None, memory, self._whole.read(index) if remote else None)
        content = self._in_parts(path) if remote else None
        asked: list[tuple[tuple[int, ...], _Region]] = []

        def within(shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
            starts, stops, inside = region = _region(window, shape)
            if window.policy == "error" and (starts, stops) != inside:
                raise SourceDataError(
                    f"{path}: the region from {list(starts)} to {list(stops)} extends beyond the array, {list(shape)}; see "
                    "out_of_bounds_policy"
                )
            asked.append((shape, region))
            return inside

        array = read_npy(path, within, memory, content)
        ((shape, region),) = asked
        self._learn(window, array.dtype, shape, region)
        starts, stops, inside = region
        return (
            array
            if window.policy != "pad" or (starts, stops) == inside
            else _padded(path, array, starts, stops, window.fill)
        )

    def _in_parts(self, path: str) -> Opened:
        """Opens a remote object so that only its header and the wanted part are fetched."""

        def read(size: int, offset: int) -> bytes:
            if offset:
                self._part.of(list)[:] = [offset, size]
                return self._whole.fetch(ByteRange(path, offset, size))
            try:
                return self._whole.fetch(ByteRange(path, 0, LEAST_HEADER))
            except SourceDataError:  # the object is shorter than that
                return self._whole.fetch(ByteRange(path, 0, None))

        return Opened(-1, read, lambda _to, _offset: 0)

    def _byte_ranges_of(self, path: str) -> Iterator[ByteRange]:
        """Yields what will be read of an object, if it is like the last one."""
        yield ByteRange(path, 0, LEAST_HEADER)
        if part := self._part.of(list):
            offset, size = part
            yield ByteRange(path, offset, size)

    def row(self, index: int) -> tuple[np.ndarray]:
        """Returns a reader's outputs for file `index`. The next call may overwrite them."""
        return (self._read(index, self._memory),)

    def ahead(self) -> Ahead | None:
        return self._whole.ahead()

    def direct(self) -> Direct | None:
        """Returns a native function that writes arrays into slots, for readers. It handles a window once
        an array of the same type and shape has been read in Python.
        """
        return None if self._whole.remote else self._rows.write

    @property
    def _rows(self) -> _host.NpyRows:
        return self._own.of(lambda: _host.NpyRows([os.fsencode(file) for file in self.files], self.window is None))

    def _learn(self, window: Window, dtype: np.dtype, shape: tuple[int, ...], region: _Region) -> None:
        starts, stops, (first, last) = region
        dims = [stop - start for start, stop in zip(first, last, strict=True)]
        before, fill = [0] * len(shape), b""
        if window.policy == "pad":
            wanted = [stop - start for start, stop in zip(starts, stops, strict=True)]
            before = [max(inside - start, 0) for inside, start in zip(first, starts, strict=True)]
            before = [min(one, room - size) for one, room, size in zip(before, wanted, dims, strict=True)]
            fill = b"" if dims == wanted else np.asarray(window.fill, np.float64).astype(dtype).tobytes()
            dims = wanted
        self._rows.learn(int(from_numpy_type(dtype)), shape, first, last, before, dims, fill)

    def source_info(self, index: int) -> str:
        """Returns the path of file `index`."""
        return self.files[index]

    def digest(self) -> str:
        """Returns a hash of what is read."""
        text = "\0".join([*self.files, repr(self.window)])
        return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()


def _checked(path: str) -> str:
    return absolute(path) if is_remote(path) or "\0" in path else path


_Region = tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, ...], tuple[int, ...]]]


@functools.lru_cache(maxsize=256)
def _region(window: Window, shape: tuple[int, ...]) -> _Region:
    """Returns where a window begins and ends, and its part within the array. Cached: most datasets have few shapes."""
    starts, stops = window.bounds(shape)
    first, last = clamped(starts, stops, shape)
    return tuple(starts), tuple(stops), (tuple(first), tuple(last))


def _padded(path: str, array: np.ndarray, starts: Sequence[int], stops: Sequence[int], fill: float) -> np.ndarray:
    extents = [stop - start for start, stop in zip(starts, stops, strict=True)]
    if np.prod(extents, dtype=object) * array.itemsize > 1 << 34:
        raise SourceDataError(f"{path}: a region of {extents} is too large")
    found = np.full(extents, np.float64(fill).astype(array.dtype), array.dtype)
    if array.size:
        found[
            tuple(slice(max(-start, 0), max(-start, 0) + size) for start, size in zip(starts, array.shape, strict=True))
        ] = array
    return found


def _rounded(value: float | np.floating) -> int:
    return int(np.floor(np.abs(value) + np.float32(0.5)) * np.sign(value))


def find_arrays(root: str, pattern: str) -> list[str]:
    """Returns the files directly in a folder whose names match, sorted, then those in its direct sub-folders, as DALI does.

    Raises:
        OSError: a folder cannot be read.
    """
    matches = re.compile(fnmatch.translate(pattern)).match
    if is_remote(root):
        (top,) = list_folders([root])
        below = [joined(root, name) for name in top.folders]
        listed = zip([root, *below], [top, *list_folders(below)], strict=True)
        return [joined(folder, name) for folder, listing in listed for name in listing.files if matches(name)]
    found, folders = [], []
    with os.scandir(root) as entries:
        for entry in entries:
            if entry.is_dir():
                folders.append(entry.path)
            elif matches(entry.name) and entry.is_file():
                found.append(entry.path)
    found.sort()
    for folder in sorted(folders):
        with os.scandir(folder) as entries:
            found += sorted(entry.path for entry in entries if matches(entry.name) and entry.is_file())
    return found
