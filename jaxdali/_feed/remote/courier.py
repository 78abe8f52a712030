"""A courier: claims chunks as any worker does, as many as its actors have room for, and has actors make them.

One thread claims; what it has claimed, and what Ray's threads report, are events of one queue, and all else is done in
the order of that queue, by `run`. A chunk belongs to the courier from its claim to `finish`, whichever actors have a part
in it: if the courier dies, its words in the ring say what has to be made again.
"""

from __future__ import annotations

import functools
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from .. import _host
from ..ring.failure_report import Failure, describe_exception
from ..ring.worker_loop import DONE, EXHAUSTED, FAILED
from .actor import Made, rows_of
from .jobs import Actor, Answer, Cluster, Credits, Job
from .settings import Settings, Versions

__all__ = ["Courier", "GivesUp"]

# How often it looks after its actors.
_LOOK_S = 0.25
# An actor that took this long for a piece is asked where it is, from then on this often.
_ASK_S = 2.0
# A replacement waits so long, times the number of those that died before it without doing anything.
_PAUSE_S = 0.5
# When, and then how often, it is told that the cluster has no room for actors.
_NO_ROOM_S = 10.0

_Event = Callable[[], None]


class GivesUp(Exception):
    """Nothing can be made any more; the text is for the user."""


class Courier:
    """What a courier does until the rings close.

    Args:
        rings: those of all sources.
        outputs: of each source.
        payload: what `write_payload` wrote.
        tell: sends a message to the parent.
        beat: tells it that this process lives.
    """

    def __init__(
        self,
        cluster: Cluster,
        settings: Settings,
        rings: Sequence[_host.Ring],
        outputs: Sequence[int],
        payload: Any,
        worker_id: int,
        tell: Callable[[dict[str, Any]], None],
        beat: Callable[[], None],
    ):
        self._cluster, self._settings, self._rings, self._tell, self._beat = cluster, settings, rings, tell, beat
        self._owner = worker_id + 1
        self._served = [number for number, count in enumerate(outputs) if count]
        self._sizes = [rows_of(ring, count) for ring, count in zip(rings, outputs, strict=True)]
        self._payload = cluster.put(payload)
        self._actors = [Actor(index) for index in settings.actors_of(worker_id)]
        self._events: queue.SimpleQueue[_Event | None] = queue.SimpleQueue()
        self._credits = Credits()
        self._waiting: deque[Job] = deque()
        self._versions = Versions.here()
        self._ready_told = False
        self._told: set[str] = set()
        self._look_at = 0.0
        self._room_told_at = time.monotonic()

    def run(self) -> None:
        """Works until the rings close.

        Raises:
            GivesUp: actors cannot start.
        """
        threading.Thread(target=self._claim, daemon=True).start()
        while not self._rings[0].closing:
            if time.monotonic() >= self._look_at:
                self._look_at = time.monotonic() + _LOOK_S
                self._look()
                self._beat()
            try:
                event = self._events.get(timeout=_LOOK_S)
            except queue.Empty:
                continue
            if event is not None:
                event()
            del event  # it has what an actor made, which is to leave Ray's store
            self._send()

    def _claim(self) -> None:
        claims = _host.Claimant([self._rings[number] for number in self._served], self._owner)
        while not self._rings[0].closing:
            if not self._credits.take(_LOOK_S):
                continue
            while (claim := claims.next()) is None:
                if self._rings[0].closing:
                    self._events.put(None)
                    return
            self._events.put(functools.partial(self._waiting.append, Job.of((self._served[claim[0]], *claim[1:]))))

    # Actors ---------------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Starts actors that are due, and asks those where they are that seem to get nowhere."""
        now = time.monotonic()
        for actor in self._actors:
            if actor.restart_at is not None and now >= actor.restart_at:
                actor.begin(self._cluster.start_actor())
                self._cluster.call(self._heard(actor, self._met), actor.handle.about)
            elif actor.ready and actor.jobs:
                self._look_after(actor, now)
        missing = [actor for actor in self._actors if actor.restart_at is None and not actor.machine]
        if missing and now - max(self._room_told_at, min(actor.began_at for actor in missing)) > _NO_ROOM_S:
            self._room_told_at = now + 5 * _NO_ROOM_S
            self._warn(
                f"{len(missing)} of {len(self._actors)} actors have not started: the cluster has "
                f"{self._cluster.describe()}, and each actor asks for num_cpus={self._settings.workers.num_cpus:g}"
            )

    def _look_after(self, actor: Actor, now: float) -> None:
        limit_s = self._settings.timeout_s
        still_s = now - actor.moved_at
        if limit_s is not None and still_s > limit_s:
            at_oldest = actor.where[0] == actor.made + 1
            self._lost(actor, f"it made no progress for {limit_s:g} s (worker_timeout_s)", at_oldest)
        elif not actor.asked and still_s > (_ASK_S if limit_s is None else min(_ASK_S, limit_s / 4)):
            actor.asked = True
            self._cluster.ask(self._heard(actor, self._is_at), actor.handle.where)

    def _heard(self, actor: Actor, then: Callable[[Actor, Any], None], job: Job | None = None) -> Answer:
        """Returns what takes an actor's answer, for `Cluster.call`. Answers come in any order: Ray has small ones at once,
        and fetches large ones.

        Args:
            job: what it is asked to make.
        """
        life = actor.life

        def handle(answer: Any, error: BaseException | None) -> None:
            if actor.life != life or actor.restart_at is not None:
                return  # it was replaced
            if error is None:
                then(actor, answer)
            elif self._cluster.is_lost(error) or not actor.ready:
                self._lost(actor, _reason(error))
            elif job is not None:
                self._failed(actor, job, error)

        return lambda answer, error: self._events.put(functools.partial(handle, answer, error))

    def _met(self, actor: Actor, about: tuple[Versions, str, int]) -> None:
        theirs, host, pid = about
        if difference := self._versions.difference(theirs):
            raise GivesUp(
                f"a machine of the Ray cluster, {host}, has other versions than this one: {difference}. Install the same "
                "on all of them, or name them in runtime_env"
            )
        actor.machine = f"{host}, pid {pid}"
        self._cluster.call(
            self._heard(actor, self._loaded),
            actor.handle.load,
            *(self._payload, self._sizes, actor.index, self._settings.workers.num_workers),
        )

    def _loaded(self, actor: Actor, messages: list[dict[str, Any]]) -> None:
        unusable = messages[-1]["type"] == "unusable"
        for message in messages:
            if message["type"] != "ready":
                self._pass_on(message)
        if unusable:
            raise GivesUp("")
        actor.ready, actor.unlucky = True, 0
        actor.move()
        self._set_limit()
        if not self._ready_told:
            self._ready_told = True
            self._tell({"type": "ready"})

    def _set_limit(self) -> None:
        ready = sum(actor.ready for actor in self._actors)
        self._credits.set_limit(ready * self._settings.workers.in_flight)

    def _is_at(self, actor: Actor, where: tuple[int, int]) -> None:
        actor.asked = False
        if where != actor.where:
            actor.where = where
            actor.move()
        if actor.jobs and where[0] == actor.made + 1:
            number, slot, chunk = actor.jobs[0].claim[:3]
            self._rings[number].advance(slot, chunk, where[1])

    def _lost(self, actor: Actor, why: str, at_oldest: bool = False) -> None:
        """Has others make what an actor had, after it died. If it had several pieces, it may have died of any of them: an
        answer that it has made the oldest one may be lost.

        Args:
            at_oldest: it is known that it was at its oldest piece.
        """
        jobs, known = list(actor.jobs), actor.where[0] == actor.made + 1
        actor.jobs.clear()
        name = f"actor {actor.index} ({actor.machine})" if actor.machine else f"actor {actor.index}"
        if not actor.ready:
            actor.unlucky += 1
            if actor.unlucky > self._settings.restarts:
                raise GivesUp(f"{name} died {actor.unlucky} times before it had loaded its source: {why}{_hint(why)}")
        self._cluster.kill(actor.handle)  # it may be out of reach, and not dead
        actor.ready, actor.handle = False, None
        actor.restart_at = time.monotonic() + _PAUSE_S * actor.unlucky
        self._set_limit()
        self._warn(f"{name} died: {why}")
        for job in jobs:
            job.suspect(self._settings.whole[job.claim[0]])
        if at_oldest or len(jobs) == 1:
            first, whole = jobs[0], self._settings.whole[jobs[0].claim[0]]
            first.deaths += 1
            at = actor.where[1] if known else first.at
            if first.deaths > self._settings.restarts:
                jobs.remove(first)
                start, stop = first.claim[7:9]
                row = None if whole else min(at, stop - 1)
                work = f"samples {first.claim[6] + start} to {first.claim[6] + stop - 1}"
                work = f"it was working on {'a whole batch' if whole else work}"
                text = f"{name} died: {why}; {work}; {first.deaths} actors died of it (worker_restarts)"
                self._fail(first, row, text, RuntimeError(why), "lost")
        self._waiting.extendleft(reversed(jobs))

    # Chunks ---------------------------------------------------------------------------------------------------------

    def _send(self) -> None:
        """Gives waiting chunks to the actors that have the least to do. Of several, it is the one that had the same chunk of
        the batch before: it may fetch ahead.
        """
        while self._waiting:
            first, most = self._waiting[0], self._settings.workers.in_flight
            free = [one for one in self._actors if one.takes(first, most)]
            if not free:
                return
            own = self._actors[first.claim[2] % len(self._actors)]
            actor = min(free, key=lambda one: (len(one.jobs), one is not own))
            if not actor.jobs:
                actor.move()
            job = self._waiting.popleft()
            actor.jobs.append(job)
            made = functools.partial(self._made, job)
            self._cluster.call(self._heard(actor, made, job), actor.handle.make, job.piece)

    def _made(self, job: Job, actor: Actor, made: Made) -> None:
        """Stores what an actor has made of a chunk."""
        actor.finish(job)
        state, at, samples, records, messages, data = made
        number, slot, chunk, ticket = job.claim[:4]
        ring, whole = self._rings[number], self._settings.whole[number]
        for message in messages:
            if message["type"] == "failure":
                message |= {"source_index": number, "slot": slot, "chunk": chunk, "ticket": ticket}
            self._pass_on(message)
        if state == DONE:
            try:
                ring.unpack_rows(slot, job.at, samples if whole else job.stop, records, data)
            except (RuntimeError, ValueError, OSError) as error:  # no memory; or the actor's memory is damaged
                self._fail(job, None, str(error), error, "memory")
                return
            if whole:
                ring.set_samples(slot, samples)
            job.at = job.stop
        ring.advance(slot, chunk, at)
        if state == DONE and job.at < job.claim[8]:
            self._waiting.appendleft(job)
        else:
            self._finish(job, state)

    def _failed(self, actor: Actor, job: Job, error: BaseException) -> None:
        """Reports that an actor could not even report why: its own code raised."""
        actor.finish(job)
        self._fail(job, None, f"actor {actor.index} ({actor.machine}): {error}", error, "memory")

    def _fail(self, job: Job, row: int | None, text: str, error: BaseException, kind: str) -> None:
        number, slot, chunk, ticket = job.claim[:4]
        described = {**describe_exception(error), "message": text}
        place: dict[str, Any] = {"source_index": number, "slot": slot, "chunk": chunk, "ticket": ticket}
        failure = Failure(**place, position=row, column=None, kind=kind, **described)
        self._tell(failure.to_message())
        self._finish(job, FAILED)

    def _finish(self, job: Job, state: int) -> None:
        assert state in (DONE, FAILED, EXHAUSTED)
        number, slot, chunk, ticket = job.claim[:4]
        self._rings[number].finish(slot, chunk, ticket, self._owner, state)
        self._credits.give_back()

    # Messages -------------------------------------------------------------------------------------------------------

    def _pass_on(self, message: dict[str, Any]) -> None:
        """Sends an actor's message to the parent; what all actors say alike only once."""
        if message["type"] in ("decodes", "jax"):
            if repr(message) in self._told:
                return
            self._told.add(repr(message))
        self._tell(message)

    def _warn(self, text: str) -> None:
        self._tell({"type": "warning", "message": text})


def _reason(error: BaseException) -> str:
    """Returns what Ray says of a death, without its first lines of numbers, and without what it recommends."""
    text = " ".join(str(error).split())
    behind = text.partition("The actor is dead because ")[2].partition(" Some common causes include")[0]
    return (behind or text)[:1000] or type(error).__name__


def _hint(why: str) -> str:
    if "No module named 'jaxdali'" in why:
        return '. Install the same jaxdali on all machines of the cluster: pip install "jaxdali[ray]"'
    return ""
