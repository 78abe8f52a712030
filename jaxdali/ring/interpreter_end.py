"""What becomes of threads that still take batches when the program ends: they stay where they are.

Only daemon threads can be left then. The interpreter is taken apart under them, jax too, and some native code does not
survive that in a thread of its own.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
import weakref
from collections.abc import Callable
from typing import Protocol

__all__ = ["Used", "hold_at_exit", "stay_if_ending"]

# How long the end of the program waits for a thread to leave the user's code, or jax; and for one that was there last to
# come for more: meanwhile it may be letting go of arrays, which is jax's native code, too.
_PATIENCE_S = 1.0
_RETURN_S = 0.2
_POLL_S = 0.001


class Used(Protocol):
    """What is used by a thread at a time.

    Attributes:
        user: the thread that is in, its `ident`; None: nobody is.
        last: the thread that was in last.
    """

    user: int | None
    last: int | None


_watched: weakref.WeakSet[Used] = weakref.WeakSet()
_staying: set[int] = set()
_ending = False


def hold_at_exit(used: Used) -> None:
    """From here on no thread is in the midst of using it when the interpreter is taken apart.

    Handlers that are registered later run before that, those that are registered already behind it: such as the one that
    ends workers.
    """
    _watched.add(used)
    atexit.unregister(_hold)
    atexit.register(_hold)


def stay_if_ending() -> None:
    """Never returns in a daemon thread of a program that ends."""
    if not _ending or threading.current_thread() is threading.main_thread():
        return
    _staying.add(threading.get_ident())
    for_ever = threading.Lock()
    for_ever.acquire()
    while True:
        for_ever.acquire()


def _hold() -> None:
    global _ending
    _ending = threading.current_thread() is threading.main_thread()
    _await(lambda used: used.user, _PATIENCE_S)
    _await(lambda used: used.last, _RETURN_S)


def _await(thread_of: Callable[[Used], int | None], seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        others = {thread.ident for thread in threading.enumerate()} - {threading.get_ident(), *_staying}
        if not any(thread_of(used) in others for used in list(_watched)):
            return
        time.sleep(_POLL_S)


def _forget() -> None:
    """In a forked child, which has none of the parent's threads."""
    _watched.clear()
    _staying.clear()


os.register_at_fork(after_in_child=_forget)
