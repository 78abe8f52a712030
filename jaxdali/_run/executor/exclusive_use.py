"""Exclusive use: pipelines, iterators and Loaders belong to one process, and one thread at a time uses them.

`run_exclusively` takes the work of one call, refuses it in a fork, in a trace, when closed or when somebody is inside,
notes the thread, calls the work, and notes that it has left; then it ends the object, if that was closed meanwhile.
`close` refuses further calls, has a thread inside leave, and ends the object: at once, or within two seconds, or leaves
that to the thread. It relies on the interpreter's lock.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Self, TypeVar

from jaxdali._base.interruptions import forget_locals
from jaxdali._device.ffi.compat import is_tracing
from jaxdali._feed.ring.interpreter_end import hold_at_exit, stay_if_ending
from jaxdali.errors import StateError

__all__ = ["ExclusiveUse"]

T = TypeVar("T")

# How long `close` waits for a thread that is inside. If that takes longer, the thread ends the object when it leaves.
_PATIENCE_S = 2.0
_POLL_S = 0.001


class ExclusiveUse:
    """Lets one caller at a time use an object, and ends the object when nobody uses it.

    Threads may take turns in any order. There is no lock, which an interrupt could leave locked. Instead, checking that
    nobody is inside and noting that we are happens in statements that call nothing; between those the interpreter
    neither switches threads nor handles signals. For the same reason `work` is a Python function without arguments:
    after it returns nothing more is called, so a batch that was counted as handed out does reach the caller.

    Args:
        what: the object's name in errors: "pipeline".

    Attributes:
        user: the thread that is inside; None if no thread is.
        last: the thread that was inside last.
        closed: no thread gets in any more.
    """

    def __init__(self, what: str):
        self.user: int | None = None
        self.last: int | None = None
        self.closed = False
        self._what = what
        self._ended = False
        self._closer: int | None = None
        # The process it belongs to. None before there is anything to share, while a forked copy is just as good.
        self._pid: int | None = None

    def bind_process(self) -> Self:
        """Binds the object to this process. Call it when processes, rings or threads start."""
        self._pid = self._pid or os.getpid()
        hold_at_exit(self)
        return self

    @property
    def elsewhere(self) -> bool:
        """Whether this is a forked copy of an object that belongs to another process."""
        return self._pid is not None and self._pid != os.getpid()

    def run_exclusively(self, work: Callable[[], T], end: Callable[[], None]) -> T:
        """Calls `work` and returns its result.

        Args:
            end: ends the object, see `close`.

        Raises:
            StateError: JAX is tracing the caller; or the object is in use, by another thread, or by this one (which a
                signal handler or callback interrupted); or it is closed, or was closed during `work`; or this process is
                a fork of the one that it belongs to.
        """
        self.check_process()
        if is_tracing():
            raise StateError(
                f"the {self._what} was used in a function that JAX traces, such as one under jit: that function runs once, "
                "so what it takes would be a constant of the program, the same batch for ever. Take batches outside, and "
                "pass them to the function as arguments"
            )
        me = threading.get_ident()
        if self.closed:
            self.check_open()
        if self.user is not None:
            raise self._taken(me)
        self.user = self.last = me
        try:
            stay_if_ending()
            return work()
        except Exception as error:
            # No call unless it was closed: what `work` raised may have been counted, and an interrupt would lose it.
            if self._closer not in (None, me) and not isinstance(error, StateError | StopIteration):
                raise StateError(
                    f"the {self._what} was closed by another thread while it was in use; make a new one"
                ) from error
            raise
        except BaseException as error:
            forget_locals(error)
            raise
        finally:
            self.user = None
            if self.closed:
                stay_if_ending()
                self._end(end)

    def close(self, stop: Callable[[], object], end: Callable[[], None]) -> None:
        """Closes the object to further use and ends it: now, or, if a thread is inside, when that thread leaves. Waits
        a while for it. May be called again after an interrupt, to do what is left. Does nothing in a forked child.

        Args:
            stop: makes a thread that waits inside leave.
            end: ends the object; called again after an interrupt.
        """
        if self.elsewhere or self._ended:
            return
        self._closer = threading.get_ident()
        self.closed = True
        stop()
        until = time.monotonic() + _PATIENCE_S
        while True:
            self._end(end)
            if self._ended or self.user == threading.get_ident() or time.monotonic() > until:
                return
            time.sleep(_POLL_S)

    def _end(self, end: Callable[[], None]) -> None:
        me = threading.get_ident()
        if self._ended or self.user is not None:
            return
        self.user = me
        try:
            end()
            self._ended = True
        finally:
            self.user = None

    def check_process(self) -> None:
        """Raises StateError in a forked child."""
        if self.elsewhere:
            raise StateError(
                f"this {self._what} belongs to process {self._pid}, and this process ({os.getpid()}) is a fork of it: "
                f"the workers and the memory are the parent's. Make another {self._what} in the child"
            )

    def check_open(self) -> None:
        """Raises StateError if it is closed."""
        if self.closed:
            raise StateError(f"the {self._what} is closed; make a new one")

    def _taken(self, me: int) -> StateError:
        if self.user == me:
            return StateError(
                f"the {self._what} is already in use by this thread: a signal handler, a callback or a finalizer "
                "called it in the middle of another call. Call it after that one has returned"
            )
        return StateError(
            f"the {self._what} is in use by another thread. Only one thread at a time may use it: have one thread take "
            "batches and hand them out, or put a lock around each call"
        )
