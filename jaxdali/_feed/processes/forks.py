"""Workers that are forked by a zygote."""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import errno
import os
import signal
import socket
import threading
import time
from collections.abc import Collection

from jaxdali._base.interruptions import raised_by_handler
from jaxdali._base.patience import Patience
from . import zygote
from .clock import Clock
from .descriptors import socket_pair
from .hang_watch import late_in_loading, loading_limit_s
from .interpreter import Interpreters
from .launcher import GRACE_S, Death, kernel_state
from .process_names import is_worker
from .reaping import ended
from .worker import ORPHANED

__all__ = ["ForkLauncher", "ForkserverLauncher"]

# Longest single wait: another thread may already have read the message that this one waits for.
_POLL_S = 0.05
_GLANCE_S = 0.001

# A zygote that is told to leave kills and reaps its workers first. After this time it is taken to be stopped.
_LEAVE_S = 2.0

# How long a zygote may take to answer; it has nothing else to do. A message heard less than _HEARD_S ago counts as an
# answer.
_SILENT_S = 5.0
_HEARD_S = 1.0


class _ZygoteLauncher(abc.ABC):
    """Starts workers as forks of a zygote, which can fork at any later time."""

    def __init__(self, control: socket.socket, zygote_pid: int):
        # A worker's birth must be recorded before its death, even if several user threads read at once.
        self._lock = threading.RLock()
        self._pids: dict[int, int] = {}
        self._unborn: set[int] = set()
        self._deaths: list[Death] = []
        self._refused: list[tuple[int, OSError]] = []
        self._clock = Clock()
        self._connect(control, zygote_pid)

    def _connect(self, control: socket.socket, zygote_pid: int) -> None:
        self._control = control
        self._zygote_pid = zygote_pid
        self._messages = zygote.Messages(control)
        self._began = False
        self._loads_since: float | None = None
        # When the zygote was last heard, and when it was asked for a sign of life that it has not answered yet.
        self._heard_at: float | None = None
        self._asked_at: float | None = None

    @property
    def pids(self) -> dict[int, int]:
        if self._unborn:
            self._read()
        return self._pids

    def launch(self, worker_id: int) -> socket.socket:
        if self._messages.ended:
            raise OSError(errno.ESRCH, f"the process that forks them (pid {self._zygote_pid}) is gone")
        ours, theirs = socket_pair()
        self._unborn.add(worker_id)  # before the request: another thread may read the answer
        try:
            with theirs:
                self._messages.send_fork(worker_id, theirs)
        except BaseException:
            self._unborn.discard(worker_id)
            ours.close()
            raise
        return ours

    def wait_for_pids(self) -> None:
        patience: Patience | None = None
        while self._unborn and not self._messages.ended and not self.silence():
            self._messages.wait(_POLL_S)
            self._read()
            patience = patience or Patience(lambda: f"worker processes to start: {self.holdup()}")
            patience.wait()

    def _read(self) -> None:
        with self._lock:
            now = self._clock()  # also if nothing has come: it counts the time in which it is read
            for kind, worker_id, pid, status in self._messages.receive():
                self._heard_at, self._asked_at = now, None
                if kind == zygote.BEGAN:
                    self._loads_since = now
                elif kind == zygote.BORN:
                    self._began = True
                    self._unborn.discard(worker_id)
                    self._pids[worker_id] = pid
                elif kind == zygote.DIED:
                    self._pids.pop(worker_id, None)
                    self._deaths.append(Death(worker_id, pid, os.waitstatus_to_exitcode(status)))
                elif kind == zygote.REFUSED:
                    self._began = True
                    self._unborn.discard(worker_id)
                    self._refused.append((worker_id, OSError(status, os.strerror(status))))

    def deaths(self) -> list[Death]:
        self._read()
        if self._messages.ended:
            self._lose_workers()
        with self._lock:
            dead, self._deaths = self._deaths, []
        return dead

    def _lose_workers(self) -> None:
        """Notes that all workers died with the zygote."""
        with self._lock:  # another thread may be reading
            lost = {**dict.fromkeys(self._unborn, self._zygote_pid), **self._pids}
            self._deaths += [self._lost_with_zygote(worker_id, pid) for worker_id, pid in lost.items()]
            self._pids.clear()
            self._unborn.clear()

    def _lost_with_zygote(self, worker_id: int, pid: int) -> Death:
        why = f", because the process that forked it (pid {self._zygote_pid}) died"
        return Death(worker_id, pid, ORPHANED, why, True)

    def refused(self) -> list[tuple[int, OSError]]:
        with self._lock:
            refused, self._refused = self._refused, []
        return refused

    def silence(self, missed: bool = False) -> str:
        if self._messages.ended or not self._listens or not (missed or self._unborn):
            self._asked_at = None
            return ""
        self._read()
        now = self._clock()
        if self._asked_at is None:
            if self._heard_at is None or now - self._heard_at > _HEARD_S:
                self._messages.ask()
                self._asked_at = now
            return ""
        if now - self._asked_at <= _SILENT_S:
            return ""
        return (
            f"the process that forks workers (pid {self._zygote_pid}{kernel_state(self._zygote_pid)}) has not answered for "
            f"{_SILENT_S:g} s, so a worker cannot be replaced; if it is stopped, continue it (kill -CONT {self._zygote_pid})"
        )

    def holdup(self) -> str:
        if not self._unborn:
            return ""
        what = "is to fork them" if self._listens else "has not begun to load the sources"
        if not self._listens and self._loads_since is not None:
            what = f"has been loading the sources for {self._clock() - self._loads_since:.1f} s"
        return f"the process that forks workers (pid {self._zygote_pid}{kernel_state(self._zygote_pid)}) {what}"

    def forgive(self) -> None:
        self._asked_at = None

    @property
    def _listens(self) -> bool:
        """Whether the zygote is only waiting for orders."""
        return True

    def terminate(self, loading: Collection[int] = ()) -> None:
        # Forks start at once. If anything is still loading it is the zygote, which `_reap_zygote` ends.
        deadline = time.monotonic() + GRACE_S
        told = self._control.fileno() < 0  # an earlier call was interrupted after it had closed the socket
        try:
            if not told:
                self._read()
            while not told and self._pids and not self._messages.ended and (left := deadline - time.monotonic()) > 0:
                self._messages.wait(min(left, _POLL_S))
                self._read()
        finally:
            # End of file makes the zygote kill and reap the remaining workers, and leave. Closing is not enough, hence
            # the shutdown: a process that the user forked holds a copy of our end. We can still see the zygote close
            # its end.
            try:
                with self._control:
                    self._control.shutdown(socket.SHUT_WR)
                    if self._listens:
                        self._messages.wait_for_end(_LEAVE_S)
                    self._end_workers_of_silent()
            except OSError as error:  # it is gone
                if raised_by_handler(error):
                    raise
            self._reap_zygote()
            self._unborn.clear()
            self._pids.clear()

    def _end_workers_of_silent(self) -> None:
        """Kills the workers of a zygote that does not leave. It reaps none, so the process ids are still theirs."""
        if not self._messages.ended:
            self._read()
            for pid in self._pids.values():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    @abc.abstractmethod
    def _reap_zygote(self) -> None:
        """Called once the zygote had time to leave. Kills it if it has not; its workers die too, even stopped ones."""


class ForkLauncher(_ZygoteLauncher):
    """Starts workers as forks of this process in the state it has when the launcher is made."""

    def _reap_zygote(self) -> None:
        with contextlib.suppress(ChildProcessError, ProcessLookupError):  # the user's SIGCHLD handler reaped it first
            if not self._messages.ended and self._reap() is None:
                os.kill(self._zygote_pid, signal.SIGKILL)
            ended(self._zygote_pid, self._reap)

    def _reap(self) -> int | None:
        pid, status = os.waitpid(self._zygote_pid, os.WNOHANG)
        return status if pid else None


class ForkserverLauncher(_ZygoteLauncher):
    """Starts workers as forks of a fresh interpreter that has loaded the sources.

    Args:
        timeout_s: the interpreter is killed if loading takes longer, which counts as the death of all its workers;
            None: no limit.
    """

    def __init__(self, interpreters: Interpreters, timeout_s: float | None):
        self._interpreters = interpreters
        self._timeout_s = timeout_s
        self._lost: dict[int, int] = {}
        try:
            control = self._start()
        except BaseException:
            interpreters.close()
            raise
        super().__init__(control, self._process.pid)

    def _start(self) -> socket.socket:
        ours, theirs = socket_pair(socket.SOCK_SEQPACKET)
        try:
            self._process = self._interpreters.start(theirs, preload=True)
        except BaseException:
            ours.close()
            raise
        zygote.close_in_children(ours)
        self._hung = ""
        return ours

    def launch(self, worker_id: int) -> socket.socket:
        if self._messages.ended:
            # It died, and so did its workers. Another one loads the same sources.
            self._lose_workers()
            self._process.wait()
            control = self._start()
            with self._lock:
                self._control.close()
                self._connect(control, self._process.pid)
        return super().launch(worker_id)

    def _lose_workers(self) -> None:
        # Until they are dead, they may claim what becomes free by the news of their deaths, and write to slots. The kernel
        # kills them with their zygote, but only after it has closed its socket.
        self._lost.update(self._pids)  # kept, for an interrupt may cut the wait short
        super()._lose_workers()
        self._process.kill()
        deadline = time.monotonic() + _LEAVE_S
        while any(is_worker(*one) for one in self._lost.items()) and time.monotonic() < deadline:
            time.sleep(_GLANCE_S)
        self._lost.clear()

    def _connect(self, control: socket.socket, zygote_pid: int) -> None:
        super()._connect(control, zygote_pid)
        self._started_at = self._clock()

    @property
    def _listens(self) -> bool:
        return self._began

    def _read(self) -> None:
        super()._read()
        if self._timeout_s is None or self._began or self._hung or self._messages.ended:
            return
        loads = self._loads_since is not None
        since = self._started_at if self._loads_since is None else self._loads_since
        if self._clock() - since > loading_limit_s(self._timeout_s, loads):
            self._hung = late_in_loading(self._timeout_s, loads)
            self._process.kill()

    def _lost_with_zygote(self, worker_id: int, pid: int) -> Death:
        if self._hung:
            return Death(worker_id, pid, -signal.SIGKILL, self._hung)
        return dataclasses.replace(super()._lost_with_zygote(worker_id, pid), final=False)

    def _reap_zygote(self) -> None:
        try:
            if not self._messages.ended:  # it is stopped or still loading, and would not read an order
                self._process.kill()
            self._process.wait()
        finally:
            self._interpreters.close()
