"""Where the workers of a pool are, and since when, for a line in the log."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence

from .. import _host
from ..ring.served_source import ServedSource
from .deaths import said_of
from .items import ReadItem, item_of
from .launcher import Launcher, kernel_state
from .worker_state import Member

__all__ = ["Whereabouts"]

_READY, _CLAIMED = (_host.WORD_STATES.index(name) for name in ("ready", "claimed"))

# A line names so many workers, and counts the others.
_MOST_NAMED = 4

# (source, slot, chunk, ticket, sample, item of a stream) of the work that a worker has.
_Work = tuple[int, int, int, int, int, ReadItem | None]
# A stage of a worker's life, or its work.
_Place = str | _Work
_ABSENT, _STARTING, _LOADING, _IDLE = "has no process", "has been starting", "has been loading its source", "is idle"


class Whereabouts:
    """Knows since when a worker is where it is, as far as somebody looked.

    Args:
        served_sources, members: those of the pool.
        timeout_s: see there.

    Attributes:
        launcher: what starts the workers; None before that.
        timeout_s: the pool's; None: a worker that hangs stays.
    """

    def __init__(
        self,
        served_sources: Sequence[ServedSource],
        members: Mapping[int, Member],
        timeout_s: float | None,
    ):
        self._served = served_sources
        self._members = members
        self._workers = len(members)  # others are added later, and serve only what spreads
        self.launcher: Launcher | None = None
        self.timeout_s = timeout_s
        self._at: dict[int, tuple[_Place, float]] = {}

    def count(self) -> tuple[int, int]:
        """Returns how many workers have a process, and how many processes were started in the place of dead ones. Any
        thread may call it.
        """
        members = list(self._members.values())
        alive = sum(member.reader is not None for member in members)
        return alive, sum(member.starts - 1 for member in members if member.starts)

    def look(self) -> None:
        """Notes where all workers are. Called every now and then while somebody waits for them."""
        now, before = time.monotonic(), self._at
        self._at = {
            worker_id: before[worker_id] if before.get(worker_id, ("", 0.0))[0] == place else (place, now)
            for worker_id, place in self._places().items()
        }

    def _places(self) -> dict[int, _Place]:
        found: dict[int, _Place] = {}
        oldest: dict[int, int] = {}  # of several pieces of work, the one that was asked for first
        for worker_id, member in self._members.items():
            found[worker_id] = _ABSENT if member.reader is None else _STARTING
            if member.reader is not None and member.began_loading:
                found[worker_id] = _IDLE if member.loaded else _LOADING
        for number, served in enumerate(self._served):
            for slot in range(served.ring.slots):
                for chunk, (_, _, owner, state, position) in enumerate(served.ring.chunk_info(slot)):
                    ticket = served.ring.ticket(slot)
                    if state == _CLAIMED and owner - 1 in found and ticket <= oldest.get(owner, ticket):
                        reads, oldest[owner] = self._members[owner - 1].reads, ticket
                        found[owner - 1] = number, slot, chunk, ticket, position, reads
        return found

    def holdup(self, served: ServedSource, slot: int | None) -> str:
        """Says which workers a batch waits for, where they are, and what can be done.

        Args:
            slot: of the batch; None: any batch of the source.
        """
        self.look()
        number = self._served.index(served)
        chunks = {} if slot is None else dict(enumerate(served.ring.chunk_info(slot)))
        makers = [info[2] - 1 for info in chunks.values() if info[3] == _CLAIMED and info[2] - 1 in self._at]
        free = [info for info in chunks.values() if info[3] == _READY]
        busy = [worker_id for worker_id, (place, _) in self._at.items() if place != _IDLE]
        words = [self._told(worker_id, number, slot) for worker_id in makers]
        if free or not makers:
            others = [worker_id for worker_id in busy if worker_id not in makers]
            # An idle worker that takes no work is stopped, or was not woken.
            idle = (
                []
                if others or not free
                else [one for one in self._at if one not in makers and served.is_served_by(one + 1, self._workers)]
            )
            words += [self._nobody(served, slot, free)] if free else []
            words += [self._told(worker_id, number, slot) for worker_id in others or idle]
        if (left := len(words) - _MOST_NAMED) > 0:
            words[_MOST_NAMED:] = [f"and {left} more"]
        if self.launcher is not None and (forker := self.launcher.holdup()):
            words.append(forker)
        return f"{', '.join(words) or 'nobody makes it'}; {self._advice()}"

    def _advice(self) -> str:
        if self.timeout_s is None:
            return "pass worker_timeout_s= to have such workers replaced"
        return f"a worker that is stuck is replaced after {self.timeout_s:g} s (worker_timeout_s)"

    @staticmethod
    def _nobody(served: ServedSource, slot: int | None, free: Collection[tuple[int, int, int, int, int]]) -> str:
        if slot is None or served.source.batch_mode or served.source.stateful:
            return "no worker has begun it"
        first = served.ring.batch_info(slot)[2]
        start, stop = first + min(info[0] for info in free), first + max(info[1] for info in free)
        return f"no worker has begun samples {start} to {stop - 1}"

    def _told(self, worker_id: int, number: int, slot: int | None) -> str:
        place, since = self._at[worker_id]
        pid = None if self.launcher is None else self.launcher.pids.get(worker_id)
        state = "" if pid is None else kernel_state(pid)
        # What sleeps may be waiting for anything; other states say more, such as one that was stopped.
        state = "" if state.startswith(", state S") else state
        name = f"worker {worker_id}" if pid is None else f"worker {worker_id} (pid {pid}{state})"
        what = place if isinstance(place, str) else self._work(place, number, slot)
        return f"{name} {what}" + ("" if place in (_ABSENT, _IDLE) else f" for {time.monotonic() - since:.1f} s")

    def _work(self, place: _Work, awaited: int, awaited_slot: int | None) -> str:
        number, slot, chunk, _, position, reads = place
        served = self._served[number]
        epoch, iteration, first = served.ring.batch_info(slot)
        of_source = "" if number == awaited else f" of {served.source.description}"
        if served.source.stateful:  # a batch requested in one epoch may be taken in the next, as another iteration
            return "has been making it" if (number, slot) == (awaited, awaited_slot) else f"has been busy{of_source}"
        if served.source.batch_mode:
            return f"has been in batch {iteration} of epoch {epoch}{of_source}"
        if item := item_of(reads, served, slot, chunk):
            return f"has been in {item[1]}{of_source}"
        start, stop, *_ = served.ring.chunk_info(slot)[chunk]
        if served.source.alone and served.source.item_limit_s is None and position == start < stop - 1:
            # All are read before the first one is written, and nobody tells how many are.
            return f"has been in samples {first + start} to {first + stop - 1}{of_source}"
        sample = first + min(position, stop - 1)
        said = said_of(served, sample, epoch)
        return f"has been in sample {sample}{'' if said is None else f' ({said})'}{of_source}"
