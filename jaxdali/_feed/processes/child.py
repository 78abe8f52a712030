"""The main function of a fresh process: a worker, or one that forks workers.

It imports NumPy and the standard library, never jax (unless the user's source does), and never the user's main module:
sources arrive by value, so no `if __name__ == "__main__"` is needed.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import warnings
from typing import Any

from jaxdali._base.cpus import keep_process_on
from .. import _host
from .descriptors import fill_standard
from .forkserver import run_forkserver
from .inherited import default_signals, ignore_signals
from .process_names import name_worker, name_zygote
from .source_loading import READ_SETUP, load_sources
from .worker import CUT_OFF, ORPHANED, attach_rings, flush, run_loaded, tell

__all__ = ["begin", "bootstrap", "main"]

# The command of a fresh interpreter, but for the name of a module of ours. Its arguments are the payload's descriptor and
# a task as JSON. The parent's sys.path is set first, because jaxdali itself may only be found there; `main` reads the
# other fields of the setup. The names used here stay out of __main__, where a pickler may look up the user's names.
_BOOTSTRAP = (
    f"import json,os,sys;f=int(sys.argv[1]);{READ_SETUP};sys.path[:]=s['sys_path'];"
    "from MODULE import main;main(s,f,n,json.loads(sys.argv[2]))"
)


def bootstrap(module: str) -> str:
    """Returns the command of a fresh interpreter that runs the `main` of one of our modules."""
    return f"exec({_BOOTSTRAP.replace('MODULE', module)!r},{{}})"


def _restore_environment(setup: dict[str, Any]) -> None:
    if setup["cwd"] is not None:
        os.chdir(setup["cwd"])
    warnings.resetwarnings()
    for action, module, name, line in setup["warning_filters"]:
        category = _category(module, name)
        if category is not None:
            warnings.simplefilter(action, category, line, append=True)
    # The parent handles interrupts: it closes the ring.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    default_signals()
    ignore_signals(setup["handled_signals"])


def _category(module: str, name: str) -> type[Warning] | None:
    """Returns the warning category if this process knows it, else None, and the filter is dropped: a filter for a wider
    category would match too much, and importing the module would cost more than it is worth.
    """
    found = vars(sys.modules[module]).get(name) if module in sys.modules else None
    return found if isinstance(found, type) and issubclass(found, Warning) else None


def begin(setup: dict[str, Any], task: dict[str, Any]) -> socket.socket | None:
    """Makes a fresh process what its parent expects of it, for as long as that lives. Returns the connection to the parent,
    which was told so; None in a process that forks workers.

    Args:
        setup, task: see `main`.
    """
    fill_standard()
    is_worker = "worker_id" in task
    if task["guarded"]:
        _host.die_with_parent()
    # A zygote watches its socket itself, because it has to end its workers.
    _host.watch_parent(task["parent"], ORPHANED, CUT_OFF, task["socket"] if is_worker else -1)
    _restore_environment(setup)
    if not is_worker:
        name_zygote()
        return None
    name_worker(task["worker_id"])
    keep_process_on(task["affinity"], task["worker_id"])  # before the sources start threads
    connection = socket.socket(fileno=task["socket"])
    tell(connection, {"type": "began"})
    return connection


def main(setup: dict[str, Any], payload_fd: int, offset: int, task: dict[str, Any]) -> None:
    """Runs in a fresh interpreter, started with the command `bootstrap(__name__)`.

    Args:
        setup: the setup of the process, as `write_payload` wrote it.
        offset: where the setup ends in the payload.
        task: "parent" (a pidfd), "rings" (pairs of descriptors), "workers", "affinity", and "socket"; for a worker also
            "worker_id", for a process that forks workers also "preload"; "guarded": the process was started by a thread
            that lives as long as its own process, see `_host.die_with_parent`.
    """
    connection = begin(setup, task)
    if connection is None:
        run_forkserver(payload_fd, offset, task)
    loaded = load_sources(payload_fd, offset)
    for fd in (payload_fd, task["parent"]):
        os.close(fd)
    # Like a forked worker, also if it has no sources: skips interpreter shutdown, which would call functions of the user's
    # modules, and which the parent would have to wait for.
    code = 0
    try:
        run_loaded(loaded, attach_rings(task["rings"]), connection, task["worker_id"], task["workers"])
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else 1
    finally:
        flush()
        os._exit(code)
