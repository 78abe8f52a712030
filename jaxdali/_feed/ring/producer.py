"""The interface of what fills a feed's slots: worker processes, or the calling thread."""

from __future__ import annotations

from typing import Protocol

from jaxdali.errors import SampleOrigin
from .failure_report import Failure
from .served_source import ServedSource

__all__ = ["Decoding", "Producer", "Whereabouts"]


class Whereabouts(Protocol):
    """Knows what those do who fill the slots, for waits that take long."""

    def count(self) -> tuple[int, int]: ...
    def look(self) -> None: ...
    def holdup(self, served: ServedSource, slot: int | None) -> str: ...


class Decoding(Protocol):
    """What a producer decodes, and by how many.

    Attributes:
        kinds: formats of images, "videos", "sounds", as far as it is known.
        at_once: how many files or clips are decoded at a time.
        processes: how many worker processes there are.
        threads: how many threads of the user's process decode; 1: none but that which runs the source.
        actors: how many processes on other machines run the sources; 0: those here do.
    """

    kinds: set[str]
    actors: int

    @property
    def at_once(self) -> int: ...
    @property
    def processes(self) -> int: ...
    @property
    def threads(self) -> int: ...


class Producer(Protocol):
    """Fills the slots: `WorkerPool`, which several feeds share, or `InlineProducer`.

    Attributes:
        waits: others do the work while this thread waits.
        whereabouts: what others do while this thread waits.
        begun: an interrupt broke a batch off after the source had given its data; finishing it does not ask the source.
    """

    waits: bool

    @property
    def decoding(self) -> Decoding: ...

    @property
    def whereabouts(self) -> Whereabouts: ...

    @property
    def begun(self) -> bool: ...

    @property
    def pids(self) -> dict[int, int]: ...
    def start(self) -> None: ...
    def breaks(self, served: ServedSource, slot: int | None) -> bool: ...
    def work(self, served: ServedSource, slot: int | None) -> None: ...
    def look(self) -> None: ...
    def failure(self, served: ServedSource, slot: int, chunk: int, ticket: int) -> Failure: ...
    def original(self, failure: Failure, origin: SampleOrigin) -> BaseException | None: ...
    def worker_of(self, owner: int) -> tuple[int | None, int | None]: ...
    def lost(self, served: ServedSource) -> bool: ...
    def recover(self) -> None: ...
    def close(self) -> None: ...
