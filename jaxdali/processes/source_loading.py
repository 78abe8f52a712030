"""What a fresh interpreter makes of a payload: sources, or words for the parent why there are none."""

from __future__ import annotations

import dataclasses
import json
import mmap
import os
import pickle
from collections.abc import Iterator
from typing import Any

from ..ring.failure_report import exception_texts
from .jax_watch import JaxWatch

__all__ = ["READ_SETUP", "Loaded", "PayloadReader", "load_sources", "unusable"]

# How the command of a fresh interpreter reads the setup `s` of the payload `f`, up to byte `n`, before it has jaxdali.
READ_SETUP = "n=8+int.from_bytes(os.pread(f,8,0),'little');s=json.loads(os.pread(f,n-8,8))"


class PayloadReader:
    """Reads what `write_payload` wrote.

    Args:
        fd: the memory file; all readers share one, so it is mapped rather than read, which would move its position.
        offset: where the setup ends.

    Attributes:
        shared: what is not the user's.
        descriptions: one per source.
    """

    def __init__(self, fd: int, offset: int):
        self._file = mmap.mmap(fd, 0, prot=mmap.PROT_READ)
        self._file.seek(offset)
        self._stream = pickle.Unpickler(self._file, buffers=_map_large(fd))
        self.shared, self.descriptions = self._stream.load()

    def sources(self) -> Iterator[Any]:
        """Loads one source after the other. Raises whatever the user's code does on import."""
        with self._file:
            pickler = self._stream.load()
            for _ in self.descriptions:
                value = self._stream.load()
                yield value if pickler is None else pickler.loads(value)


def _map_large(fd: int) -> Iterator[mmap.mmap]:
    """The contents of large arrays, one after the other. What is written into one stays in this process."""
    end = os.fstat(fd).st_size - 8
    length = int.from_bytes(os.pread(fd, 8, end), "little")
    for offset, size in json.loads(os.pread(fd, length, end - length)):
        yield mmap.mmap(fd, size, access=mmap.ACCESS_COPY, offset=offset)


@dataclasses.dataclass
class Loaded:
    """A payload's content.

    Attributes:
        shared: what is not the user's.
        sources: None: they could not be loaded.
        messages: for the parent, from every worker that uses this.
        watch: has looked after each source.
    """

    shared: Any
    sources: list[Any] | None
    messages: list[dict[str, Any]]
    watch: JaxWatch


def load_sources(fd: int, offset: int) -> Loaded:
    """Loads all sources. Whatever a user's module does on import ends here, as a message."""
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
    """The message that this process has no sources."""
    texts = exception_texts(error)
    if isinstance(error, ImportError | AttributeError):
        texts["message"] += (
            ". A source refers to functions and classes of modules by name, and a worker must find them there. If they "
            "exist in the parent process only: install the module, or put its folder on sys.path before the workers "
            "start, or send functions by value with @jaxdali.pickling.pickle_by_value and whole modules with "
            "cloudpickle.register_pickle_by_value(module)"
        )
    return {"type": "unusable", **texts}
