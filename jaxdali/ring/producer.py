"""Who fills the slots of a feed."""

from __future__ import annotations

from typing import Protocol

from ..errors import SampleOrigin
from .failure_report import Failure
from .served_source import ServedSource

__all__ = ["Producer"]


class Producer(Protocol):
    """Who fills the slots: `WorkerPool`, which several feeds share, or `InlineProducer`.

    Attributes:
        waits: others do the work while we wait.
        broken: no more batches come before `recover`; `work` raises.
        begun: an interrupt broke a batch off when the source had given its data: it comes without asking it again.
    """

    waits: bool

    @property
    def begun(self) -> bool: ...

    @property
    def broken(self) -> bool: ...

    @property
    def pids(self) -> dict[int, int]: ...
    def start(self) -> None: ...
    def work(self, slot: int | None) -> None: ...
    def look(self) -> None: ...
    def failure(self, served: ServedSource, slot: int, chunk: int, ticket: int) -> Failure: ...
    def original(self, failure: Failure, origin: SampleOrigin) -> BaseException | None: ...
    def worker_of(self, owner: int) -> tuple[int | None, int | None]: ...
    def lost(self, served: ServedSource) -> bool: ...
    def recover(self) -> None: ...
    def close(self) -> None: ...
