"""Work of dead workers: a free worker redoes it, unless it failed too often or its source is stateful."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .. import _host
from ..ring.served_source import ServedSource
from .worker_state import Counters

__all__ = ["DeadWork", "Work"]

Work = tuple[ServedSource, int, int]  # with the slot and the chunk
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
        self._lost: set[tuple[int, int]] = set()  # (source, owner)

    def redo(self, owner: int) -> tuple[Work | None, list[Work], str]:
        """Makes the chunks that `owner` had claimed claimable again.

        Returns:
            The first of these, None if there were none; those that were tried too often, and stay claimed; and, if a source
            remembered where it was, the end of a sentence that says so, else empty.
        """
        held: Work | None = None
        spent: list[Work] = []
        forgotten = ""
        for number, served in enumerate(self._served):
            mine = served.source.stateful and served.is_served_by(owner, self._workers)
            if mine and self._stateful_owner(number) in (owner, 0):
                self._lost.add((number, owner))
                text = f"; {served.source.description} cannot be restarted, because it remembers where it was"
                forgotten = forgotten or text
            for slot, chunk in served.ring.owned_by(owner):
                held = held or (served, slot, chunk)
                if served.source.stateful:
                    continue
                if self._may_retry(number, slot, chunk):
                    self._counters.redone += served.ring.reopen(slot, chunk, owner)
                else:
                    spent.append((served, slot, chunk))
        return held, spent, forgotten

    @property
    def spent_reason(self) -> str:
        """Why a chunk that was tried too often is not tried again, as the end of a sentence."""
        return (f"; {self._restarts + 1} workers died of it" if self._restarts else "") + " (worker_restarts)"

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

    def may_come(self, served: ServedSource, slot: int, able: Collection[int]) -> bool:
        """Whether a batch is made, or known to fail, or the workers with the owner ids `able` can make what is missing."""
        number, only = self._served.index(served), served.ring.only(slot)
        can_claim = any(
            only in (0, owner) and (number, owner) not in self._lost and served.is_served_by(owner, self._workers)
            for owner in able
        )
        # In the order of samples, as the state of the slot.
        for _, _, owner, state, _ in served.ring.chunk_info(slot):
            if state in _ENDED:
                return True
            if (state == _CLAIMED and owner not in able) or (state == _READY and not can_claim):
                return False
        return True

    def who_lost(self, served: ServedSource, slot: int | None) -> int | None:
        """Returns the owner with which the source's state died that a batch needs; None if there is none."""
        number = self._served.index(served)
        owners = sorted(owner for one, owner in self._lost if one == number)
        only = 0 if slot is None else served.ring.only(slot)
        return only if only in owners else next(iter(owners), None)

    def has_lost(self, served: ServedSource) -> bool:
        """Whether the source's state died with a worker."""
        return self.who_lost(served, None) is not None

    @property
    def lost_a_position(self) -> bool:
        """Whether a source that should continue from its position has lost it."""
        return bool(self._lost)

    def forget(self) -> None:
        """Forgets lost sources; called when all sources start anew."""
        self._lost.clear()
