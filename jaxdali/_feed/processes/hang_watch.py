"""Detects workers that hang, from their progress in loading sources and in each chunk they hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from .. import _host
from ..ring.served_source import ServedSource
from .clock import Clock
from .items import ReadItem
from .worker_state import Member

__all__ = ["LOAD_S", "START_S", "HangWatch", "Watch", "late_in_loading", "loading_limit_s"]

_READY, _CLAIMED = (_host.WORD_STATES.index(name) for name in ("ready", "claimed"))

# (owner, ticket, state, position, the item that the owner reads)
_Work = tuple[int, int, int, int, ReadItem | None]

# Loading counts as a hang only after at least LOAD_S, however short the time limit for a sample is: large modules may
# be imported. A fresh interpreter has START_S more, for its start before any user code runs.
LOAD_S = 20.0
START_S = 60.0


def loading_limit_s(timeout_s: float, began: bool) -> float:
    """Returns how long a process may take to load its sources.

    Args:
        began: it has begun to load them.
    """
    return max(timeout_s, LOAD_S) + (0.0 if began else START_S)


def late_in_loading(timeout_s: float, began: bool) -> str:
    """Returns why a process that exceeded `loading_limit_s` was ended, as the end of a sentence."""
    what = "loaded its source" if began else "begun to load its source"
    limit_s = loading_limit_s(timeout_s, began)
    return f", after it had not {what} in {limit_s:g} s (worker_timeout_s)"


class HangWatch(Protocol):
    """What ends workers that hang."""

    def hung(self, members: Mapping[int, Member], alive: Collection[int]) -> dict[int, str]:
        """Returns why workers should be ended, by worker id; each is the end of a sentence.

        Args:
            alive: the worker ids whose processes run.
        """
        ...

    def forget(self, owner: int) -> None:
        """Restarts the clocks of an owner whose process was replaced."""


class Watch:
    """Notices workers that make no progress. Sources that read many items before the first sample are given the limit, so
    that workers tell of these; made before the workers start.

    Args:
        workers: how many serve all sources.
        timeout_s: the longest time without progress: without a finished sample, or batch of a source of whole batches,
            or item of a stream, or without taking work that a worker could take. For loading sources the limit is
            `loading_limit_s`.
    """

    def __init__(self, served_sources: Sequence[ServedSource], workers: int, timeout_s: float):
        self.timeout_s = timeout_s
        self._workers = workers
        self._served = served_sources
        for served in served_sources:
            served.source.item_limit_s = timeout_s if served.source.alone else None
        self._clock = Clock()
        # (source, slot, chunk) -> what is known of its work, and since when that holds.
        self._seen: dict[tuple[int, int, int], tuple[_Work, float]] = {}
        # Owner -> its stage (began loading, loaded), and since when.
        self._stages: dict[int, tuple[tuple[bool, bool], float]] = {}
        # Owner -> when one of its words last changed.
        self._active: dict[int, float] = {}

    def hung(self, members: Mapping[int, Member], alive: Collection[int]) -> dict[int, str]:
        """Returns why workers should be ended, by worker id; each is the end of a sentence.

        Args:
            alive: the worker ids whose processes run.
        """
        now = self._clock()
        stalled, waiting = self._look(now, members)
        found: dict[int, str] = {}
        for worker_id in alive:
            member, owner = members[worker_id], worker_id + 1
            stage = member.began_loading, member.loaded
            before, since = self._stages.get(owner, (None, now))
            if before != stage:
                since = now
            self._stages[owner] = stage, since
            if not member.loaded:
                if now - since > loading_limit_s(self.timeout_s, member.began_loading):
                    found[worker_id] = late_in_loading(self.timeout_s, member.began_loading)
            elif stalled.get(owner, False):
                found[worker_id] = f", after it made no progress for {self.timeout_s:g} s (worker_timeout_s)"
            elif owner not in stalled and self._is_late(max(since, self._active.get(owner, 0.0)), owner, waiting, now):
                found[worker_id] = f", after it took no work for {self.timeout_s:g} s (worker_timeout_s)"
        return found

    def _look(
        self, now: float, members: Mapping[int, Member]
    ) -> tuple[dict[int, bool], list[tuple[ServedSource, int, float]]]:
        """Returns two things. First, the owners that hold a chunk, and whether there was no progress for `timeout_s`.
        Second, for each chunk that nobody took, its source, the owner it is reserved for (0: any), and since when it waits.
        """
        holds: dict[int, bool] = {}
        waiting: list[tuple[ServedSource, int, float]] = []
        seen: dict[tuple[int, int, int], tuple[_Work, float]] = {}
        for number, served in enumerate(self._served):
            for slot in range(served.ring.slots):
                for chunk, (_, _, owner, state, position) in enumerate(served.ring.chunk_info(slot)):
                    key = number, slot, chunk
                    reads = members[owner - 1].reads if state == _CLAIMED and owner - 1 in members else None
                    at = owner, served.ring.ticket(slot), state, position, reads
                    before = self._seen.get(key)
                    if before is None or before[0] != at:
                        before = at, now
                        self._active[owner] = now
                    seen[key] = before
                    if state == _CLAIMED:
                        holds[owner] = holds.get(owner, False) or now - before[1] > self.timeout_s
                    elif state == _READY:
                        waiting.append((served, served.ring.only(slot), before[1]))
        self._seen = seen
        return holds, waiting

    def _is_late(
        self, idle_since: float, owner: int, waiting: Sequence[tuple[ServedSource, int, float]], now: float
    ) -> bool:
        """Whether a worker that holds nothing could long have taken one of the waiting chunks."""
        return any(
            only in (0, owner)
            and served.is_served_by(owner, self._workers)
            and now - max(idle_since, since) > self.timeout_s
            for served, only, since in waiting
        )

    def forget(self, owner: int) -> None:
        """Restarts the clocks of an owner whose process was replaced: it may resume a chunk at the same position."""
        self._seen = {key: (at, since) for key, (at, since) in self._seen.items() if at[0] != owner}
        self._stages.pop(owner, None)
