"""Files that are read whole, of which some are objects elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

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
        places: of an object what will be read; None: all of it.
    """

    def __init__(
        self,
        path_of: Callable[[int], str],
        remote: bool,
        cache: Cache | None,
        places: Callable[[str], Iterable[Place]] | None = None,
    ):
        self.remote = remote
        self._path_of, self._cache, self._places = path_of, cache, places
        self._own = Own[Ahead]()

    def read(self, index: int) -> bytes:
        """All of file `index`.

        Raises:
            OSError: it cannot be read; names it.
        """
        path = self._path_of(index)
        return self.fetch(Place(path, 0, None)) if is_remote(path) else read_file(path)

    def fetch(self, place: Place) -> bytes:
        """A part of an object, which may be there already. Raises as `Ahead.read`."""
        return self._ahead.read(place)

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
            yield from [Place(path, 0, None)] if self._places is None else self._places(path)
