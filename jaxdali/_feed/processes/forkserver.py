"""A zygote that starts as a fresh interpreter: forks are cheap and safe at any time, whatever the parent is doing.

It loads the sources once, before the first fork, so that workers share them and start at once.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from typing import Any, NoReturn

from jaxdali._base.cpus import keep_process_on
from .inherited import reseed
from .native_threads import THREADS
from .source_loading import load_sources
from .worker import attach_rings, flush, run_loaded, tell
from .zygote import Zygote, report_began

__all__ = ["run_forkserver"]

# The main thread, and the thread that watches the parent.
_OWN_THREADS = 2


def run_forkserver(payload_fd: int, offset: int, task: dict[str, Any]) -> NoReturn:
    """Loads the sources, then forks workers until the parent ends it; see `child.main`.

    A user's module may start threads when it is imported. A fork would lose them, perhaps while they hold a lock. In
    that case the process restarts with exec and leaves the loading to the workers.
    """
    control = socket.socket(fileno=task["socket"])
    report_began(control)
    loaded = load_sources(payload_fd, offset) if task["preload"] and _can_count_threads() else None
    if loaded is not None and len(os.listdir(THREADS)) > _OWN_THREADS:
        flush()
        os.execv(sys.executable, [*sys.orig_argv[:-1], json.dumps({**task, "preload": False})])
    rings = attach_rings(task["rings"])

    def work(connection: socket.socket, worker_id: int) -> None:
        tell(connection, {"type": "began"})
        keep_process_on(task["affinity"], worker_id)
        reseed()
        mine = load_sources(payload_fd, offset) if loaded is None else loaded
        run_loaded(mine, rings, connection, worker_id, task["workers"])

    Zygote(work, control, task["parent"]).run()


def _can_count_threads() -> bool:
    """Without /proc nobody can tell whether loading started threads, so loading is left to the workers."""
    return os.path.isdir(THREADS)
