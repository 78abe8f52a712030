"""Ends something in all processes of a JAX program once it has failed in one of them. This file loads jax."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
import weakref
from typing import Protocol

from ..errors import PeerError, StateError
from .agreement import Peers
from .at_exit import start_thread
from .failure import Failure

__all__ = ["Consumed", "SharedEnd"]

logger = logging.getLogger("jaxdali")

# How often a process asks whether another one has failed; less often in programs of many processes, all of which ask
# the same service.
_POLL_S = 0.5
_CALLS_PER_S = 500
# How long a process may go on waiting for its own workers after another one has failed at the same step.
_WAIT_S = 2.0
# A process that has the failed step's batch already may wait for ever in a collective that the failed one never joins.
# If it has been in one call for that long, it ends.
_STUCK_S = 7.0

_HOW = (
    "All processes stand at that step: seek(step + 1) in each of them goes on behind it. With agree=True an error is "
    "one of its step only, in all processes"
)


class Used(Protocol):
    """An object that one thread at a time uses.

    Attributes:
        user: the thread that is inside; None if no thread is.
        last: the thread that was inside last.
    """

    user: int | None
    last: int | None


class Consumed(Protocol):
    """What is taken from in all processes."""

    @property
    def step(self) -> int:
        """The step that comes next."""
        ...

    @property
    def exclusive(self) -> Used:
        """Who takes steps."""
        ...

    def stop(self) -> None:
        """Makes a thread that waits for a step leave with a StateError."""
        ...


class SharedEnd:
    """The first failure of any process: where all of them end. A thread asks for it off the path of batches.

    Args:
        peers: the processes.
        consumed: what is taken from; it is not kept alive.
    """

    def __init__(self, peers: Peers, consumed: Consumed):
        self._peers = peers
        self._watch = _Watch(peers, weakref.ref(consumed))
        self._is_raised = False
        weakref.finalize(consumed, self._watch.over.set)

    @property
    def step(self) -> int | None:
        """The step at which it has ended here; None if it has not."""
        failure = self._watch.failure
        return failure.step if failure is not None and self._is_raised else None

    def begin(self) -> None:
        """Starts the thread. May be called again."""
        self._watch.begin()

    def check(self, step: int) -> None:
        """Raises the failure of another process, if it concerns this step; a StateError if that was raised before."""
        failure = self._watch.failure
        if failure is None or step < failure.step:
            return
        if self._is_raised:
            raise StateError(f"this Loader has ended in all processes, because {failure}. {_HOW}")
        self._is_raised = True
        raise failure.as_error(f"this ends the Loader in all processes. {_HOW}")

    def report(self, error: Exception, step: int, is_final: bool) -> None:
        """Tells all other processes of an error of this one, and ends here."""
        mine = Failure.of(error, self._peers.service.process, step, is_final)
        self._watch.failure, self._is_raised = mine, True
        try:
            first = Failure.from_text(self._peers.service.claim(self._watch.key, mine.to_text()))
        except PeerError as other:
            error.add_note(f"the other processes could not be told: {other}")
            return
        self._watch.failure = first
        if first == mine:
            error.add_note(f"this ends the Loader in all processes, at step {step}. {_HOW}")
        else:
            error.add_note(f"this Loader has ended in all processes, because {first}. {_HOW}")

    def restart(self) -> None:
        """Forgets the failure; all processes must do this."""
        self._watch.restart()
        self._is_raised = False

    def close(self) -> None:
        self._watch.over.set()


class _Watch:
    """What the thread does. It does not hold what is consumed.

    Attributes:
        failure: the first one; None as long as none is known.
        over: makes the thread leave.
    """

    def __init__(self, peers: Peers, consumed: weakref.ref[Consumed]):
        self.failure: Failure | None = None
        self.over = threading.Event()
        self._peers, self._consumed = peers, consumed
        self._thread: threading.Thread | None = None
        self._begun = 0  # how often it was restarted; each time has a key of its own
        self._known_since = 0.0
        self._is_told_to_stop = False
        # Where the consumer's thread is, and since when.
        self._place: object = None
        self._place_since = 0.0

    @property
    def key(self) -> str:
        return f"{self._peers.key}/failed/{self._begun}"

    def begin(self) -> None:
        if self._thread is None:
            self._thread = start_thread(self._watch, self.over, "jaxdali-peers")

    def restart(self) -> None:
        if self.failure is None:
            return  # the key is still unused, also in a process that does not restart because it has not begun
        self._begun += 1
        self.failure, self._known_since, self._is_told_to_stop = None, 0.0, False

    def _watch(self) -> None:
        pause = max(_POLL_S, self._peers.service.processes / _CALLS_PER_S)
        while not self.over.wait(pause):
            try:
                if self.failure is None:
                    self._ask()
                if self.failure is not None:
                    self._press(self.failure)
            except PeerError as error:
                logger.warning("cannot learn any more whether other processes fail: %s", error)
                return

    def _ask(self) -> None:
        begun = self._begun
        text = self._peers.service.claimed(self.key)
        if text is not None and begun == self._begun:
            self.failure = Failure.from_text(text)

    def _press(self, failure: Failure) -> None:
        """Sees to it that the consumer learns of a failure of another process, wherever it is."""
        consumed = self._consumed()
        if consumed is None or failure.process == self._peers.service.process:
            return
        now = time.monotonic()
        self._known_since = self._known_since or now
        thread = consumed.exclusive.user
        if thread is not None and consumed.step >= failure.step:
            if now - self._known_since > _WAIT_S and not self._is_told_to_stop:
                self._is_told_to_stop = True
                consumed.stop()
        elif thread is None and consumed.step > failure.step and self._is_stuck(consumed.exclusive.last, now):
            _leave(failure)

    def _is_stuck(self, thread: int | None, now: float) -> bool:
        """Whether a thread has been in one call for long."""
        frame = None if thread is None else sys._current_frames().get(thread)
        place = None if frame is None else (id(frame), frame.f_code, frame.f_lasti)
        if place != self._place:
            self._place, self._place_since = place, now
        return place is not None and now - max(self._place_since, self._known_since) > _STUCK_S


def _leave(failure: Failure) -> None:
    """Ends this process, as JAX ends one whose peer has died: an exception does not reach a thread in a collective."""
    logger.critical(
        "%s. This process has that step's batch, and has been in one call since, which probably waits for process %d for "
        "ever: it ends here, with status 1",
        failure,
        failure.process,
    )
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(1)
