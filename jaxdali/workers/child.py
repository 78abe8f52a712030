"""The main function of a fresh worker process.

The process imports NumPy and the standard library, never jax (unless the user's source does), and never the user's
main module: sources arrive by value, so no `if __name__ == "__main__"` is needed.
"""

from __future__ import annotations

import dataclasses
import mmap
import os
import pickle
import signal
import socket
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Any

__all__ = ["BOOTSTRAP", "main", "run_worker"]

# The command of a fresh interpreter. The parent's sys.path comes first, because jaxdali itself may be found only
# there; the fields of the setup are read in `main`. fd 0 of argv is a memory file: length, JSON, pickle.
BOOTSTRAP = (
    "import json,os,sys;f=int(sys.argv[1]);n=int.from_bytes(os.pread(f,8,0),'little');"
    "s=json.loads(os.pread(f,n,8));sys.path[:]=s['sys_path'];"
    "from jaxdali.workers.child import main;main(s,f,8+n,json.loads(sys.argv[2]))"
)

# Exit code of a worker whose parent is gone.
ORPHANED = 3


def run_worker(jobs: Sequence[Any], connection: socket.socket, worker_id: int, workers: int) -> None:
    """Serves the jobs' rings until they close. Never returns an exception: it is reported and ends the process."""
    from .protocol import send_message
    from .serve import serve

    mine = [dataclasses.replace(job, source=job.source.for_worker(worker_id, workers)) for job in jobs]
    with connection:
        send_message(connection, {"type": "ready"})
        serve(mine, worker_id + 1, lambda failure: send_message(connection, failure.to_message()))


def _restore_environment(setup: dict[str, Any]) -> None:
    os.chdir(setup["cwd"])
    warnings.resetwarnings()
    for action, category, line in setup["warning_filters"]:
        warnings.simplefilter(action, _category(category), line, append=True)
    # Interrupts are the parent's business: it closes the ring.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _category(name: str) -> type[Warning]:
    import builtins

    found = getattr(builtins, name, Warning)
    return found if isinstance(found, type) and issubclass(found, Warning) else Warning


def main(setup: dict[str, Any], payload_fd: int, offset: int, task: dict[str, Any]) -> None:
    """Runs in a fresh interpreter, called by `BOOTSTRAP`."""
    from .. import _host
    from .job import Job
    from .protocol import safe_text, send_message

    _host.watch_parent(task["parent"], ORPHANED)
    connection = socket.socket(fileno=task["socket"])
    _restore_environment(setup)
    try:
        with mmap.mmap(payload_fd, 0, prot=mmap.PROT_READ) as payload, memoryview(payload) as view:
            loaded = pickle.loads(view[offset:])
    except BaseException as error:
        # Whatever a user's module does on import ends here, as text for the parent.
        send_message(
            connection,
            {
                "type": "unusable",
                "exception": type(error).__name__,
                "message": safe_text(error),
                "traceback": traceback.format_exc(),
            },
        )
        connection.close()
        sys.exit(1)
    for fd in (payload_fd, task["parent"]):
        os.close(fd)
    jobs: list[Job] = []
    for (control, data), (source, columns) in zip(task["rings"], loaded, strict=True):
        jobs.append(Job(_host.Ring.attach(control, data, jobs[0].ring if jobs else None), source, columns))
    run_worker(jobs, connection, task["worker_id"], task["workers"])
