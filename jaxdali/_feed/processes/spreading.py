"""More processes for a pool once it is known that decoding is what they do."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from ..ring.served_source import ServedSource, most_decoders
from .worker_state import Member

__all__ = ["Spreading"]

logger = logging.getLogger("jaxdali")


class Spreading:
    """Whether a pool has as many processes as were asked for, or as many as may decode.

    Its sources are cut into pieces for the former. Those that spread are cut into pieces for all processes when the first
    file comes that a worker decodes, and from the beginning if all that they do is decode.

    Args:
        served_sources: those of the pool.
        members: those that serve all sources; others are added.
        most: how many are to serve those that spread, once they decode.

    Attributes:
        kinds, actors: see `ring.producer.Decoding`.
    """

    threads = 1

    def __init__(self, served_sources: Sequence[ServedSource], members: dict[int, Member], most: int):
        self._spread = [served for served in served_sources if served.source.spreads]
        self._members = members
        self.actors = 0
        self._workers = len(members)
        self._most = most if self._spread else 0
        self._elsewhere = most_decoders(served_sources)
        self.kinds = {served.source.decodes for served in served_sources} - {""}
        for served in served_sources:
            served.ring.divide_into(len(members))

    @property
    def processes(self) -> int:
        return len(self._members)

    @property
    def at_once(self) -> int:
        return max(len(self._members), self._elsewhere)

    def can_do_without(self, worker_id: int, error: OSError) -> bool:
        """Called when a worker cannot be started. Those that were only added are done without, with a warning."""
        if worker_id < self._workers:
            return False
        waiting = [one for one, member in self._members.items() if one >= self._workers and member.reader is None]
        for one in waiting:
            del self._members[one]
        self._most = 0  # never again
        logger.warning("%d processes decode, because no more can be started: %s", len(self._members), error)
        return True

    def begin(self) -> None:
        """Called when the workers start."""
        if any(served.source.decodes for served in self._spread):
            self._spread_out()

    def hear(self, kind: str) -> None:
        """Called when a worker decodes a file, with its format."""
        self.kinds.add(kind)
        self._spread_out()

    def _spread_out(self) -> None:
        if len(self._members) >= self._most:
            return
        for served in self._spread:
            served.ring.divide_into(self._most)
        for worker_id in range(len(self._members), self._most):
            self._members[worker_id] = Member(restart_at=time.monotonic())
