"""Threads of ours that ask the service of `jax.distributed`: they end before the interpreter is torn down."""

from __future__ import annotations

import atexit
import threading
import weakref
from collections.abc import Callable

__all__ = ["start_thread"]

# A call that is under way takes a second at most.
_END_S = 3.0

_running: weakref.WeakKeyDictionary[threading.Thread, threading.Event] = weakref.WeakKeyDictionary()


def start_thread(work: Callable[[], None], over: threading.Event, name: str) -> threading.Thread:
    """Starts a daemon thread.

    Args:
        work: soon returns once `over` is set, which the end of the program does, too.
    """
    thread = threading.Thread(target=work, name=name, daemon=True)
    _running[thread] = over
    # Handlers run last come, first served: ours before the one that ends the service.
    atexit.unregister(_end_all)
    atexit.register(_end_all)
    thread.start()
    return thread


def _end_all() -> None:
    running = list(_running.items())
    for _, over in running:
        over.set()
    for thread, _ in running:
        if thread.is_alive():
            thread.join(timeout=_END_S)
