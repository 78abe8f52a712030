"""Files that are read whole, of which some are objects elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..storage import Ahead, Cache, Place, is_remote
from .direct import Own
from .files import read_file

__all__ = ["WholeFiles"]


class WholeFiles:
    """The files of a source, a sample each.

    Args:
        path_of: the path of a sample's file, by its index.
        remote: whether some of them are objects elsewhere.
        cache: keeps those; None: nothing does.
    """

    def __init__(self, path_of: Callable[[int], str], remote: bool, cache: Cache | None):
        self.remote = remote
        self._path_of, self._cache = path_of, cache
        self._own = Own[Ahead]()

    def read(self, index: int) -> bytes:
        """All of file `index`.

        Raises:
            OSError: it cannot be read; names it.
        """
        path = self._path_of(index)
        return self._ahead.read(Place(path, 0, None)) if is_remote(path) else read_file(path)

    def is_remote(self, index: int) -> bool:
        """Whether file `index` is an object elsewhere."""
        return self.remote and is_remote(self._path_of(index))

    def ahead(self) -> Ahead | None:
        """What fetches objects before they are read, of this process; None: no file is one."""
        return self._ahead if self.remote else None

    @property
    def _ahead(self) -> Ahead:
        return self._own.of(lambda: Ahead(self._places_of, self._cache))

    def _places_of(self, index: int) -> Iterator[Place]:
        if is_remote(path := self._path_of(index)):
            yield Place(path, 0, None)
