"""Locates the records of some files, and reads any of them by its byte range, in any order."""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from jaxdali.errors import ConfigError, SourceDataError
from ..storage.cache import ByteRange, Cache
from ..storage.read_ahead import Ahead
from ..storage.remote_objects import stat_objects
from ..storage.urls import is_remote
from .safe_open import open_regular

__all__ = ["Records"]

# How many files one process keeps open for each of its readers.
_MOST_OPEN = 32


class Records:
    """The byte ranges of the records of some files, in little memory: each worker gets a copy of millions of them.

    Args:
        paths: the paths of the files.
        ranges: for each file, the offsets and sizes of its records in bytes, `int64[n, 2]`.
        cache: keeps what is read from remote objects; None: no cache.

    Attributes:
        bounds: `int64[len(paths) + 1]`: file k has the records `bounds[k]` to `bounds[k + 1]`.

    Raises:
        ConfigError: there is no record at all, or an offset or a size is negative.
        OSError: a remote object does not exist.
    """

    def __init__(self, paths: Sequence[str], ranges: Sequence[np.ndarray], cache: Cache | None = None):
        self.paths = list(paths)
        self._ranges = np.concatenate([np.zeros((0, 2), np.int64), *(np.asarray(one, np.int64) for one in ranges)])
        self.bounds = np.cumsum([0, *map(len, ranges)], dtype=np.int64)
        if not len(self._ranges):
            raise ConfigError(f"{_named(self.paths)} hold no record; expected at least one")
        if (self._ranges < 0).any():
            bad = int(np.argmax((self._ranges < 0).any(axis=1)))
            path = self.paths[int(np.searchsorted(self.bounds, bad, "right")) - 1]
            raise ConfigError(
                f"the index of {path} has a record at {self._ranges[bad].tolist()}; expected numbers that are not negative"
            )
        self._open: OrderedDict[int, int] = OrderedDict()
        self._cache = cache
        remote = [file for file, path in enumerate(self.paths) if is_remote(path)]
        # The size and the version of each remote object.
        self._remote = dict(zip(remote, stat_objects([self.paths[file] for file in remote]), strict=True))
        self._ahead: Ahead | None = None

    @property
    def remote(self) -> bool:
        """Whether some of the files are remote objects."""
        return bool(self._remote)

    def __len__(self) -> int:
        return len(self._ranges)

    def range_of(self, index: int) -> tuple[str, int, int]:
        """Returns path, offset and size of record `index`."""
        offset, size = self._ranges[index].tolist()
        return self.paths[self._file_of(index)], offset, size

    def source_info(self, index: int) -> str:
        """Returns what errors call record `index`."""
        path, offset, _ = self.range_of(index)
        return f"{path} at byte {offset}"

    def name_of(self, index: int) -> str:
        """Returns what DALI calls record `index`."""
        path, offset, _ = self.range_of(index)
        return f"{path} at index {offset}"

    def digest(self) -> str:
        """Returns a hash of where the records are."""
        found = hashlib.sha256("\0".join(self.paths).encode(errors="surrogateescape"))
        found.update(self.bounds.tobytes() + self._ranges.tobytes())
        return found.hexdigest()

    @property
    def where(self) -> tuple[list[bytes], np.ndarray, np.ndarray]:
        """The arguments of `_host`'s readers: paths as bytes, ranges `int64[n, 2]`, and bounds `int64[files + 1]`."""
        return [os.fsencode(path) for path in self.paths], self._ranges, self.bounds

    def read(self, index: int) -> bytes:
        """Returns the bytes of record `index`. Never takes more memory than the file has bytes.

        Raises:
            SourceDataError: the file ends before the record does.
            OSError: the file cannot be read, or is not a regular file.
        """
        offset, size = self._ranges[index].tolist()
        return self.read_at(self._file_of(index), offset, size)

    def read_at(self, file: int, offset: int, size: int) -> bytes:
        """Returns `size` bytes of file `file` from `offset` on. Raises as `read`."""
        descriptor = self._descriptor(file) if file not in self._remote else -1
        there = os.fstat(descriptor).st_size if descriptor >= 0 else self._remote[file][0]
        if offset + size > there:
            raise SourceDataError(
                f"{self.paths[file]} has {there} bytes, but its index says that a record is at bytes {offset} to "
                f"{offset + size}; the file is cut off, or the index belongs to another file: `jaxdali index` remakes it"
            )
        if descriptor < 0:
            return self.ahead().read(ByteRange(self.paths[file], offset, size, self._remote[file][1]))
        found = os.pread(descriptor, size, offset)
        while len(found) < size:
            more = os.pread(descriptor, size - len(found), offset + len(found))
            if not more:
                raise SourceDataError(f"{self.paths[file]} became shorter while it was read, at byte {offset}")
            found += more
        return found

    def read_before(self, index: int, size: int) -> bytes | None:
        """Returns the `size` bytes before record `index`, fewer near the beginning of the file, or None if the file is a
        remote object. Raises as `read`.
        """
        file, offset = self._file_of(index), int(self._ranges[index, 0])
        if file in self._remote:
            return None
        return self.read_at(file, max(offset - size, 0), min(offset, size))

    def ahead(self, each: int = 1, records_of: Callable[[int], tuple[int, int]] | None = None) -> Ahead:
        """Returns this process's `Ahead`, which fetches records before they are read. Each sample has `each` records, or
        those that `records_of` says: the first one, and how many.
        """
        if self._ahead is None:
            found = records_of or (lambda sample: (sample * each, each))
            self._ahead = Ahead(lambda sample: self._byte_ranges_of(*found(sample)), self._cache)
        return self._ahead

    def _byte_ranges_of(self, first: int, count: int) -> Iterator[ByteRange]:
        for index in range(first, first + count):
            file = self._file_of(index)
            if file in self._remote:
                offset, size = self._ranges[index].tolist()
                there, version = self._remote[file]
                # A range beyond the end is reported when it is read.
                if offset + size <= there:
                    yield ByteRange(self.paths[file], offset, size, version)

    def _file_of(self, index: int) -> int:
        # A negative index counts from the end, as it does in `_ranges`.
        return int(np.searchsorted(self.bounds, index + len(self) if index < 0 else index, "right")) - 1

    def _descriptor(self, file: int) -> int:
        if (found := self._open.get(file)) is not None:
            self._open.move_to_end(file)
            return found
        if len(self._open) >= _MOST_OPEN:
            os.close(self._open.popitem(last=False)[1])
        found = self._open[file] = open_regular(self.paths[file])
        return found

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_open": OrderedDict(), "_ahead": None}

    # `close` is bound as a default: when the interpreter ends, the module `os` may be gone before this object.
    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        for descriptor in getattr(self, "_open", {}).values():
            close(descriptor)


def _named(paths: Sequence[str]) -> str:
    return ", ".join(paths[:3]) + (f" and {len(paths) - 3} more files" if len(paths) > 3 else "") or "no files"
