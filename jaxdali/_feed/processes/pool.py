"""The worker processes of one pipeline, the messages they send, and what happens when one dies."""

# `start` has a `Launcher` start the workers, which claim chunks on their own. While a batch is awaited, `work` kills
# those that hang, asks for deaths, reads messages, buries the dead (their chunks are opened again, or failed), starts who
# is due, and raises what broke the pool until `recover`. `look` does most of that now and then. Out come failures by chunk
# (`failure`). It relies on the ring's words for who has which chunk, and on messages for all else.

from __future__ import annotations

import contextlib
import errno
import functools
import logging
import os
import signal
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from jaxdali._base.cpus import Cpus
from jaxdali._base.interruptions import raised_by_handler
from jaxdali.errors import ConfigError, SampleOrigin, SourceError, WorkerError
from ..ring.failure_report import Failure, unreported
from ..ring.served_source import ServedSource
from .dead_work import DeadWork
from .deaths import death_error
from .forks import ForkLauncher
from .hang_watch import HangWatch, Watch
from .interpreter import WorkerProgram
from .items import read_item
from .jax_watch import JaxWarnings
from .launch import START_METHODS, loading_error, make_launcher
from .launcher import Death, Launcher, describe_exit
from .messages import BadMessage, MessageReader
from .pickler import SourcePickler
from .pool_end import shut_down
from .reports import Reports
from .spreading import Spreading
from .whereabouts import Whereabouts
from .worker_state import Counters, Member
from .zygote import close_in_children

__all__ = ["WorkerPool"]
_POLL_S = 0.25  # how often workers' messages, which are rare, are read while batches arrive without waiting
# How often all workers are woken while work may be due: the one that a batch woke may have been stopped before that.
_WAKE_S = 1.0

logger = logging.getLogger("jaxdali")


class WorkerPool:
    """`workers` processes that fill the slots of `served_sources`.

    They start in `start`, and end in `close`, when the pool is garbage collected, when the interpreter exits, and at the
    latest when this process ends. A worker that dies is replaced, and a free worker redoes what it was doing.

    Args:
        served_sources: their rings share the events of the first one.
        start_method: one of START_METHODS.
        pickler: pickles the sources, where they are pickled; None: cloudpickle.
        restarts: how often the same piece of work may be started again because its worker died. A stateful source
            cannot start again: the death of its worker is an error at once.
        timeout_s: a worker is killed, which is a death, if it takes longer for one sample (or batch), to load its source,
            or to take work that is due. None: no limit.
        affinity: the CPUs of each worker, of all `most`.
        most: how many processes share the sources that spread once they decode; 0: `workers`.
        beside: further rings that the workers are given, see `ring.file_decoding.Held`.
        or_fork: only native threads speak against a fork: if the sources cannot be sent to fresh processes, workers are
            forked, and either way a warning says so. `start_method` is then how they did start.
        program: what workers run, see `make_launcher`; only with "spawn".

    Raises:
        ConfigError: no workers, an unknown start method, or a source that cannot be pickled.
    """

    waits = True
    begun = False

    def __init__(
        self,
        served_sources: Sequence[ServedSource],
        *,
        workers: int,
        start_method: str,
        pickler: SourcePickler | None = None,
        restarts: int = 3,
        timeout_s: float | None = None,
        affinity: Cpus = (),
        most: int = 0,
        beside: Sequence[ServedSource] = (),
        or_fork: bool = False,
        program: WorkerProgram | None = None,
    ):
        if workers < 1 or workers >= 1 << 16:
            raise ConfigError(f"the number of workers must be between 1 and 65535, got {workers}")
        if start_method not in START_METHODS:
            raise ConfigError(
                f"cannot find context for {start_method!r}: the start method is one of {', '.join(START_METHODS)}"
            )
        self.workers, self.start_method = workers, start_method
        self.counters = Counters()
        self._served, self._beside = [*served_sources], [*beside]
        self._pickler = pickler
        self._affinity, self._or_fork, self._program = affinity, or_fork, program
        self._restarts = restarts
        self._timeout_s = timeout_s
        self.watch: HangWatch | None = None if timeout_s is None else Watch(self._served, workers, timeout_s)
        self._wake_s = _WAKE_S if timeout_s is None else min(_WAKE_S, timeout_s / 4)
        self._launcher: Launcher | None = None
        self._all_begun = False  # all that `start` does was done
        self._owner_pid = os.getpid()
        self._members = {worker_id: Member() for worker_id in range(workers)}
        self.decoding = Spreading(self._served, self._members, most)
        self.whereabouts = Whereabouts(self._served, self._members, timeout_s)
        self._reports = Reports(self._served)
        self._dead_work = DeadWork(self._served, workers, restarts, self.counters)
        # Makes the exception to raise from now on. A new one each time, because a raised exception holds its frames.
        self._broken: Callable[[], Exception] | None = None
        self._forgot: dict[int, Callable[[], Exception]] = {}  # the same, of an owner that had a source's position
        self._told = False  # somebody knows that it is broken
        self._finalizer: weakref.finalize[Any, Any] | None = None
        self._jax_warnings = JaxWarnings()
        self._next_poll = self._wake_at = 0.0
        self._dead: list[Death] = []

    @property
    def divides(self) -> bool:
        """Whether more workers would share the work."""
        return any(served.source.divides for served in self._served)

    @property
    def started(self) -> bool:
        return self._launcher is not None

    def breaks(self, served: ServedSource, slot: int | None) -> bool:
        """Whether `work` raises until `recover`: workers cannot start, or cannot load the source; or a source's position is
        lost. Batches due before that still come: an error is that of the same batch however early a death is noticed.
        """
        if self._broken is not None or slot is None or not self._forgot:
            return self._broken is not None or bool(self._forgot)
        able = [worker_id + 1 for worker_id in self._members if worker_id + 1 not in self._forgot]
        return not self._dead_work.may_come(served, slot, able)

    @property
    def pids(self) -> dict[int, int]:
        """Process ids of the live workers by worker id. Waits until those that are starting have one.

        Raises:
            WorkerError: the process that starts them does not answer.
        """
        if self._launcher is None:
            return {}
        self._launcher.wait_for_pids()
        if silence := self._launcher.silence():
            raise WorkerError(silence)
        return dict(self._launcher.pids)

    def start(self) -> None:
        """Starts the processes, if that is still to be done; does not wait until they are ready. Raises a WorkerError."""
        if self._all_begun:
            return
        if self._launcher is None:
            try:
                self._launcher = make_launcher(
                    *(self.start_method, self._served + self._beside, self.workers, self._pickler),
                    *(self._affinity, self._timeout_s, self._or_fork, self._program),
                )
            except OSError as error:
                if raised_by_handler(error):
                    raise
                raise WorkerError(f"worker processes cannot be started: {error}") from error
        # An interrupt may come at any point; then the next call does all of this again.
        if isinstance(self._launcher, ForkLauncher):
            self.start_method = "fork"
        self._finalizer = self._finalizer or weakref.finalize(
            self, shut_down, self._served[0].ring, self._launcher, self._members, self._owner_pid
        )
        self.whereabouts.launcher = self._launcher
        for member in self._members.values():
            member.restart_at = time.monotonic()
        self.decoding.begin()
        self._all_begun = True
        self._launch_due()
        if self._broken is not None:
            raise self._broken()

    def _launch_due(self) -> None:
        for worker_id, member in self._members.items():
            if member.due and worker_id + 1 not in self._forgot:
                try:
                    self._launch(worker_id)
                except OSError as error:
                    if raised_by_handler(error):
                        raise
                    self._cannot_start(worker_id, error)
                    return

    def _cannot_start(self, worker_id: int, error: OSError) -> None:
        if self.decoding.can_do_without(worker_id, error):
            return
        advice = "a pipeline's reset() or a Loader's seek(step) tries again; if that fails too, make a new one"
        if error.errno in (errno.EMFILE, errno.ENFILE):
            advice = f"`ulimit -n` says how many files a process may have open; {advice}"
        words = f"a worker process cannot be started: {error}; {advice}", SampleOrigin(worker_id=worker_id)
        self._broken = functools.partial(WorkerError, *words)

    def _launch(self, worker_id: int) -> None:
        assert self._launcher is not None
        connection = self._launcher.launch(worker_id)
        close_in_children(connection)
        self._members[worker_id].began(self._launcher.pids.get(worker_id), MessageReader(connection))

    def _pid(self, worker_id: int) -> int | None:
        """Returns the process id of a worker that was heard from: its present process, or its last one."""
        member = self._members[worker_id]
        if member.pid is None and self._launcher is not None:
            self._launcher.wait_for_pids()  # does not wait long: the worker has acted, so it was started
            member.pid = self._launcher.pids.get(worker_id)
        return member.pid

    def work(self, served: ServedSource, slot: int | None) -> None:
        """Called while a batch is awaited, or a slot: reads messages, notices deaths, starts replacements.

        Raises:
            WorkerError: a worker died, and its work cannot be done again.
            SourceError: a worker could not load the source.
        """
        self.start()
        self._attend()
        self._jax_warnings.warn()
        if self.breaks(served, slot):
            self._told = True
            raise (self._broken or self._forgot[self._dead_work.who_lost(served, slot) or min(self._forgot)])()

    def look(self) -> None:
        """Called with every batch. Now and then it does what `work` does, which is not called while no batch has to be
        awaited. Raises no error of the pool, but may raise a warning that filters made an exception.
        """
        if self._launcher is not None and time.monotonic() >= self._next_poll:
            self._next_poll = time.monotonic() + _POLL_S
            self._attend()
            self._jax_warnings.warn()

    def _attend(self) -> None:
        assert self._launcher is not None
        self._end_the_hung()
        # Before the messages: then everything a worker said before it died is in its socket.
        self._dead += self._launcher.deaths()
        if self._served[0].ring.closing:
            return  # they leave because they were told to
        self._listen()
        while self._dead:
            self._bury(self._dead[0])
            del self._dead[0]  # last: if an interrupt comes in between, the next call must still find the death
        for worker_id, error in self._launcher.refused():
            if worker_id in self._members:  # else it was done without
                self._members[worker_id].wanted()
            if self._broken is None:
                self._cannot_start(worker_id, error)
        silence = self._launcher.silence(any(member.missed for member in self._members.values()))
        if silence and self._broken is None:
            self._broken = functools.partial(WorkerError, f"{silence}; reset() waits once more, close() ends it")
        if self._broken is None:
            self._launch_due()
        if time.monotonic() >= self._wake_at:
            self._wake_at = time.monotonic() + self._wake_s
            self._served[0].ring.wake_workers()

    def _listen(self) -> None:
        for worker_id, member in list(self._members.items()):
            if member.reader is None:
                continue
            try:
                messages = member.reader.read()
            except BadMessage as error:
                self._end(worker_id, f", after it sent an invalid message: {error}")
                continue
            for message in messages:
                self._hear(worker_id, message)

    def _hear(self, worker_id: int, message: dict[str, object]) -> None:
        member = self._members[worker_id]
        if message["type"] in ("began", "ready", "alive"):
            member.hear(message["type"])
        elif message["type"] == "failure":
            if not self._reports.add(Failure.from_message(message)):
                self._end(
                    worker_id, ", after it sent an invalid message, about a source or an output that does not exist"
                )
        elif message["type"] == "item":
            member.reads = read_item(message, self._served)
        elif message["type"] == "unusable":
            text = loading_error(message, by_choice=self._or_fork and self.start_method != "fork")
            place = SampleOrigin(worker_id=worker_id, pid=self._pid(worker_id))
            self._broken = functools.partial(SourceError, text, place)
        elif message["type"] == "warning":
            logger.warning("worker %d: %s", worker_id, message["message"])
        elif message["type"] == "lost":
            self._broken = functools.partial(WorkerError, str(message["message"]), SampleOrigin(worker_id=worker_id))
        elif message["type"] == "decodes":
            self.decoding.hear(str(message["format"]))
        elif message["type"] == "jax":
            self._jax_warnings.add(message)

    def _end_the_hung(self) -> None:
        if self.watch is None or self._launcher is None:
            return
        self._listen()  # a worker that reads items of a stream tells of them only by messages
        for worker_id, why in self.watch.hung(self._members, list(self._launcher.pids)).items():
            self._end(worker_id, why)

    def _end(self, worker_id: int, why: str) -> None:
        """Kills a worker, at most once.

        Args:
            why: the reason, as the end of a sentence.
        """
        assert self._launcher is not None
        self._launcher.wait_for_pids()  # does not wait long: the worker has acted, so it was started
        member = self._members[worker_id]
        if not member.hung and member.reader is not None:
            member.hung = why
            with contextlib.suppress(KeyError, ProcessLookupError):  # it is dead already
                os.kill(self._launcher.pids[worker_id], signal.SIGKILL)

    def _bury(self, death: Death) -> None:
        """Lets other workers redo the work of a dead worker, or records why that is impossible."""
        self.counters.deaths += 1
        member, owner = self._members[death.worker_id], death.worker_id + 1
        member.died()
        if self.watch is not None:
            self.watch.forget(owner)
        if self._broken is None:  # else the reason was given already
            how = describe_exit(death.exit_code)
            logger.warning("worker %d (pid %d) died by %s%s", death.worker_id, death.pid, how, death.why + member.hung)
        held, spent, forgotten = self._dead_work.redo(owner)
        for work in spent:
            self._reports.give_up(work, owner, death_error(death, member, work, self._dead_work.spent_reason))
        if forgotten:
            self._forgot[owner] = functools.partial(WorkerError, *death_error(death, member, held, forgotten))
        reason = "; no replacement can be started" if death.final else ""
        if not reason and member.unlucky > self._restarts:
            reason = f"; {member.unlucky} in a row died before they had loaded their source"
        if reason and self._broken is None:
            self._broken = functools.partial(WorkerError, *death_error(death, member, held, forgotten or reason))

    def failure(self, served: ServedSource, slot: int, chunk: int, ticket: int) -> Failure:
        """Returns the report for a chunk whose word says FAILED."""
        key = (self._served.index(served), slot, chunk)
        if (found := self._reports.find(key, ticket)) is None:
            self.work(served, slot)  # the slot is done, so a loss of other work does not raise here
            found = self._reports.find(key, ticket)
        return unreported(*key, ticket) if found is None else found

    def original(self, failure: Failure, origin: SampleOrigin) -> BaseException | None:
        """Returns the error of a chunk that workers died of; None for others, since the exception stayed in its process."""
        return self._reports.death(failure)

    def worker_of(self, owner: int) -> tuple[int | None, int | None]:
        """Returns the worker id and process id for the owner id of a word."""
        return (owner - 1, self._pid(owner - 1)) if owner - 1 in self._members else (None, None)

    def lost(self, served: ServedSource) -> bool:
        """Whether a source's state died with a worker since the last `recover`."""
        return self._dead_work.has_lost(served)

    def recover(self) -> None:
        """Called after every feed has restarted: forgets failures and replaces missing workers.

        Does nothing before the failure was raised if a source lost its position: the user must learn that it starts
        anew.
        """
        if self._launcher is None or not (self._broken or self._forgot):
            return
        if not self._told and self._dead_work.lost_a_position:
            return
        self._launcher.forgive()
        self._dead_work.forget()
        for worker_id, member in self._members.items():
            member.unlucky = 0
            if member.reader is None:
                for served in self._served:
                    for slot, chunk in served.ring.owned_by(worker_id + 1):
                        served.ring.reopen(slot, chunk, worker_id + 1)
        # Last: after an interrupt the next call must do all of this.
        self._broken, self._told, self._forgot = None, False, {}

    def close(self) -> None:
        """Ends all workers and waits for them. If an interrupt cuts it short, it may be called again to finish;
        otherwise the interpreter finishes it at exit.
        """
        if self._launcher is not None and self._finalizer is not None and self._finalizer.alive:
            shut_down(self._served[0].ring, self._launcher, self._members, self._owner_pid)
            self._finalizer.detach()
