"""No wait is silent: one that takes long says in the log what it is for."""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import TypeVar

from .interruptions import raised_by_handler

__all__ = ["Patience", "awaited"]

logger = logging.getLogger("jaxdali")

_Value = TypeVar("_Value")

# When a wait is in the log for the first time, and how long after that again.
FIRST_S = 5.0
AGAIN_S = 60.0
# When a wait first looks at what it is for, which short ones never do, and how long after that again.
_FIRST_LOOK_S, _LOOK_S = 0.05, 0.5
# A pause between two calls that is longer than this does not count: this process was stopped (Ctrl-Z, a debugger, a
# frozen container), or was busy with something else, and so was perhaps what it waits for.
_STOPPED_S = 2.0
# How long the end of a block waits for the thread beside it, which may be in a handler of the log.
_END_S = 2.0


def _nothing() -> None:
    """Looks at nothing."""


class Patience:
    """A wait that has not ended at once. It keeps nothing that an interrupt could break: whoever is interrupted waits
    anew.

    Args:
        what: says what is waited for, and who should have done it, as the end of "waiting for 5 s for". Called in the
            waiting thread (by `beside`: in another one), and only for a line in the log.
        look: called now and then meanwhile, so that `what` can say since when something is as it is.
    """

    def __init__(self, what: Callable[[], str], look: Callable[[], None] = _nothing):
        self._what = what
        self._look = look
        self._began = self._called = time.monotonic()
        self._look_at = self._began + min(_FIRST_LOOK_S, FIRST_S)
        self._tell_at = self._began + FIRST_S

    def wait(self) -> None:
        """Called over and over, within two seconds, while the wait lasts. Does not wait; writes the line in the log
        when it is due. Whatever goes wrong with that is no error of the wait.
        """
        now = time.monotonic()
        if (pause := now - self._called) > _STOPPED_S:
            self._began += pause
            self._tell_at += pause
        self._called = now
        if now < self._look_at:
            return
        self._look_at = now + min(_LOOK_S, FIRST_S)
        try:
            self._look()
            if now >= self._tell_at:
                self._tell_at = now + AGAIN_S
                logger.warning("waiting for %.0f s for %s", now - self._began, self._what())
        except Exception as error:  # of a handler of the log, or of what the line is made of
            if raised_by_handler(error):
                raise
            _print_error()
        self._called = time.monotonic()  # however long a handler took, it was no stop

    @contextlib.contextmanager
    def beside(self) -> Iterator[None]:
        """For a block that waits and cannot call `wait`: a thread does. It has ended when the block has, so that this
        process may be forked. Without one, if the system has no more, nothing is in the log.
        """
        over = threading.Event()
        thread = threading.Thread(target=self._stand_by, args=(over,), name="jaxdali-patience", daemon=True)
        try:
            try:
                thread.start()
            except RuntimeError as error:  # no error of the block
                if raised_by_handler(error):
                    raise
            yield
        finally:
            over.set()
            if thread.is_alive():  # an interrupt may have come before it had started; then it leaves by itself
                thread.join(timeout=_END_S)

    def _stand_by(self, over: threading.Event) -> None:
        while not over.wait(max(self._look_at - time.monotonic(), 0.0)):
            self.wait()


def _print_error() -> None:
    """Prints the exception that is being handled, where handlers of the log print their own."""
    if not logging.raiseExceptions or sys.stderr is None:
        return
    try:
        traceback.print_exc()
    except Exception as error:  # stderr is closed
        if raised_by_handler(error):
            raise


def awaited(future: Future[_Value], what: Callable[[], str]) -> _Value:
    """Returns the result of a future, or raises its error.

    Args:
        what: as for `Patience`.
    """
    patience: Patience | None = None
    while not future.done():
        try:
            return future.result(timeout=_LOOK_S)
        except TimeoutError as error:  # of this wait, or the future's own
            if raised_by_handler(error):
                raise
            patience = patience or Patience(what)
            patience.wait()
    return future.result(timeout=0)
