"""Work of dead workers: a free worker redoes it, unless it failed too often or its source is stateful."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .. import _host
from ..ring.served_source import ServedSource
from .worker_state import Counters

__all__ = ["DeadWork"]
_READY, _CLAIMED, *_ENDED = (_host.WORD_STATES.index(name) for name in ("ready", "claimed", "failed", "exhausted"))


class DeadWork:
    """Chunks that dead workers had claimed, and sources whose state died with a worker.

    Args:
        served_sources: those of the pool.
        workers: number of workers that serve all sources.
        restarts: how often a chunk may be started again.
        counters: its `redone` counts the chunks that are done again.
    """

    def __init__(self, served_sources: Sequence[ServedSource], workers: int, restarts: int, counters: Counters):
        self._served = served_sources
        self._workers = workers
        self._restarts = restarts
        self._counters = counters
        self._attempts: dict[tuple[int, int, int], tuple[int, int]] = {}
        self._lost: set[int] = set()

    def redo(self, owner: int) -> tuple[tuple[ServedSource, int, int] | None, str]:
        """Makes the chunks that `owner` had claimed claimable again.

        Returns:
            (source, slot, chunk) of a chunk it had claimed, None if there was none; and the end of a sentence that says
            why some of the work cannot be done again, empty if all of it can.
        """
        lost: tuple[ServedSource, int, int] | None = None
        reason = ""
        for number, served in enumerate(self._served):
            mine = served.source.stateful and served.is_served_by(owner, self._workers)
            mine = mine and self._stateful_owner(number) in (owner, 0)
            if mine:
                self._lost.add(number)
            if mine and not reason:
                reason = f"; {served.source.description} cannot be restarted, because it remembers where it was"
            for slot, chunk in served.ring.owned_by(owner):
                lost = lost or (served, slot, chunk)
                if not served.source.stateful and self._may_retry(number, slot, chunk):
                    self._counters.redone += served.ring.reopen(slot, chunk, owner)
                elif not reason:
                    lost = (served, slot, chunk)
                    reason = f"; {self._restarts + 1} workers died of it" if self._restarts else ""
                    reason += " (worker_restarts)"
        return lost, reason

    def _stateful_owner(self, number: int) -> int:
        """Returns the owner that alone serves a stateful source; 0 if every worker serves it."""
        if self._served[number].source.split:
            return 0
        before = [served for served in self._served[:number] if served.source.stateful and not served.source.split]
        return len(before) % self._workers + 1

    def _may_retry(self, number: int, slot: int, chunk: int) -> bool:
        """Counts an attempt at a chunk; returns False if there were too many."""
        key, ticket = (number, slot, chunk), self._served[number].ring.ticket(slot)
        known, attempts = self._attempts.get(key, (ticket, 0))
        attempts = attempts + 1 if known == ticket else 1
        self._attempts[key] = ticket, attempts
        return attempts <= self._restarts

    def may_come(self, served: ServedSource, slot: int, living: Collection[int]) -> bool:
        """Whether a batch is made, or the workers with the owner ids `living` can make what is missing of it."""
        chunks = [(owner, state) for _, _, owner, state, _ in served.ring.chunk_info(slot)]
        if any(state in _ENDED for _, state in chunks):
            return True
        able = not self.has_lost(served) and any(served.is_served_by(owner, self._workers) for owner in living)
        return all(owner in living if state == _CLAIMED else able or state != _READY for owner, state in chunks)

    def has_lost(self, served: ServedSource) -> bool:
        """Whether the source's state died with a worker."""
        return self._served.index(served) in self._lost

    @property
    def lost_a_position(self) -> bool:
        """Whether a source that should continue from its position has lost it."""
        return bool(self._lost)

    def forget(self) -> None:
        """Forgets lost sources; called when all sources start anew."""
        self._lost.clear()
