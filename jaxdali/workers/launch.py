"""How worker processes begin and end: fresh interpreters, or forks of a zygote."""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Collection, Sequence
from typing import Protocol

from . import zygote
from .affinity import Cpus
from .child import CUT_OFF, ORPHANED
from .descriptors import socket_pair
from .interpreter import Interpreters
from .job import Job
from .pickler import SourcePickler

__all__ = ["START_METHODS", "Death", "Launcher", "describe_exit", "make_launcher"]

START_METHODS = ("fork", "spawn", "forkserver")

# A worker that is asked to stop finishes the sample it is at; one that takes longer is killed.
GRACE_S = 0.5

# Another thread may have taken the message that this one waits for.
_LOOK_S = 0.05


@dataclasses.dataclass(frozen=True)
class Death:
    """A worker process that is gone. `exit_code` is negative for a signal's number; `why` says what is known besides.
    `final`: no other can be started in its place.
    """

    worker_id: int
    pid: int
    exit_code: int
    why: str = ""
    final: bool = False


class Launcher(Protocol):
    @property
    def pids(self) -> dict[int, int]:
        """Process ids by worker id, of the workers that live. One that was only just launched may have none yet."""
        ...

    def launch(self, worker_id: int) -> socket.socket:
        """Starts a worker; returns this end of its socket.

        Raises:
            OSError: it cannot be started.
        """
        ...

    def wait_for_pids(self) -> None:
        """Waits until every worker that was launched has a process id."""
        ...

    def deaths(self) -> list[Death]:
        """Workers that died since the last call."""
        ...

    def terminate(self, loading: Collection[int] = ()) -> None:
        """Ends and reaps all workers; those still busy after GRACE_S are killed.

        Args:
            loading: workers that have not even begun; they are killed at once.
        """
        ...


def make_launcher(
    start_method: str, jobs: Sequence[Job], workers: int, pickler: SourcePickler | None, affinity: Cpus = ()
) -> Launcher:
    """The launcher of a start method.

    Args:
        workers: how many there will be.
        pickler: of the sources, where they are pickled; None: cloudpickle.
        affinity: the CPUs of each worker.

    Raises:
        ConfigError: a source cannot be pickled.
    """
    if start_method == "fork":
        return ForkLauncher(*zygote.start(jobs, workers, affinity))
    interpreters = Interpreters(jobs, workers, pickler, affinity)
    return SpawnLauncher(interpreters) if start_method == "spawn" else ForkserverLauncher(interpreters)


def describe_exit(exit_code: int) -> str:
    """In words: 'signal 9 (SIGKILL)' or 'exit code 3'."""
    if exit_code < 0:
        try:
            name = signal.Signals(-exit_code).name
        except ValueError:
            name = "unknown"
        return f"signal {-exit_code} ({name})"
    if exit_code == CUT_OFF:
        return f"exit code {exit_code} (its source closed descriptors that are not its own)"
    return f"exit code {exit_code}"


class SpawnLauncher:
    """A fresh interpreter a worker: nothing is inherited, so it works at any time, with any threads."""

    def __init__(self, interpreters: Interpreters):
        self._interpreters = interpreters
        self._processes: dict[int, subprocess.Popen[bytes]] = {}

    @property
    def pids(self) -> dict[int, int]:
        return {worker_id: process.pid for worker_id, process in self._processes.items()}

    def launch(self, worker_id: int) -> socket.socket:
        ours, theirs = socket_pair()
        try:
            self._processes[worker_id] = self._interpreters.start(theirs, worker_id=worker_id)
        except BaseException:
            ours.close()
            raise
        return ours

    def wait_for_pids(self) -> None:
        """They are known at once."""

    def deaths(self) -> list[Death]:
        gone = [(i, p, p.poll()) for i, p in self._processes.items()]
        dead = [Death(worker_id, p.pid, code) for worker_id, p, code in gone if code is not None]
        for death in dead:
            del self._processes[death.worker_id]
        return dead

    def terminate(self, loading: Collection[int] = ()) -> None:
        deadline = time.monotonic() + GRACE_S
        try:
            for worker_id, process in self._processes.items():
                if worker_id in loading:
                    process.kill()
            for process in self._processes.values():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(max(0.0, deadline - time.monotonic()))
        finally:
            for process in self._processes.values():
                process.kill()
            for process in self._processes.values():
                process.wait()
            self._processes.clear()
            self._interpreters.close()


class _ZygoteLauncher(abc.ABC):
    """Forks of a zygote, which can fork at any later time."""

    def __init__(self, control: socket.socket, zygote_pid: int):
        self._control = control
        self._zygote_pid = zygote_pid
        self._messages = zygote.Messages(control)
        self._pids: dict[int, int] = {}
        self._unborn: set[int] = set()
        self._began = False
        self._deaths: list[Death] = []
        # A worker's birth is to be noted before its death, whichever threads of the user's ask at once.
        self._lock = threading.RLock()

    @property
    def pids(self) -> dict[int, int]:
        if self._unborn:
            self._read()
        return self._pids

    def launch(self, worker_id: int) -> socket.socket:
        ours, theirs = socket_pair()
        self._unborn.add(worker_id)  # first: the answer may be read by another thread
        try:
            with theirs:
                self._messages.send_fork(worker_id, theirs)
        except BaseException:
            self._unborn.discard(worker_id)
            ours.close()
            raise
        return ours

    def wait_for_pids(self) -> None:
        while self._unborn and not self._messages.ended:
            self._messages.wait(_LOOK_S)
            self._read()

    def _read(self) -> None:
        with self._lock:
            for kind, worker_id, pid, status in self._messages.receive():
                if kind == zygote.BORN:
                    self._began = True
                    self._unborn.discard(worker_id)
                    self._pids[worker_id] = pid
                else:
                    self._pids.pop(worker_id, None)
                    self._deaths.append(Death(worker_id, pid, os.waitstatus_to_exitcode(status)))

    def deaths(self) -> list[Death]:
        self._read()
        with self._lock:
            dead, self._deaths = self._deaths, []
        if self._messages.ended:
            lost = {**dict.fromkeys(self._unborn, self._zygote_pid), **self._pids}
            why = f", because the process that forked it (pid {self._zygote_pid}) died"
            dead += [Death(worker_id, pid, ORPHANED, why, True) for worker_id, pid in lost.items()]
            self._pids.clear()
            self._unborn.clear()
        return dead

    def terminate(self, loading: Collection[int] = ()) -> None:
        # Forks begin in no time; if they are loading, then in their zygote, of which `_reap_zygote` takes care.
        deadline = time.monotonic() + GRACE_S
        try:
            self._read()
            while self._pids and not self._messages.ended and (left := deadline - time.monotonic()) > 0:
                self._messages.wait(min(left, _LOOK_S))
                self._read()
        finally:
            # End of file makes the zygote kill and reap whoever is left, and leave. Shut down, not only closed: a
            # process that the user forked holds a copy of our end.
            with contextlib.suppress(OSError), self._control:
                self._control.shutdown(socket.SHUT_RDWR)
            self._reap_zygote()
            self._unborn.clear()
            self._pids.clear()

    @abc.abstractmethod
    def _reap_zygote(self) -> None:
        """Called when it has been told to leave."""


class ForkLauncher(_ZygoteLauncher):
    """Forks of this process as it is when the launcher is made."""

    def _reap_zygote(self) -> None:
        with contextlib.suppress(ChildProcessError):  # the user's SIGCHLD handler was faster
            os.waitpid(self._zygote_pid, 0)


class ForkserverLauncher(_ZygoteLauncher):
    """Forks of a fresh interpreter that has loaded the sources."""

    def __init__(self, interpreters: Interpreters):
        self._interpreters = interpreters
        ours, theirs = socket_pair(socket.SOCK_SEQPACKET)
        try:
            self._process = interpreters.start(theirs, preload=True)
        except BaseException:
            ours.close()
            interpreters.close()
            raise
        zygote.close_in_children(ours)
        super().__init__(ours, self._process.pid)

    def _reap_zygote(self) -> None:
        try:
            if not self._began:  # it is still loading, and would not listen
                self._process.kill()
            self._process.wait()
        finally:
            self._interpreters.close()
