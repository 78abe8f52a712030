"""No processes: the source is called by whoever waits for its data. Same ring, same slots, same errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .. import _host
from ..errors import SampleOrigin
from ..source.kinds import EndOfData, SampleSource
from .columns import Column
from .protocol import Failure
from .serve import DONE, FAILED, STOPPED, ChunkFailed, fill_chunk

__all__ = ["InlineProducer"]

_OWNER = 1


class InlineProducer:
    """Fills slots in the calling thread. What the source raises is raised as it is, with a note of where."""

    waits = False
    broken = False
    pids: ClassVar[dict[int, int]] = {}

    def __init__(self, ring: _host.Ring, sources: Sequence[SampleSource], columns: Sequence[Column]):
        self._ring = ring
        self._sources = sources
        self._columns = columns
        self._claim: tuple[int, ...] | None = None
        self._errors: dict[tuple[int, int, int], tuple[Failure, BaseException]] = {}

    def start(self) -> None:
        """Nothing to start."""

    def work(self, slot: int) -> None:
        """Does the oldest piece of work there is; what an interrupt broke off is done again."""
        claim = self._claim or self._ring.await_claim(_OWNER, 0.0)
        if claim is None:
            return
        self._claim = claim
        claimed, chunk, ticket = claim[:3]
        state = FAILED
        try:
            if claimed == slot:  # else it was broken off, and is not wanted any more
                fill_chunk(self._ring, claim, self._sources, self._columns)
                state = DONE
        except EndOfData:
            state = STOPPED
        except ChunkFailed as error:
            self._errors[claimed, chunk, ticket] = error.failure, error.__cause__ or error
        self._claim = None
        self._ring.finish(claimed, chunk, ticket, _OWNER, state)

    def failure(self, slot: int, chunk: int, ticket: int) -> Failure:
        return self._errors[slot, chunk, ticket][0]

    def original(self, failure: Failure, origin: SampleOrigin) -> BaseException | None:
        """The exception itself, where the source raised it."""
        error = self._errors.pop((failure.slot, failure.chunk, failure.ticket))[1]
        if failure.kind != "raised":
            return None
        error.add_note(f"raised by the source of {origin}")
        return error

    def worker_of(self, owner: int) -> tuple[int | None, int | None]:
        return None, None

    def close(self) -> None:
        self._ring.close()
