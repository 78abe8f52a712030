"""Exclusive use: pipelines, iterators and Loaders belong to one process, and are used by one thread at a time."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Self, TypeVar

from ..errors import StateError
from ..ring.interpreter_end import hold_at_exit, stay_if_ending

__all__ = ["ExclusiveUse"]

T = TypeVar("T")

# How long `close` waits for a thread that is at work; what that one does not leave in time it ends when it leaves.
_PATIENCE_S = 2.0
_POLL_S = 0.001


class ExclusiveUse:
    """Lets one caller at a time use an object, and ends it when nobody does.

    Threads may take turns in any order. There is no lock that an interrupt could leave locked: it is asked whether somebody
    is there, and noted that we are, in statements that call nothing, between which the interpreter neither changes threads
    nor looks for signals. Work is a function of Python's without arguments for the same reason: when it returns nothing is
    called any more, so who has counted a batch as handed out hands it out.

    Args:
        what: the object, in errors: "pipeline".

    Attributes:
        user: the thread that is in; None: nobody is.
        last: the thread that was in last.
        closed: nobody gets in any more.
    """

    def __init__(self, what: str):
        self.user: int | None = None
        self.last: int | None = None
        self.closed = False
        self._what = what
        self._ended = False
        self._closer: int | None = None
        # The process that it belongs to. Before it has anything to share, a forked copy is as good.
        self._pid: int | None = None

    def settle(self) -> Self:
        """From here on it belongs to this process. To be called when processes, rings or threads begin."""
        self._pid = self._pid or os.getpid()
        hold_at_exit(self)
        return self

    @property
    def elsewhere(self) -> bool:
        """This is a forked copy: what it is of belongs to another process."""
        return self._pid is not None and self._pid != os.getpid()

    def take(self, work: Callable[[], T], end: Callable[[], None]) -> T:
        """What `work` returns.

        Args:
            end: ends the object, see `close`.

        Raises:
            StateError: somebody is in already: another thread, or this one, which a signal handler or a callback came
                from; or it is closed, or was while `work` was at it; or this process is a fork of the one that it
                belongs to.
        """
        self.check_process()
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
            if self._closer not in (None, me) and not isinstance(error, StateError | StopIteration):
                raise StateError(
                    f"the {self._what} was closed by another thread while it was in use; make a new one"
                ) from error
            raise
        finally:
            self.user = None
            if self.closed:
                stay_if_ending()
                self._end(end)

    def close(self, stop: Callable[[], object], end: Callable[[], None]) -> None:
        """Nobody gets in from here on, and the object is ended: now, or, where a thread is in, by that one when it leaves,
        which is waited for a while. After an interrupt it may be called again, and does what is left. In a forked child it
        does nothing.

        Args:
            stop: has whoever waits inside leave.
            end: ends the object; after an interrupt it is called again.
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
                f"this {self._what} belongs to the process {self._pid}, of which this one ({os.getpid()}) is a fork: its "
                f"workers and its memory are the parent's. Make the child's own {self._what} in the child"
            )

    def check_open(self) -> None:
        """Raises StateError when it is closed."""
        if self.closed:
            raise StateError(f"the {self._what} is closed; make a new one")

    def _taken(self, me: int) -> StateError:
        if self.user == me:
            return StateError(
                f"the {self._what} is in use by this very thread: a signal handler, a callback or a finalizer asked for "
                "more in the midst of it. Ask when it has returned"
            )
        return StateError(
            f"the {self._what} is in use by another thread. One at a time may use it: have one thread take batches and "
            "hand them out, or put a lock around each call"
        )
