"""What happens to threads that still take batches when the program ends: they block forever.

Only daemon threads can be left then. The interpreter is torn down under them, jax too, and some native code crashes if
it runs in another thread meanwhile.
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

# _PATIENCE_S: how long the end of the program waits for a thread to leave our code (the user's source, or jax, which it
# calls). _RETURN_S: how long it waits for the last thread that was in it to come back; meanwhile that thread may be
# releasing arrays, which is jax's native code too.
_PATIENCE_S = 1.0
_RETURN_S = 0.2
_POLL_S = 0.001


class Used(Protocol):
    """An object that one thread at a time uses.

    Attributes:
        user: `ident` of the thread that is using it; None if no thread is.
        last: `ident` of the thread that used it last.
    """

    user: int | None
    last: int | None


_watched: weakref.WeakSet[Used] = weakref.WeakSet()
_staying: set[int] = set()
_ending = False


def hold_at_exit(used: Used) -> None:
    """Ensures that from here on no thread is using `used` when the interpreter is torn down.

    Exit handlers registered later run before the wait. Those registered already, such as the one that ends workers, run
    after it.
    """
    _watched.add(used)
    atexit.unregister(_hold)
    atexit.register(_hold)


def stay_if_ending() -> None:
    """Blocks forever if the program is ending and this is a daemon thread."""
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
    """Runs in a forked child, which has none of the parent's threads."""
    _watched.clear()
    _staying.clear()


os.register_at_fork(after_in_child=_forget)
