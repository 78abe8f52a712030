"""The main function of a fresh process: a worker, or one that forks workers.

It imports NumPy and the standard library, never jax (unless the user's source does), and never the user's main module:
sources arrive by value, so no `if __name__ == "__main__"` is needed.
"""

from __future__ import annotations

import dataclasses
import errno
import os
import signal
import socket
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from .. import _host
from .affinity import keep_process_on
from .descriptors import fill_standard
from .jax_watch import JaxWatch
from .job import Job
from .load import READ_SETUP, Loaded, load_sources, unusable
from .protocol import send_message
from .serve import serve

__all__ = ["BOOTSTRAP", "CUT_OFF", "ORPHANED", "attach_rings", "flush", "main", "run_loaded", "run_worker", "tell"]

# The command of a fresh interpreter, called with the payload's descriptor and a task as JSON. The parent's sys.path comes
# first, because jaxdali itself may be found only there; the other fields of the setup are read in `main`. Its names are
# kept out of __main__, where a pickler may look for the user's.
_BOOTSTRAP = (
    f"import json,os,sys;f=int(sys.argv[1]);{READ_SETUP};sys.path[:]=s['sys_path'];"
    "from jaxdali.workers.child import main;main(s,f,n,json.loads(sys.argv[2]))"
)
BOOTSTRAP = f"exec({_BOOTSTRAP!r},{{}})"

# Exit code of a worker whose parent is gone, and of one that cannot say anything any more.
ORPHANED = 3
CUT_OFF = 121


def tell(connection: socket.socket, message: dict[str, Any]) -> None:
    """Sends what the parent is to know.

    Raises:
        SystemExit: the parent has left, and a worker ends without a word then, whoever notices it first. Or the source has
            closed the connection, or what has its number by now; what was to be said is on stderr.
    """
    try:
        send_message(connection, message)
    except (BrokenPipeError, ConnectionResetError):
        connection.close()  # or Python would warn of it
        sys.exit(ORPHANED)
    except OSError as error:
        if error.errno not in (errno.EBADF, errno.ENOTSOCK):
            raise
        print(f"jaxdali: a worker has lost its connection, and could not say: {message}", file=sys.stderr)
        sys.exit(CUT_OFF)


def run_worker(
    jobs: Sequence[Job], connection: socket.socket, worker_id: int, workers: int, watch: JaxWatch | None = None
) -> None:
    """Serves the jobs' rings until they close. What goes wrong with the sources is reported.

    Args:
        watch: has looked so far; None: what this process has imported before is none of the sources' doing.

    Raises:
        SystemExit: a source has no part for this worker, or the parent is gone.
    """
    watch = watch or JaxWatch()
    with connection:
        try:
            mine = [dataclasses.replace(job, source=job.source.for_worker(worker_id, workers)) for job in jobs]
        except BaseException as error:
            tell(connection, unusable(error))
            sys.exit(1)
        tell(connection, {"type": "ready"})
        fresh = set(range(len(jobs)))

        def finished(number: int) -> None:
            if number in fresh:
                fresh.discard(number)
                if message := watch.message(jobs[number].source.description):
                    tell(connection, message)

        serve(mine, worker_id + 1, lambda failure: tell(connection, failure.to_message()), finished)


def run_loaded(
    loaded: Loaded, rings: Sequence[_host.Ring], connection: socket.socket, worker_id: int, workers: int
) -> None:
    """Passes on what there is to say about the sources, then works with them.

    Raises:
        SystemExit: there are none, or the parent is gone.
    """
    for message in loaded.messages:
        tell(connection, message)
    if loaded.sources is None:
        connection.close()
        sys.exit(1)
    jobs = [Job(*parts) for parts in zip(rings, loaded.sources, loaded.shared, strict=True)]
    run_worker(jobs, connection, worker_id, workers, loaded.watch)


def attach_rings(descriptors: Sequence[tuple[int, int]]) -> list[_host.Ring]:
    """Rings share the events of the first one."""
    rings: list[_host.Ring] = []
    for control, data in descriptors:
        rings.append(_host.Ring.attach(control, data, rings[0] if rings else None))
    return rings


def _restore_environment(setup: dict[str, Any]) -> None:
    if setup["cwd"] is not None:
        os.chdir(setup["cwd"])
    warnings.resetwarnings()
    for action, module, name, line in setup["warning_filters"]:
        category = _category(module, name)
        if category is not None:
            warnings.simplefilter(action, category, line, append=True)
    # Interrupts are the parent's business: it closes the ring.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _category(module: str, name: str) -> type[Warning] | None:
    """A category that this process knows. A filter for another one is left out: for a wider one it would say too much, and
    importing the module would cost more than it is worth.
    """
    found = vars(sys.modules[module]).get(name) if module in sys.modules else None
    return found if isinstance(found, type) and issubclass(found, Warning) else None


def main(setup: dict[str, Any], payload_fd: int, offset: int, task: dict[str, Any]) -> None:
    """Runs in a fresh interpreter, called by `BOOTSTRAP`.

    Args:
        setup: of the process, as `write_payload` wrote it.
        offset: of the payload, where the setup ends.
        task: "parent" (a pidfd), "rings" (pairs of descriptors), "workers", "affinity", and "socket"; that of a worker with
            "worker_id", else that of a process that forks workers, with "preload"; "guarded": it was started by a thread
            that lives as long as its process, see `_host.die_with_parent`.
    """
    fill_standard()
    is_worker = "worker_id" in task
    if task["guarded"]:
        _host.die_with_parent()
    # A zygote looks after its socket itself: it has workers to end.
    _host.watch_parent(task["parent"], ORPHANED, CUT_OFF, task["socket"] if is_worker else -1)
    _restore_environment(setup)
    if not is_worker:
        from .forkserver import run_forkserver

        run_forkserver(payload_fd, offset, task)
    keep_process_on(task["affinity"], task["worker_id"])  # before the sources start threads
    connection = socket.socket(fileno=task["socket"])
    tell(connection, {"type": "began"})
    loaded = load_sources(payload_fd, offset)
    for fd in (payload_fd, task["parent"]):
        os.close(fd)
    run_loaded(loaded, attach_rings(task["rings"]), connection, task["worker_id"], task["workers"])
    # As in a forked worker: without taking the interpreter apart, for which the parent would wait.
    try:
        flush()
    finally:
        os._exit(0)


def flush() -> None:
    """Writes out what was printed."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # as in a daemon
            stream.flush()
