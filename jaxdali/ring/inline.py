"""No processes: the source is called by whoever waits for its data. Same ring, same slots, same errors."""

from __future__ import annotations

import dataclasses
from typing import Any

from .. import _host
from ..errors import SampleOrigin
from ..source.kinds import EndOfData
from .failure_report import Failure
from .fill import ChunkFailed, fill_chunk
from .served_source import ServedSource
from .worker_loop import DONE, EXHAUSTED, FAILED

__all__ = ["InlineProducer"]

_OWNER = 1


class InlineProducer:
    """Fills slots in the calling thread. What the source raises is raised as it is, with a note of where."""

    waits = False
    broken = False

    def __init__(self, served: ServedSource):
        self._served = dataclasses.replace(served, source=served.source.for_worker(0, 1))
        self._claims = _host.Claimant([served.ring], _OWNER)
        self._claim: tuple[int, ...] | None = None
        self._claiming = False
        self._kept: list[Any] = []
        # The exception itself until it was handed on: it holds frames.
        self._errors: dict[tuple[int, int], tuple[Failure, BaseException | None]] = {}

    @property
    def begun(self) -> bool:
        return bool(self._kept)

    @property
    def pids(self) -> dict[int, int]:
        return {}

    @property
    def divides(self) -> bool:
        """Whether several workers would share the work."""
        return self._served.source.divides

    def start(self) -> None:
        """Nothing to start."""

    def work(self, slot: int | None) -> None:
        """Does the oldest piece of work there is; what an interrupt broke off goes on with the sample that it was at."""
        claim = self._resumed() or self._next()
        if claim is None:
            return
        _, claimed, chunk, ticket = claim[:4]
        state = FAILED
        try:
            if claimed == slot:  # else it was broken off, and is not wanted any more
                fill_chunk(self._served, claim, self._kept)
                state = DONE
        except EndOfData:
            state = EXHAUSTED
        except ChunkFailed as error:
            self._errors[claimed, chunk] = error.failure, error.__cause__ or error
        self._claim, self._kept = None, []
        self._served.ring.finish(claimed, chunk, ticket, _OWNER, state)

    def _next(self) -> tuple[int, ...] | None:
        """Claims what is oldest."""
        if not self._served.source.wait():
            return None
        if self._claiming:
            # An interrupt came between a claim and its note, and a younger one would be next.
            for lost, chunk in self._served.ring.owned_by(_OWNER):
                self._served.ring.reopen(lost, chunk, _OWNER)
        self._claiming = True
        self._claim = self._claims.next(0.0)
        self._claiming = False
        return self._claim

    def _resumed(self) -> tuple[int, ...] | None:
        if self._claim is None:
            return None
        slot, chunk = self._claim[1:3]
        at = self._served.ring.chunk_info(slot)[chunk][-1]
        return *self._claim[:-2], at, self._claim[-1]

    def look(self) -> None:
        """Does nothing: there are no workers."""

    def failure(self, served: ServedSource, slot: int, chunk: int, ticket: int) -> Failure:
        return self._errors[slot, chunk][0]

    def original(self, failure: Failure, origin: SampleOrigin) -> BaseException | None:
        """The exception itself, where the source raised it."""
        error = self._errors[failure.slot, failure.chunk][1] if failure.kind == "raised" else None
        note = f"raised by the source of {origin}"
        if error is not None and note not in getattr(error, "__notes__", ()):
            error.add_note(note)
        # No call from here on: an interrupt has this done once more, or the error is with the feed.
        self._errors[failure.slot, failure.chunk] = failure, None
        return error

    def worker_of(self, owner: int) -> tuple[int | None, int | None]:
        return None, None

    def lost(self, served: ServedSource) -> bool:
        """Nothing can have died."""
        return False

    def recover(self) -> None:
        """Nothing can have died."""

    def close(self) -> None:
        self._served.ring.close()
