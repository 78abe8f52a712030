"""How worker processes begin and end: fresh interpreters, or forks of this process through a zygote."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Sequence
from typing import Protocol

import cloudpickle

from ..errors import ConfigError
from . import zygote
from .child import BOOTSTRAP, ORPHANED
from .job import Job

__all__ = ["Death", "ForkLauncher", "Launcher", "SpawnLauncher", "describe_exit"]

# A worker that is asked to stop finishes the sample it is at; one that takes longer is killed.
GRACE_S = 0.5
_FORK_LIMIT_S = 10


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
    def pids(self) -> dict[int, int]: ...

    def launch(self, worker_id: int) -> socket.socket:
        """Starts a worker; returns this end of its socket."""
        ...

    def deaths(self) -> list[Death]:
        """Workers that died since the last call."""
        ...

    def terminate(self) -> None:
        """Ends and reaps all workers; those still busy after GRACE_S are killed."""
        ...


def describe_exit(exit_code: int) -> str:
    """In words: 'signal 9 (SIGKILL)' or 'exit code 3'."""
    if exit_code < 0:
        try:
            name = signal.Signals(-exit_code).name
        except ValueError:
            name = "unknown"
        return f"signal {-exit_code} ({name})"
    return f"exit code {exit_code}"


def _worker_environment() -> dict[str, str]:
    # Set before any of the user's code runs: a worker must not take the GPU, nor start a thread pool a core.
    return {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "CUDA_VISIBLE_DEVICES": "",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


def _interpreter_flags() -> list[str]:
    flags = ["-P"]  # the working directory is on sys.path only where the parent has it
    for name, value in sys._xoptions.items():
        flags += ["-X", name if value is True else f"{name}={value}"]
    if sys.flags.optimize:
        flags.append("-" + "O" * sys.flags.optimize)
    return flags


def _payload(jobs: Sequence[Job]) -> int:
    """A memory file that every worker reads: the setup as JSON, then the sources by value."""
    setup = json.dumps(
        {
            "sys_path": [entry for entry in sys.path if isinstance(entry, str)],  # others are ignored on import
            "cwd": os.getcwd(),
            "warning_filters": [
                # Patterns of messages and modules are compiled expressions, which do not travel.
                (action, getattr(category, "__name__", "Warning"), line)
                for action, message, category, module, line in warnings.filters
                if message is None and module is None
            ],
        }
    ).encode()
    try:
        pickled = cloudpickle.dumps([(job.source, job.columns) for job in jobs])
    except Exception as error:
        raise ConfigError(
            f"the source cannot be sent to a fresh worker process: {type(error).__name__}: {error}. "
            'Keep what cannot be pickled out of it (open it on first use), or use py_start_method="fork".'
        ) from error
    fd = os.memfd_create("jaxdali-sources")
    with open(fd, "wb", closefd=False) as file:
        file.write(len(setup).to_bytes(8, "little") + setup + pickled)
    return fd


class SpawnLauncher:
    """Fresh interpreters: nothing is inherited, so it works at any time, with any threads."""

    def __init__(self, jobs: Sequence[Job], workers: int):
        if not sys.executable:
            raise ConfigError('this process has no sys.executable to start workers with; use py_start_method="fork"')
        self._jobs = jobs
        self._workers = workers
        self._payload_fd = _payload(jobs)
        self._parent_fd = os.pidfd_open(os.getpid())
        self._processes: dict[int, subprocess.Popen[bytes]] = {}

    @property
    def pids(self) -> dict[int, int]:
        return {worker_id: process.pid for worker_id, process in self._processes.items()}

    def launch(self, worker_id: int) -> socket.socket:
        ours, theirs = socket.socketpair()
        rings = [(job.ring.control_fd, job.ring.data_fd) for job in self._jobs]
        fds = {"socket": theirs.fileno(), "parent": self._parent_fd}
        task = json.dumps({**fds, "rings": rings, "worker_id": worker_id, "workers": self._workers})
        with theirs, zygote.interrupts_blocked():
            self._processes[worker_id] = subprocess.Popen(
                [sys.executable, *_interpreter_flags(), "-c", BOOTSTRAP, str(self._payload_fd), task],
                stdin=subprocess.DEVNULL,
                env=_worker_environment(),
                pass_fds=(*fds.values(), *itertools.chain.from_iterable(rings), self._payload_fd),
            )
        return ours

    def deaths(self) -> list[Death]:
        gone = [(i, p, p.poll()) for i, p in self._processes.items()]
        dead = [Death(worker_id, p.pid, code) for worker_id, p, code in gone if code is not None]
        for death in dead:
            del self._processes[death.worker_id]
        return dead

    def terminate(self) -> None:
        deadline = time.monotonic() + GRACE_S
        try:
            for process in self._processes.values():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(max(0.0, deadline - time.monotonic()))
        finally:
            for process in self._processes.values():
                process.kill()
            for process in self._processes.values():
                process.wait()
            self._processes.clear()
            os.close(self._payload_fd)
            os.close(self._parent_fd)


class ForkLauncher:
    """Forks of this process as it is when the launcher is made, through a zygote that can fork at any later time."""

    def __init__(self, jobs: Sequence[Job], workers: int):
        self.pids: dict[int, int] = {}
        self._deaths: list[Death] = []
        self._control, self._zygote_pid = zygote.start(jobs, workers)
        self._messages = zygote.Messages(self._control)

    def launch(self, worker_id: int) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            self._messages.send_fork(worker_id, theirs)
        deadline = time.monotonic() + _FORK_LIMIT_S
        while worker_id not in self.pids:
            self._read(deadline - time.monotonic())
            if self._messages.ended or time.monotonic() > deadline:
                ours.close()
                raise OSError(
                    f"the process that forks workers (pid {self._zygote_pid}) did not fork one within {_FORK_LIMIT_S} s; "
                    "its words are on stderr"
                )
        return ours

    def _read(self, timeout_s: float) -> None:
        for kind, worker_id, pid, status in self._messages.receive(max(0.0, timeout_s)):
            if kind == zygote.BORN:
                self.pids[worker_id] = pid
            else:
                self.pids.pop(worker_id, None)
                self._deaths.append(Death(worker_id, pid, os.waitstatus_to_exitcode(status)))

    def deaths(self) -> list[Death]:
        self._read(0.0)
        dead, self._deaths = self._deaths, []
        if self._messages.ended:
            why = f", because the process that forked it (pid {self._zygote_pid}) died"
            dead += [Death(worker_id, pid, ORPHANED, why, True) for worker_id, pid in self.pids.items()]
            self.pids.clear()
        return dead

    def terminate(self) -> None:
        deadline = time.monotonic() + GRACE_S
        try:
            while self.pids and not self._messages.ended and (left := deadline - time.monotonic()) > 0:
                self._read(left)
        finally:
            # End of file makes the zygote kill and reap whoever is left, and leave. Shut down, not only closed: a
            # process that the user forked holds a copy of our end.
            with contextlib.suppress(OSError), self._control:
                self._control.shutdown(socket.SHUT_RDWR)
            with contextlib.suppress(ChildProcessError):  # the user's SIGCHLD handler was faster
                os.waitpid(self._zygote_pid, 0)
            self.pids.clear()
