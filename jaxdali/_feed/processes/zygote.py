"""A process that forks workers at any time, and reaps them.

Forking the user's process is safe only while it has no threads and uses no accelerator. The zygote is forked from it
early, or starts as a fresh interpreter (`forkserver`), and stays in that clean state: it can replace a worker that dies
much later.
"""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import os
import select
import signal
import socket
import struct
import threading
import time
import traceback
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from jaxdali._base.cpus import Cpus, keep_process_on
from jaxdali._base.patience import Patience
from .. import _host
from ..ring.served_source import ServedSource
from .descriptors import above_standard, open_pidfd, socket_pair
from .inherited import fork, handled_signals, ignore_signals, reseed
from .process_names import name_worker, name_zygote
from .worker import CUT_OFF, ORPHANED, flush, run_worker, tell

__all__ = [
    "BEGAN",
    "BORN",
    "DIED",
    "REFUSED",
    "Messages",
    "Zygote",
    "close_in_children",
    "in_main_thread",
    "interrupts_blocked",
    "report_began",
    "start",
]

# A zygote's reports: it begins to load the sources; a worker was forked, died, could not be forked; it is alive, when
# asked.
BEGAN, BORN, DIED, REFUSED, HERE = range(1, 6)
_REPORT = struct.Struct("<iiii")  # kind, worker id, pid, and the wait status if DIED, or the errno if REFUSED
_FORK = struct.Struct("<i")  # worker id, with the worker's socket as an attached descriptor; or _ASK: just answer
_ASK = -1

# Memory or process ids may be short for a moment: a refused fork is tried again after these pauses.
_PAUSES_S = (0.05, 0.1, 0.2, 0.4, 0.8)

# How long to wait for room in the zygote's socket before looking again.
_FULL_S = 0.05

# Sockets of other pools: a forked child that kept them would hold the connections to their workers open.
_parent_only: weakref.WeakSet[socket.socket] = weakref.WeakSet()


@contextlib.contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Holds Ctrl-C back until the end of the block, so that a process born in it can ignore it before it arrives."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def close_in_children(connection: socket.socket) -> None:
    """Registers a socket that processes forked later must close."""
    _parent_only.add(connection)


class Messages:
    """The parent's side of the zygote's socket."""

    def __init__(self, control: socket.socket):
        self._control = control
        self.ended = False

    def send_fork(self, worker_id: int, connection: socket.socket) -> None:
        patience: Patience | None = None
        while True:
            try:
                socket.send_fds(self._control, [_FORK.pack(worker_id)], [connection.fileno()], socket.MSG_DONTWAIT)
                return
            except BlockingIOError:  # its socket is full of orders that it has not read yet
                poll = select.poll()
                poll.register(self._control, select.POLLOUT)
                poll.poll(_FULL_S * 1000)
                patience = patience or Patience(
                    lambda: f"the process that forks workers to read the order for {worker_id}"
                )
                patience.wait()

    def wait_for_end(self, timeout_s: float) -> None:
        """Waits until the zygote has closed its end, or until the timeout."""
        poll = select.poll()
        poll.register(self._control, 0)
        self.ended = bool(poll.poll(timeout_s * 1000)) or self.ended

    def ask(self) -> None:
        """Asks the zygote to report that it is HERE."""
        with contextlib.suppress(OSError):  # it is gone, or its socket is full of messages that it has not read
            self._control.send(_FORK.pack(_ASK), socket.MSG_DONTWAIT)

    def wait(self, timeout_s: float) -> None:
        """Waits until there may be something to `receive`, or until the timeout."""
        _readable([self._control], timeout_s)

    def receive(self) -> list[tuple[int, int, int, int]]:
        """Returns the reports that have arrived. No more will come when `ended`."""
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
    """Returns the descriptors with something to read. Uses poll, because select takes no descriptor above 1023."""
    poll = select.poll()
    for file in files:
        poll.register(file, select.POLLIN)
    return [fd for fd, _ in poll.poll(None if timeout_s is None else timeout_s * 1000)]


def in_main_thread() -> bool:
    """Whether this is the process's first thread, which lives as long as the process."""
    return threading.get_native_id() == os.getpid()


def report_began(control: socket.socket) -> None:
    """Reports that this process, which will be a zygote, has begun to load the sources."""
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the parent has left; `Zygote.run` sees that too
        control.send(_REPORT.pack(BEGAN, 0, os.getpid(), 0))


def start(
    served_sources: Sequence[ServedSource], workers: int, affinity: Cpus = (), *, warns: bool = True
) -> tuple[socket.socket, int]:
    """Forks the zygote from this process. Returns the parent's end of its socket and its process id.

    Args:
        warns: Python may warn about this process's other threads.

    Raises:
        OSError: the system refuses a process or a resource it needs.
    """

    def work(connection: socket.socket, worker_id: int) -> None:
        tell(connection, {"type": "began"})
        keep_process_on(affinity, worker_id)
        reseed()
        run_worker(served_sources, connection, worker_id, workers)

    with contextlib.ExitStack() as undo:
        parent_fd = open_pidfd(os.getpid())
        undo.callback(os.close, parent_fd)
        ours, theirs = socket_pair(socket.SOCK_SEQPACKET)
        undo.enter_context(theirs)
        guarded = in_main_thread()
        # Otherwise every process would write out what is still in the buffers.
        flush()
        try:
            with interrupts_blocked():
                pid = fork() if warns else _fork()
                if pid == 0:
                    # The parent handles interrupts: it closes the ring.
                    signal.signal(signal.SIGINT, signal.SIG_IGN)
                    ignore_signals(handled_signals())
        except BaseException:
            ours.close()
            raise
        if pid == 0:
            _be_zygote(work, ours, theirs, parent_fd, guarded)
    close_in_children(ours)
    return ours, pid


def _be_zygote(
    work: Callable[[socket.socket, int], None],
    ours: socket.socket,
    theirs: socket.socket,
    parent_fd: int,
    guarded: bool,
) -> NoReturn:
    try:
        if guarded:
            _host.die_with_parent()
        name_zygote()
        ours.close()
        for connection in list(_parent_only):
            connection.close()
        Zygote(work, theirs, parent_fd).run()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def _fork() -> int:
    with warnings.catch_warnings():
        # Python warns about other threads. In a zygote there is at most one, our own, which takes no lock.
        warnings.simplefilter("ignore", DeprecationWarning)
        return fork()


@dataclasses.dataclass
class _Order:
    """A worker to fork at time `at`, on the monotonic clock. `pauses`: those that are left if the fork is refused."""

    worker_id: int
    connection_fd: int
    at: float = 0.0
    pauses: tuple[float, ...] = _PAUSES_S


class Zygote:
    """Forks workers when asked to; runs in the only Python thread of its process.

    Args:
        work: what a worker does, called with its socket and its worker id.
        control: the other end of `Messages`.
        parent_fd: pidfd of the process that the workers serve.
    """

    def __init__(self, work: Callable[[socket.socket, int], None], control: socket.socket, parent_fd: int):
        self._work = work
        self._control = control
        self._parent_fd = parent_fd
        self._own_fd = open_pidfd(os.getpid())
        self._children: dict[int, tuple[int, int]] = {}  # pidfd -> (pid, worker id)
        self._orders: list[_Order] = []

    def run(self) -> NoReturn:
        """Serves until the parent closes the socket or is gone; then kills and reaps the remaining workers."""
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if ignored, the kernel would reap our children
        signal.set_wakeup_fd(-1)
        serving = True
        while serving:
            for fd in _readable([self._control, self._parent_fd, *self._children], self._pause_s()):
                if fd == self._control.fileno():
                    serving = self._obey() and serving
                elif fd == self._parent_fd:
                    serving = False
                else:
                    self._reap(fd)
            if serving:
                self._fork_due()
        for pid, _ in self._children.values():
            os.kill(pid, signal.SIGKILL)
        for pid, _ in self._children.values():
            os.waitpid(pid, 0)
        os._exit(0)

    def _obey(self) -> bool:
        try:
            message, fds, _, _ = socket.recv_fds(self._control, _FORK.size, 1)
        except ConnectionResetError:  # the parent has left without reading everything
            return False
        if not message:
            return False
        fds = [above_standard(fd) for fd in fds]
        (worker_id,) = _FORK.unpack(message)
        if worker_id == _ASK:
            self._report(HERE, worker_id, 0, 0)
        elif not fds:  # this process has no descriptor left for the socket
            self._report(REFUSED, worker_id, 0, errno.EMFILE)
        else:
            self._orders.append(_Order(worker_id, fds[0]))
        return True

    def _pause_s(self) -> float | None:
        return max(0.0, min(order.at for order in self._orders) - time.monotonic()) if self._orders else None

    def _fork_due(self) -> None:
        for order in [order for order in self._orders if order.at <= time.monotonic()]:
            self._orders.remove(order)
            try:
                pid, fd = self._fork_worker(order)
            except OSError as error:
                if order.pauses:
                    order.at, order.pauses = time.monotonic() + order.pauses[0], order.pauses[1:]
                    self._orders.append(order)
                    continue
                os.close(order.connection_fd)
                self._report(REFUSED, order.worker_id, 0, error.errno or errno.EAGAIN)
                continue
            os.close(order.connection_fd)
            self._children[fd] = (pid, order.worker_id)
            self._report(BORN, order.worker_id, pid, 0)

    def _fork_worker(self, order: _Order) -> tuple[int, int]:
        """Returns the process id of a new worker, and a pidfd of it."""
        pid = _fork()
        if pid == 0:
            self._become_worker(order.worker_id, order.connection_fd)
        try:
            return pid, open_pidfd(pid)
        except OSError:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise

    def _report(self, kind: int, worker_id: int, pid: int, status: int) -> None:
        with contextlib.suppress(
            BrokenPipeError, ConnectionResetError
        ):  # the parent has left; `_obey` will see the end of the file
            self._control.send(_REPORT.pack(kind, worker_id, pid, status))

    def _become_worker(self, worker_id: int, connection_fd: int) -> None:
        code = 1
        try:
            self._control.close()
            for fd in (*self._children, *(order.connection_fd for order in self._orders)):
                os.close(fd)
            name_worker(worker_id)
            # If the zygote is killed, nobody else would reap or end its workers, not even those that are stopped then.
            _host.die_with_parent()
            for fd in (self._parent_fd, self._own_fd):
                _host.watch_parent(fd, ORPHANED, CUT_OFF)
            # Whatever the source imports from here on must not take the accelerator.
            os.environ.update(JAX_PLATFORMS="cpu", CUDA_VISIBLE_DEVICES="")
            self._work(socket.socket(fileno=connection_fd), worker_id)
            code = 0
        except SystemExit as ending:  # the reason was reported already
            code = ending.code if isinstance(ending.code, int) else 1
        except BaseException:
            traceback.print_exc()
        finally:
            # Skips atexit handlers: they are copies of the user's. But output of a callback must not be lost.
            try:
                flush()
            finally:
                os._exit(code)

    def _reap(self, fd: int) -> None:
        pid, worker_id = self._children.pop(fd)
        os.close(fd)
        _, status = os.waitpid(pid, 0)
        self._report(DIED, worker_id, pid, status)
