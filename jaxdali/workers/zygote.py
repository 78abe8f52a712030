"""A process that forks workers at any time, and reaps them.

Forking the user's process is safe only while it has no threads and no accelerator. The zygote is forked from it early, or
begins as a fresh interpreter (`forkserver`), and stays as it was: a worker that dies much later can still be replaced.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import struct
import traceback
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from .. import _host
from .affinity import Cpus, keep_process_on
from .child import CUT_OFF, ORPHANED, flush, run_worker
from .descriptors import above_standard, open_pidfd, socket_pair
from .job import Job

__all__ = ["BORN", "DIED", "Messages", "Zygote", "close_in_children", "interrupts_blocked", "start"]

BORN, DIED = 1, 2
_REPORT = struct.Struct("<iiii")  # kind, worker id, pid, wait status
_FORK = struct.Struct("<i")  # worker id; the worker's socket comes along as a descriptor

# Sockets of other pools: a forked child that kept them would hold their workers' connections open.
_parent_only: weakref.WeakSet[socket.socket] = weakref.WeakSet()


@contextlib.contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Ctrl-C waits until the end of the block: a process born in it can ignore it before it hits."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def close_in_children(connection: socket.socket) -> None:
    """Registers a socket that no process forked later may keep."""
    _parent_only.add(connection)


class Messages:
    """The parent's side of the zygote's socket."""

    def __init__(self, control: socket.socket):
        self._control = control
        self.ended = False

    def send_fork(self, worker_id: int, connection: socket.socket) -> None:
        socket.send_fds(self._control, [_FORK.pack(worker_id)], [connection.fileno()])

    def wait(self, timeout_s: float) -> None:
        """Returns when there may be something to `receive`, or after a while."""
        _readable([self._control], timeout_s)

    def receive(self) -> list[tuple[int, int, int, int]]:
        """The reports that have come. None come any more when `ended`."""
        reports: list[tuple[int, int, int, int]] = []
        while True:
            try:
                data = self._control.recv(_REPORT.size, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return reports
            except ConnectionResetError:
                data = b""
            if not data:
                self.ended = True
                return reports
            reports.append(_REPORT.unpack(data))


def _readable(files: Sequence[Any], timeout_s: float | None) -> list[int]:
    """Descriptors with something to read; poll, because select takes none above 1023."""
    poll = select.poll()
    for file in files:
        poll.register(file, select.POLLIN)
    return [fd for fd, _ in poll.poll(None if timeout_s is None else timeout_s * 1000)]


def start(jobs: Sequence[Job], workers: int, affinity: Cpus = ()) -> tuple[socket.socket, int]:
    """Forks the zygote from this process. Returns the parent's end of its socket and its process id."""
    ours, theirs = socket_pair(socket.SOCK_SEQPACKET)
    parent_fd = open_pidfd(os.getpid())
    # What is still in the buffers would be written once by every process.
    flush()
    with interrupts_blocked():
        pid = os.fork()
        if pid == 0:
            # Interrupts are the parent's business: it closes the ring.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    if pid == 0:
        try:
            ours.close()
            for connection in list(_parent_only):
                connection.close()

            def work(connection: socket.socket, worker_id: int) -> None:
                keep_process_on(affinity, worker_id)
                run_worker(jobs, connection, worker_id, workers)

            Zygote(work, theirs, parent_fd).run()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    theirs.close()
    os.close(parent_fd)
    close_in_children(ours)
    return ours, pid


def _fork() -> int:
    with warnings.catch_warnings():
        # Python warns of other threads. There is one here at most, our own, which takes no lock.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


class Zygote:
    """Forks workers when it is asked to; the only thread of Python in its process.

    Args:
        work: what a worker does, with its socket and its worker id.
        control: the other end of `Messages`.
        parent_fd: pidfd of the process that all this is for.
    """

    def __init__(self, work: Callable[[socket.socket, int], None], control: socket.socket, parent_fd: int):
        self._work = work
        self._control = control
        self._parent_fd = parent_fd
        self._own_fd = open_pidfd(os.getpid())
        self._children: dict[int, tuple[int, int]] = {}  # pidfd -> (pid, worker id)

    def run(self) -> NoReturn:
        """Serves until the parent closes the socket or is gone; then kills and reaps what is left."""
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, it would reap what is ours to reap
        signal.set_wakeup_fd(-1)
        serving = True
        while serving:
            for fd in _readable([self._control, self._parent_fd, *self._children], None):
                if fd == self._control.fileno():
                    serving = self._obey() and serving
                elif fd == self._parent_fd:
                    serving = False
                else:
                    self._reap(fd)
        for pid, _ in self._children.values():
            os.kill(pid, signal.SIGKILL)
        for pid, _ in self._children.values():
            os.waitpid(pid, 0)
        os._exit(0)

    def _obey(self) -> bool:
        try:
            message, fds, _, _ = socket.recv_fds(self._control, _FORK.size, 1)
        except ConnectionResetError:  # the parent has left, and not read everything
            return False
        if not message:
            return False
        fds = [above_standard(fd) for fd in fds]
        (worker_id,) = _FORK.unpack(message)
        pid = _fork()
        if pid == 0:
            self._become_worker(worker_id, fds[0])
        for fd in fds:
            os.close(fd)
        self._children[open_pidfd(pid)] = (pid, worker_id)
        self._report(BORN, worker_id, pid, 0)
        return True

    def _report(self, kind: int, worker_id: int, pid: int, status: int) -> None:
        with contextlib.suppress(
            BrokenPipeError, ConnectionResetError
        ):  # the parent has left; that comes as the end of the file
            self._control.send(_REPORT.pack(kind, worker_id, pid, status))

    def _become_worker(self, worker_id: int, connection_fd: int) -> None:
        code = 1
        try:
            self._control.close()
            for fd in self._children:
                os.close(fd)
            # Nobody would reap or end the workers of a zygote that was killed.
            for fd in (self._parent_fd, self._own_fd):
                _host.watch_parent(fd, ORPHANED, CUT_OFF)
            # Whatever the source imports from here on must not take the accelerator.
            os.environ.update(JAX_PLATFORMS="cpu", CUDA_VISIBLE_DEVICES="")
            self._work(socket.socket(fileno=connection_fd), worker_id)
            code = 0
        except SystemExit as ending:  # it has said why
            code = ending.code if isinstance(ending.code, int) else 1
        except BaseException:
            traceback.print_exc()
        finally:
            # No atexit handlers: they are copies of the user's. But what a callback printed shall be seen.
            try:
                flush()
            finally:
                os._exit(code)

    def _reap(self, fd: int) -> None:
        pid, worker_id = self._children.pop(fd)
        os.close(fd)
        _, status = os.waitpid(pid, 0)
        self._report(DIED, worker_id, pid, status)
