"""Runs the source without processes, in the thread that waits for its data. Same ring, same slots, same errors."""

from __future__ import annotations

import dataclasses
from typing import Any

from jaxdali._base.formats.format_names import NATIVE
from jaxdali._base.interruptions import left_a_generator
from jaxdali.errors import SampleOrigin, SourceDataError
from .. import _host
from ..source.source_kinds import EndOfData
from .chunk_filling import ChunkFailed, fill_chunk
from .failure_report import Failure, describe_exception
from .served_source import ServedSource, most_decoders, most_threads
from .worker_loop import DONE, EXHAUSTED, FAILED

__all__ = ["InlineProducer"]

_OWNER = 1


class _Feeder:
    """Whoever feeds a source that waits for data. (Other sources run in the waiting thread: no wait of ours.)"""

    def count(self) -> tuple[int, int]:
        """Returns zeros: there are no processes."""
        return 0, 0

    def look(self) -> None:
        """Does nothing: nobody knows where the feeder is."""

    def holdup(self, served: ServedSource, slot: int | None) -> str:
        name = served.columns[0].name
        return f"nothing was fed; another thread is to call feed_input({name!r}, data)"


@dataclasses.dataclass
class _Decoding:
    """See `ring.producer.Decoding`."""

    kinds: set[str]
    elsewhere: int
    most_threads: int
    processes: int = 0
    actors: int = 0

    @property
    def threads(self) -> int:
        return self.most_threads if self.kinds & {*NATIVE} else 1

    @property
    def at_once(self) -> int:
        return max(self.elsewhere, self.threads)


class InlineProducer:
    """Fills slots in the calling thread. What the source raises is raised unchanged, with a note that says where."""

    waits = False
    whereabouts = _Feeder()

    def __init__(self, served: ServedSource):
        self._served = dataclasses.replace(served, source=served.source.for_worker(0, 1))
        self._claims = _host.Claimant([served.ring], _OWNER)
        self._claim: tuple[int, ...] | None = None
        self._claiming = False
        self._kept: list[Any] = []
        self.decoding = _Decoding({served.source.decodes} - {""}, most_decoders([served]), most_threads(served))
        # What broke the user's generator off in the piece of work that is resumed. While it is not known whether a call of
        # the source was broken off, it may have been: a second interrupt may come before the first one is looked at.
        self._ended_by = ""
        self._is_called = False
        # Holds the exception itself only until it is handed on, because it holds frames.
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
        """Does nothing: there is nothing to start."""

    def breaks(self, served: ServedSource, slot: int | None) -> bool:
        """Returns False: what its source raises is the error of a batch."""
        return False

    def work(self, served: ServedSource, slot: int | None) -> None:
        """Does the oldest piece of work. Work that an interrupt broke off goes on with the sample it had reached."""
        claim = self._resumed() or self._next()
        if claim is None:
            return
        _, claimed, chunk, ticket = claim[:4]
        state = FAILED
        if self._is_called:
            self._ended_by = self._ended_by or "an interrupt"
        self._is_called = True
        try:
            if claimed == slot:  # else it was broken off by an interrupt, and is no longer needed
                fill_chunk(self._served, claim, self.decoding.kinds.add, self._kept)
                state = DONE
        except EndOfData:
            if not self._ended_by:
                state = EXHAUSTED
            else:
                self._errors[claimed, chunk] = self._broken_off(claim), None
        except ChunkFailed as error:
            self._errors[claimed, chunk] = error.failure, error.__cause__ or error
        except BaseException as error:
            # If an interrupt came into a call of the user's generator, its end is not that of the data.
            self._ended_by = type(error).__name__ if left_a_generator(error) else self._ended_by
            self._is_called = False
            raise
        self._claim, self._kept, self._ended_by, self._is_called = None, [], "", False
        self._served.ring.finish(claimed, chunk, ticket, _OWNER, state)

    def _broken_off(self, claim: tuple[int, ...]) -> Failure:
        number, slot, chunk, ticket = claim[:4]
        error = SourceDataError(
            f"{self._served.source.description} was broken off by {self._ended_by} inside a generator, which ends it, so "
            "that the rest of its data cannot come: call reset() to begin anew"
        )
        place = {
            "source_index": number,
            "slot": slot,
            "chunk": chunk,
            "ticket": ticket,
            "position": None,
            "column": None,
        }
        return Failure(**place, kind="data", **describe_exception(error))

    def _next(self) -> tuple[int, ...] | None:
        """Claims the oldest chunk."""
        if not self._served.source.wait():
            return None
        if self._claiming:
            # An interrupt came between a claim and storing it. Reopen that chunk, or a younger one would be next.
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
        """Returns the exception itself, if the source raised it."""
        error = self._errors[failure.slot, failure.chunk][1] if failure.kind == "raised" else None
        note = f"raised by the source of {origin}"
        if error is not None and note not in getattr(error, "__notes__", ()):
            error.add_note(note)
        # No call from here on: after an interrupt either this runs again, or the feed already has the error.
        self._errors[failure.slot, failure.chunk] = failure, None
        return error

    def worker_of(self, owner: int) -> tuple[int | None, int | None]:
        return None, None

    def lost(self, served: ServedSource) -> bool:
        """Returns False: no worker can die."""
        return False

    def recover(self) -> None:
        """Does nothing: no worker can die."""

    def close(self) -> None:
        self._served.ring.close()
