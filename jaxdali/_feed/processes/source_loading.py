"""Loads sources from a payload in a fresh interpreter, or makes a message for the parent that says why it cannot."""

from __future__ import annotations

import dataclasses
import json
import mmap
import os
import pickle
from collections.abc import Iterator, Sequence
from typing import Any

from ..ring.failure_report import exception_texts
from .jax_watch import JaxWatch

__all__ = ["READ_SETUP", "Loaded", "PayloadReader", "Shared", "load_sources", "unusable"]

# How the command of a fresh interpreter reads the setup `s` of payload `f`, up to byte `n`, before jaxdali is
# importable.
READ_SETUP = "n=8+int.from_bytes(os.pread(f,8,0),'little');s=json.loads(os.pread(f,n-8,8))"


@dataclasses.dataclass(frozen=True)
class Shared:
    """What a pool's processes know besides its sources.

    Attributes:
        columns: those of each source.
        settings: of a `WorkerProgram`.
    """

    columns: Sequence[Any]
    settings: Any = None


class PayloadReader:
    """Reads what `write_payload` wrote.

    Args:
        fd: the memory file. It is mapped, not read: all readers share the descriptor, and reading would move its
            position.
        offset: where the setup ends.

    Attributes:
        shared: the pool's `Shared`.
        descriptions: one per source.
    """

    def __init__(self, fd: int, offset: int):
        self._file = mmap.mmap(fd, 0, prot=mmap.PROT_READ)
        self._file.seek(offset)
        self._stream = pickle.Unpickler(self._file, buffers=_map_large(fd))
        self.shared, self.descriptions = self._stream.load()

    def sources(self) -> Iterator[Any]:
        """Loads the sources one by one. Raises whatever the user's code raises on import."""
        with self._file:
            pickler = self._stream.load()
            for _ in self.descriptions:
                value = self._stream.load()
                yield value if pickler is None else pickler.loads(value)


def _map_large(fd: int) -> Iterator[mmap.mmap]:
    """Yields the contents of large arrays. Writes to one stay in this process."""
    end = os.fstat(fd).st_size - 8
    length = int.from_bytes(os.pread(fd, 8, end), "little")
    for offset, size in json.loads(os.pread(fd, length, end - length)):
        yield mmap.mmap(fd, size, access=mmap.ACCESS_COPY, offset=offset)


@dataclasses.dataclass
class Loaded:
    """A payload's content.

    Attributes:
        shared: the pool's `Shared`.
        sources: None if they could not be loaded.
        messages: for the parent, from every worker that uses this.
        watch: was asked after each source.
    """

    shared: Shared
    sources: list[Any] | None
    messages: list[dict[str, Any]]
    watch: JaxWatch


def load_sources(fd: int, offset: int) -> Loaded:
    """Loads all sources. Turns any exception that a user's module raises on import into a message."""
    watch, messages, sources = JaxWatch(), [], []
    reader = PayloadReader(fd, offset)
    try:
        for source in reader.sources():
            sources.append(source)
            if message := watch.message(source.description):
                messages.append(message)
    except BaseException as error:
        return Loaded(reader.shared, None, [*messages, unusable(error)], watch)
    return Loaded(reader.shared, sources, messages, watch)


def unusable(error: BaseException) -> dict[str, Any]:
    """Returns the message that says this process has no sources."""
    texts = exception_texts(error)
    if isinstance(error, ImportError | AttributeError):
        texts["message"] += (
            ". A source refers to functions and classes of modules by name, and a worker must find them there. If they "
            "exist in the parent process only: install the module, or put its folder on sys.path before the workers "
            "start, or send functions by value with @jaxdali.pickling.pickle_by_value and whole modules with "
            "cloudpickle.register_pickle_by_value(module)"
        )
    return {"type": "unusable", **texts}
