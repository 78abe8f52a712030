"""Reads files as a whole; some of them may be remote objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ..storage.cache import ByteRange, Cache
from ..storage.read_ahead import Ahead
from ..storage.urls import is_remote
from .direct import Own
from .file_reading import read_file

__all__ = ["Files", "WholeFiles"]


class WholeFiles:
    """The files of a source, one per sample.

    Args:
        path_of: returns the path of a sample's file, by the sample's index.
        remote: whether some of the files are remote objects.
        cache: keeps what is read from remote objects; None: no cache.
        byte_ranges: returns what will be read of an object; None: all of it.
    """

    def __init__(
        self,
        path_of: Callable[[int], str],
        remote: bool,
        cache: Cache | None,
        byte_ranges: Callable[[str], Iterable[ByteRange]] | None = None,
    ):
        self.remote = remote
        self._path_of, self._cache, self._byte_ranges = path_of, cache, byte_ranges
        self._own = Own[Ahead]()

    def read(self, index: int) -> bytes:
        """Returns the contents of file `index`.

        Raises:
            OSError: the file cannot be read. Names it.
        """
        path = self._path_of(index)
        return self.fetch(ByteRange(path, 0, None)) if is_remote(path) else read_file(path)

    def fetch(self, byte_range: ByteRange) -> bytes:
        """Returns a part of an object, which may have been fetched already. Raises as `Ahead.read`."""
        return self._ahead.read(byte_range)

    def is_remote(self, index: int) -> bool:
        """Whether file `index` is a remote object."""
        return self.remote and is_remote(self._path_of(index))

    def ahead(self) -> Ahead | None:
        """Returns this process's `Ahead`, which fetches objects before they are read; None if all files are local."""
        return self._ahead if self.remote else None

    @property
    def _ahead(self) -> Ahead:
        return self._own.of(lambda: Ahead(self._byte_ranges_of, self._cache))

    def _byte_ranges_of(self, index: int) -> Iterator[ByteRange]:
        if is_remote(path := self._path_of(index)):
            yield from [ByteRange(path, 0, None)] if self._byte_ranges is None else self._byte_ranges(path)


class Files:
    """Files or objects as a map-style source: `data[i]` is the contents of one.

    Args:
        paths: their paths or URLs.
    """

    def __init__(self, paths: Sequence[str]):
        self.paths = paths
        self._files = WholeFiles(self.source_info, any(map(is_remote, paths)), None)

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, index: int) -> bytes:
        return self._files.read(index)

    def source_info(self, index: int) -> str:
        """Returns the path of file `index`."""
        return self.paths[index]
