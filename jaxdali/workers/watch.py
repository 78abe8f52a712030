"""Whether a worker still gets on: looks at how far it is with each chunk that it holds."""

from __future__ import annotations

import time
from collections.abc import Sequence

from .. import _host
from .job import Job

__all__ = ["Watch"]

_CLAIMED = _host.WORD_STATES.index("claimed")


class Watch:
    """Notices chunks that stand still.

    Args:
        timeout_s: so long nothing may happen: no sample, or no batch of a source of whole batches.
    """

    def __init__(self, jobs: Sequence[Job], timeout_s: float):
        self.timeout_s = timeout_s
        self._jobs = jobs
        # (job, slot, chunk) -> (owner, ticket, position), and since when it is there.
        self._seen: dict[tuple[int, int, int], tuple[tuple[int, int, int], float]] = {}

    def stalled(self) -> list[int]:
        """The owners of chunks at which nothing happened for `timeout_s`."""
        now = time.monotonic()
        found: set[int] = set()
        seen: dict[tuple[int, int, int], tuple[tuple[int, int, int], float]] = {}
        for number, job in enumerate(self._jobs):
            for slot in range(job.ring.slots):
                for chunk, (_, _, owner, state, position) in enumerate(job.ring.chunk_info(slot)):
                    if state != _CLAIMED:
                        continue
                    key, at = (number, slot, chunk), (owner, job.ring.ticket(slot), position)
                    before = self._seen.get(key)
                    seen[key] = before if before is not None and before[0] == at else (at, now)
                    if now - seen[key][1] > self.timeout_s:
                        found.add(owner)
        self._seen = seen
        return sorted(found)

    def forget(self, owner: int) -> None:
        """`owner` is a new process: what it takes up again, at the place where the last one stood, has just begun."""
        self._seen = {key: (at, since) for key, (at, since) in self._seen.items() if at[0] != owner}
