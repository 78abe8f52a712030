"""How worker processes start and end: as fresh interpreters, or as forks of a zygote.

`make_launcher` takes a start method and the sources. "fork" starts a zygote, which has them already; for "spawn" and
"forkserver" `Interpreters` pickles them once, and fresh interpreters, or what a fresh one forks, load them. Out goes a
`Launcher`, which starts workers, tells of deaths, and ends all. `SpawnLauncher` is here, the others are in forks.py. It
relies on `served_sources` being all that workers will ever serve.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
from collections.abc import Collection, Mapping, Sequence

from jaxdali._base.cpus import Cpus
from jaxdali._base.user_warnings import warn_user
from jaxdali.errors import ConfigError
from ..ring.served_source import ServedSource
from . import zygote
from .descriptors import socket_pair
from .forks import ForkLauncher, ForkserverLauncher
from .interpreter import Child, Interpreters, WorkerProgram
from .launcher import GRACE_S, Death, Launcher
from .native_threads import lost_threads
from .pickler import SourcePickler
from .shared_state import warn_of_shared_state

__all__ = ["START_METHODS", "loading_error", "make_launcher"]

START_METHODS = ("fork", "spawn", "forkserver")

_told_of_fresh_workers = False


def make_launcher(
    start_method: str,
    served_sources: Sequence[ServedSource],
    workers: int,
    pickler: SourcePickler | None,
    affinity: Cpus = (),
    timeout_s: float | None = None,
    or_fork: bool = False,
    program: WorkerProgram | None = None,
) -> Launcher:
    """Returns the launcher for a start method.

    Args:
        workers: number of workers there will be.
        pickler: pickles the sources, where they are pickled; None: cloudpickle.
        affinity: the CPUs of each worker.
        timeout_s: limit on the time that a process that forks workers takes to load the sources; None: no limit.
        or_fork: nothing but native threads speaks against a fork. Workers are forked with a warning if the sources
            cannot be sent; if they can, the first call warns of what fresh processes do not share.
        program: what fresh workers run; None: they serve the sources themselves.

    Raises:
        ConfigError: a source cannot be pickled.
        OSError: the system refuses a process or a resource it needs.
    """
    if start_method == "fork":
        warn_of_shared_state(served_sources, workers)
        return ForkLauncher(*zygote.start(served_sources, workers, affinity))
    try:
        interpreters = Interpreters(served_sources, workers, pickler, affinity, program)
    except ConfigError as error:
        if not or_fork:
            raise
        _warn_of_threads(error)
        warn_of_shared_state(served_sources, workers)
        return ForkLauncher(*zygote.start(served_sources, workers, affinity, warns=False))
    if or_fork:
        try:
            _warn_of_fresh_workers()
        except BaseException:
            interpreters.close()
            raise
    return SpawnLauncher(interpreters) if start_method == "spawn" else ForkserverLauncher(interpreters, timeout_s)


def _warn_of_threads(error: ConfigError) -> None:
    number = lost_threads()
    warn_user(
        f"Workers are forked, although this process has {number} native thread(s), which a fork does not inherit: if one "
        "of them holds a lock just then, workers wait for it forever. A later release will refuse. Pass "
        'py_start_method="fork" to keep it, or make the source picklable, for workers that start as fresh processes. '
        f"Now {error}",
        FutureWarning,
    )


def _warn_of_fresh_workers() -> None:
    global _told_of_fresh_workers
    if _told_of_fresh_workers:
        return
    number = max(lost_threads(), 1)  # they may have ended since the start method was chosen
    warn_user(
        f"Workers start as fresh processes and get the sources pickled, because this process has {number} native "
        "thread(s), which a fork does not inherit. They do not see what the program has changed in modules, nor memory "
        'that only a fork would share. Pass py_start_method="fork" to fork them as before, or "forkserver" to keep '
        "fresh ones; either ends this warning",
        FutureWarning,
    )
    _told_of_fresh_workers = True


def loading_error(message: Mapping[str, object], by_choice: bool) -> str:
    """Returns the error's text for a source that a worker could not load.

    Args:
        message: what the worker said.
        by_choice: whether workers need not be fresh: `or_fork` was given, and they were not forked.
    """
    advice = '. Forked workers would share it with this process, and load nothing: pass py_start_method="fork"'
    return (
        f"the worker could not load the source: {message['exception']}: {message['message']}"
        f"{advice if by_choice else ''}\n{message['traceback']}"
    )


class SpawnLauncher:
    """Starts a fresh interpreter per worker: nothing is inherited, so it works at any time, with any threads."""

    def __init__(self, interpreters: Interpreters):
        self._interpreters = interpreters
        self._processes: dict[int, Child] = {}

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
        """Does nothing: the ids are known at once."""

    def deaths(self) -> list[Death]:
        gone = [(i, p, p.poll()) for i, p in self._processes.items()]
        dead = [Death(worker_id, p.pid, code) for worker_id, p, code in gone if code is not None]
        for death in dead:
            del self._processes[death.worker_id]
        return dead

    def refused(self) -> list[tuple[int, OSError]]:
        """Returns nothing: a worker that cannot be started is never launched."""
        return []

    def silence(self, missed: bool = False) -> str:
        """Returns nothing: this process reaps its workers itself."""
        return ""

    def holdup(self) -> str:
        """Returns nothing: each worker is started at once."""
        return ""

    def forgive(self) -> None:
        """Does nothing: silence is never reported."""

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
