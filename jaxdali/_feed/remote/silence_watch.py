"""Detects couriers that hang. Their chunks may rightly wait for a long time, for machines; so they say that they live."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..processes.clock import Clock
from ..processes.hang_watch import late_in_loading, loading_limit_s
from ..processes.worker_state import Member

__all__ = ["SilenceWatch"]

# A call of Ray may take some seconds while its processes are busy.
_LEAST_S = 10.0


class SilenceWatch:
    """Notices couriers that say nothing.

    Args:
        timeout_s: the longest silence, but it is at least `_LEAST_S`; `loading_limit_s` until the first word.
    """

    def __init__(self, timeout_s: float):
        self._timeout_s = timeout_s
        self._clock = Clock()
        # Worker id -> which process it is and how often it has said that it lives, and since when that holds.
        self._heard: dict[int, tuple[tuple[int, int], float]] = {}

    def hung(self, members: Mapping[int, Member], alive: Collection[int]) -> dict[int, str]:
        """See `Watch.hung`."""
        now, found = self._clock(), {}
        for worker_id in alive:
            member = members[worker_id]
            state = member.starts, member.beats
            before, since = self._heard.get(worker_id, (None, now))
            if before != state:
                since = now
            self._heard[worker_id] = state, since
            limit_s = max(self._timeout_s, _LEAST_S) if member.beats else loading_limit_s(self._timeout_s, False)
            if now - since > limit_s:
                silent = f", after it did not answer for {limit_s:g} s (worker_timeout_s)"
                found[worker_id] = silent if member.beats else late_in_loading(self._timeout_s, False)
        return found

    def forget(self, owner: int) -> None:
        """See `Watch.forget`."""
        self._heard.pop(owner - 1, None)
