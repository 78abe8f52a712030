"""Why chunks could not be made: what workers said of them, and chunks that workers died of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxdali.errors import WorkerError
from .. import _host
from ..ring.failure_report import Failure
from ..ring.served_source import ServedSource
from .dead_work import Work

__all__ = ["Reports"]

_FAILED = _host.WORD_STATES.index("failed")


class Reports:
    """The failures of a pool's chunks, by chunk: a later one overwrites that of a batch that was taken back.

    Args:
        served_sources: those of the pool.
    """

    def __init__(self, served_sources: Sequence[ServedSource]):
        self._served = served_sources
        self._failures: dict[tuple[int, int, int], Failure] = {}
        self._errors: dict[tuple[int, int, int], tuple[int, tuple[Any, ...]]] = {}  # with their tickets

    def add(self, failure: Failure) -> bool:
        """Notes what a worker reports. Returns False if it is of a source or an output that does not exist."""
        outputs = len(self._served[failure.source_index].columns) if failure.source_index < len(self._served) else 0
        if (failure.column or 0) >= outputs:
            return False
        self._failures[failure.source_index, failure.slot, failure.chunk] = failure
        return True

    def give_up(self, work: Work, owner: int, error: tuple[Any, ...]) -> None:
        """Makes a chunk that a dead worker had claimed a failed one.

        Args:
            error: the arguments of its WorkerError.
        """
        served, slot, chunk = work
        key, ticket = (self._served.index(served), slot, chunk), served.ring.ticket(slot)
        self._failures[key] = Failure(
            **dict(zip(("source_index", "slot", "chunk"), key, strict=True)),
            ticket=ticket,
            position=None,
            column=None,
            kind="lost",
            exception="WorkerError",
            message=error[0],
            traceback="",
        )
        self._errors[key] = ticket, error
        # Last: whoever sees it looks for the above, and after an interrupt the chunk is still the dead worker's.
        served.ring.finish(slot, chunk, ticket, owner, _FAILED)

    def find(self, key: tuple[int, int, int], ticket: int) -> Failure | None:
        """Returns why a chunk failed; None if nobody has said it yet.

        Args:
            key: the numbers of the source, the slot and the chunk.
        """
        found = self._failures.get(key)
        return found if found is not None and found.ticket == ticket else None

    def death(self, failure: Failure) -> WorkerError | None:
        """Returns a new error for a chunk that was given up; None for other failures."""
        ticket, error = self._errors.get((failure.source_index, failure.slot, failure.chunk), (-1, ()))
        return WorkerError(*error) if ticket == failure.ticket and failure.kind == "lost" else None
