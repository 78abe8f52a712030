"""Files that are read whole, of which some are objects elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ..storage import Ahead, ByteRange, Cache, is_remote
from .direct import Own
from .files import read_file

__all__ = ["Files", "WholeFiles"]


class WholeFiles:
    """The files of a source, a sample each.

    Args:
        path_of: the path of a sample's file, by its index.
        remote: whether some of them are objects elsewhere.
        cache: keeps those; None: nothing does.
        byte_ranges: of an object what will be read; None: all of it.
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
        """All of file `index`.

        Raises:
            OSError: it cannot be read; names it.
        """
        path = self._path_of(index)
        return self.fetch(ByteRange(path, 0, None)) if is_remote(path) else read_file(path)

    def fetch(self, byte_range: ByteRange) -> bytes:
        """A part of an object, which may be there already. Raises as `Ahead.read`."""
        return self._ahead.read(byte_range)

    def is_remote(self, index: int) -> bool:
        """Whether file `index` is an object elsewhere."""
        return self.remote and is_remote(self._path_of(index))

    def ahead(self) -> Ahead | None:
        """What fetches objects before they are read, of this process; None: no file is one."""
        return self._ahead if self.remote else None

    @property
    def _ahead(self) -> Ahead:
        return self._own.of(lambda: Ahead(self._byte_ranges_of, self._cache))

    def _byte_ranges_of(self, index: int) -> Iterator[ByteRange]:
        if is_remote(path := self._path_of(index)):
            yield from [ByteRange(path, 0, None)] if self._byte_ranges is None else self._byte_ranges(path)


class Files:
    """Files or objects as a map-style source: `data[i]` is all that is in one.

    Args:
        paths: of them.
    """

    def __init__(self, paths: Sequence[str]):
        self.paths = paths
        self._files = WholeFiles(self.source_info, any(map(is_remote, paths)), None)

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, index: int) -> bytes:
        return self._files.read(index)

    def source_info(self, index: int) -> str:
        """The path of file `index`."""
        return self.paths[index]
