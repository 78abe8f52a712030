"""A courier's books: the chunks that it has claimed, and the actors that make them."""

from __future__ import annotations

import collections
import dataclasses
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from .actor import Piece

__all__ = ["Actor", "Answer", "Cluster", "Credits", "Job"]

# Is given what a method of an actor returned, or an exception, in any thread.
Answer = Callable[[Any, BaseException | None], None]


class Cluster(Protocol):
    """What a courier asks of a cluster. Nothing here waits for an actor."""

    def put(self, data: Any) -> Any:
        """Returns what stands for data when an actor's method is called with it."""

    def start_actor(self) -> Any:
        """Returns a new `RemoteWorker`, which may start much later."""

    def call(self, done: Answer, method: Any, *arguments: Any) -> None:
        """Calls a method of an actor, after those that it was asked for before."""

    def ask(self, done: Answer, method: Any) -> None:
        """Calls a method of an actor while it is busy with another one."""

    def kill(self, actor: Any) -> None:
        """Ends an actor, which may be dead already."""

    def is_lost(self, error: BaseException) -> bool:
        """Whether an exception means that an actor, or what it made, is gone; otherwise its method raised."""
        ...

    def describe(self) -> str:
        """Says what the cluster has, for a warning that actors do not start."""
        ...

    def leave(self) -> None:
        """Ends the actors."""


@dataclasses.dataclass(eq=False)
class Job:
    """A claimed chunk.

    Attributes:
        claim: what `_host.Claimant` returned.
        at: the first row that is not stored yet.
        step: how many rows an actor is asked for at a time.
        alone: an actor that has it gets nothing else, so that it is known what that actor dies of.
        deaths: how many actors died of it.
    """

    claim: tuple[int, ...]
    at: int
    step: int
    alone: bool = False
    deaths: int = 0

    @classmethod
    def of(cls, claim: tuple[int, ...]) -> Job:
        return cls(claim, claim[7], max(claim[8] - claim[7], 1))

    @property
    def stop(self) -> int:
        """The row behind those that are to be made now."""
        return min(self.at + self.step, self.claim[8])

    @property
    def piece(self) -> Piece:
        number, _, _, _, epoch, iteration, first_sample = self.claim[:7]
        return number, epoch, iteration, first_sample, self.at, self.stop

    def suspect(self, whole: bool) -> None:
        """Notes that an actor may have died of it. From now on its rows are made one by one, and nothing else beside them,
        so that it is seen which one it was.
        """
        self.alone = True
        if not whole:
            self.step = 1


@dataclasses.dataclass(eq=False)
class Actor:
    """A place for an actor, which may be the second or third one there.

    Attributes:
        index: among those of all couriers.
        handle: Ray's; None if there is none.
        life: how many there were: what is heard of earlier ones does not count.
        ready: it has loaded the sources.
        jobs: what it was given, the oldest first. It does one after the other.
        made: how many pieces it has made.
        where: which piece and row it said last that it is at; `moved_at`: when that changed.
        asked: it was asked that, and has not answered.
        unlucky: how many in a row died before they had their sources.
        restart_at: when to start one; None: there is one.
        began_at: when this one was asked for.
        machine: its host's name and process id, as text.
    """

    index: int
    handle: Any = None
    life: int = 0
    ready: bool = False
    jobs: collections.deque[Job] = dataclasses.field(default_factory=collections.deque)
    made: int = 0
    where: tuple[int, int] = (0, 0)
    moved_at: float = 0.0
    asked: bool = False
    unlucky: int = 0
    restart_at: float | None = 0.0
    began_at: float = 0.0
    machine: str = ""

    def begin(self, handle: Any) -> None:
        self.handle, self.ready, self.restart_at, self.machine = handle, False, None, ""
        self.made, self.where, self.asked = 0, (0, 0), False
        self.began_at = self.moved_at = time.monotonic()
        self.life += 1

    def takes(self, job: Job, most: int) -> bool:
        """Whether it may be given a job, if an actor has `most` at a time."""
        if not self.ready or len(self.jobs) >= most:
            return False
        return not self.jobs or not (job.alone or self.jobs[0].alone)

    def finish(self, job: Job) -> None:
        """Notes that it has made a piece of a job."""
        self.jobs.remove(job)
        self.made += 1
        self.move()

    def move(self) -> None:
        """Notes that it got on."""
        self.moved_at = time.monotonic()


class Credits:
    """How many chunks a courier may hold: those that its living actors have room for. The thread that claims waits here."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._limit = self._held = 0

    def set_limit(self, limit: int) -> None:
        with self._changed:
            self._limit = limit
            self._changed.notify()

    def give_back(self) -> None:
        with self._changed:
            self._held -= 1
            self._changed.notify()

    def take(self, timeout_s: float) -> bool:
        """Waits for a credit, but not longer than a time; returns whether there was one."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._held < self._limit, timeout_s):
                return False
            self._held += 1
            return True
