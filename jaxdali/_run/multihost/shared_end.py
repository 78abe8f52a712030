"""Ends something in all processes of a JAX program once it has failed in one of them. This file loads jax.

In comes where steps are taken here (`enter`, `taken`, `failed`), and the error that ends it here (`report`), which is
left for all. A thread, `_Watch`, asks for failures of others, compares on process 0 where all are, and sees to it that
a consumer learns of one: it stops one that waits, and ends a process that hangs. Out comes the failure, from `check`,
at its step. It relies on the service of `jax.distributed`, and on `StepHistory` for the comparison.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
import weakref
from typing import Protocol

from jaxdali.errors import PeerError, StateError
from .agreement import Peers
from .at_exit import start_thread
from .failure import Failure
from .step_history import StepHistory

__all__ = ["Consumed", "SharedEnd", "Used", "first_failure"]

logger = logging.getLogger("jaxdali")

# How often a process asks whether another one has failed; less often in programs of many processes, all of which ask
# the same service, and tell it each time where they are.
_POLL_S = 0.5
_CALLS_PER_S = 500
_CALLS = 2
# How long a process may go on waiting for its own workers after another one has failed at the same step.
_WAIT_S = 2.0
# A process that has the failed step's batch already may wait for ever in a collective that the failed one never joins.
# If it has been in one call for that long, it ends.
_STUCK_S = 7.0

_HOW = (
    "A process that was ahead has computations under way that the others never join, so end all processes, and resume from "
    "a checkpoint"
)
_AGREE = "; or make the Loader with agree=True, where an error is one of its step in all processes"
_ALL_CLOSED = "closed"


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
    def exclusive(self) -> Used:
        """Who takes steps."""
        ...

    def stop(self) -> None:
        """Makes a thread that waits for a step leave with a StateError."""
        ...


class SharedEnd:
    """The first failed step of any process: where all of them end, for good. A thread asks for it off the path of batches.
    It also sees to it that all processes take the same steps.

    Args:
        peers: the processes.
        consumed: what is taken from; it is not kept alive.
        agree: the processes agree on each step.
    """

    def __init__(self, peers: Peers, consumed: Consumed, agree: bool = False):
        self._how = _HOW if agree else _HOW + _AGREE
        self._watch = _Watch(peers, weakref.ref(consumed), consumed.exclusive)
        self._peers = peers
        self._is_raised = False
        weakref.finalize(consumed, self._watch.closed.set)

    @property
    def step(self) -> int | None:
        """The step at which it has ended here; None if it has not."""
        failure = self._watch.failure
        return failure.step if failure is not None and self._is_raised else None

    def enter(self, step: int, moves: int = 0) -> None:
        """Called before a step is taken. Raises as `check`.

        Args:
            moves: how often the process was sent elsewhere, if all must be sent there even to go on where they are.
        """
        self._watch.history.enter(step, moves)
        self._watch.begin()
        self._watch.taken = step
        self.check(step)

    def check(self, step: int) -> None:
        """Raises the failure of another process, if it concerns this step; a StateError if that was raised before."""
        failure = self._watch.failure
        if failure is None or step < failure.step:
            return
        if self._is_raised:
            raise StateError(f"this Loader has ended in all processes, because {failure}. {self._how}")
        self._is_raised = True
        raise failure.as_error(f"this ends the Loader in all processes. {self._how}")

    def check_open(self) -> None:
        """Raises StateError if it has ended in this process: nothing brings it back."""
        if self.step is not None:
            raise StateError(f"this Loader has ended in all processes, because {self._watch.failure}. {self._how}")

    def taken(self, step: int) -> None:
        """Called when a step is handed out."""
        self._watch.history.behind = self._watch.taken = step + 1

    def failed(self, step: int) -> None:
        """Called when a step has failed, with the step that comes next."""
        self._watch.history.behind = step

    @property
    def behind(self) -> int:
        """See `StepHistory`."""
        return self._watch.history.behind

    def missed(self, step: int) -> None:
        """Called when there is no such step."""
        self._watch.history.missed(step)

    def report(self, error: Exception, step: int, is_final: bool) -> None:
        """Tells all other processes of an error of this one, and ends here."""
        mine = Failure.of(error, self._peers.service.process, step, is_final)
        self._watch.failure, self._is_raised = mine, True
        try:
            self._watch.tell(mine)
        except PeerError as other:
            error.add_note(f"the other processes could not be told: {other}")
        else:
            first = self._watch.failure
            others = "" if first == mine else f" Before that, {first}."
            error.add_note(f"this ends the Loader in all processes.{others} {self._how}")

    def close(self) -> None:
        """Ends the thread once all processes have closed. Until then it may have to end this process."""
        self._watch.closed.set()


class _Watch:
    """What the thread does. It does not hold what is consumed.

    Attributes:
        failure: that of the earliest step; None as long as none is known.
        taken: the step after the last one that was handed out here.
        history: which steps were taken here.
        closed: nothing more is taken in this process.
    """

    def __init__(self, peers: Peers, consumed: weakref.ref[Consumed], used: Used):
        self.failure: Failure | None = None
        self.taken = 0
        self.closed = threading.Event()
        self._peers, self._consumed, self._used = peers, consumed, used
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._has_left = False
        self._known_since = 0.0
        self._is_told_to_stop = False
        self.history = StepHistory()
        self._told = ""  # what this process has said of them
        # Where the consumer's thread is, and since when.
        self._instruction: object = None
        self._instruction_since = 0.0

    def begin(self) -> None:
        if self._thread is None:
            self._thread = start_thread(self._watch, self._over, "jaxdali-peers")

    def tell(self, failure: Failure) -> None:
        """Leaves a failure for the others, and looks for earlier ones."""
        self._peers.service.leave(f"{self._peers.key}/failed", failure.to_text())
        self._ask()

    def _watch(self) -> None:
        pause = max(_POLL_S, _CALLS * self._peers.service.processes / _CALLS_PER_S)
        try:
            is_over = False
            while not is_over and not self._over.wait(pause):
                is_over = self._ask()
                self._compare_histories()
                if self.failure is not None:
                    self._press(self.failure)
                if self.closed.is_set():
                    self._leave_together()
                    # Else it may still be stuck in what it has begun.
                    is_over = is_over or (self.failure is not None and self.taken <= self.failure.step)
            self._leave_together()
        except PeerError as error:
            logger.warning("cannot learn any more whether other processes fail: %s", error)

    def _ask(self) -> bool:
        """Looks for failures. Returns whether all processes have closed without one."""
        failure, have_closed = first_failure(self._peers)
        self.failure = failure or self.failure
        return self.failure is None and have_closed

    def _leave_together(self) -> None:
        """Counts this process as one that has closed; the last one tells the others, so that their threads end."""
        if self._has_left:
            return
        self._has_left = True
        if self._peers.service.arrive(f"{self._peers.key}/closed", "") is not None and self.failure is None:
            self._peers.service.leave(f"{self._peers.key}/failed", _ALL_CLOSED)

    def _compare_histories(self) -> None:
        """Leaves this process's history. Process 0 compares these histories, and tells of any that differ."""
        service, key = self._peers.service, f"{self._peers.key}/history"
        if (text := self.history.to_text()) != self._told:
            self._told = text
            service.leave(key, text)
        if service.process or not self.history.has_begun or self.failure is not None:
            return
        for process, other in service.left(key).items():
            if (steps := self.history.difference(other)) is not None:
                alike = ", but took other steps before, or called seek a different number of times"
                words = (
                    f"the processes take different steps: process 0 went on at step {steps[0]}, process {process} at step "
                    f"{steps[1]}{alike * (steps[0] == steps[1])}. Call seek, set_state and epoch alike in all of them"
                )
                self.failure = Failure(None, min(steps), "", "", words, {}, 0, is_final=True)
                self.tell(self.failure)
                return

    def _press(self, failure: Failure) -> None:
        """Sees to it that the consumer learns of a failure of another process, wherever it is."""
        if failure.process == self._peers.service.process:
            return
        now = time.monotonic()
        self._known_since = self._known_since or now
        if self._used.user is not None and self.taken >= failure.step:
            consumed = self._consumed()
            if consumed is not None and now - self._known_since > _WAIT_S and not self._is_told_to_stop:
                self._is_told_to_stop = True
                consumed.stop()
        elif self._used.user is None and self.taken > failure.step and self._is_stuck(self._used.last, now):
            _leave(failure)

    def _is_stuck(self, thread: int | None, now: float) -> bool:
        """Whether a thread has been in one call for long."""
        frame = None if thread is None else sys._current_frames().get(thread)
        instruction = None if frame is None else (id(frame), frame.f_code, frame.f_lasti)
        if instruction != self._instruction:
            self._instruction, self._instruction_since = instruction, now
        return instruction is not None and now - max(self._instruction_since, self._known_since) > _STUCK_S


def first_failure(peers: Peers) -> tuple[Failure | None, bool]:
    """Returns the failure of the earliest step that has ended something in all processes, and whether all have closed it."""
    found = peers.service.left(f"{peers.key}/failed").values()
    failures = [Failure.from_text(text) for text in found if text != _ALL_CLOSED]
    first = min(failures, key=lambda failure: (failure.step, failure.process or 0), default=None)
    return first, _ALL_CLOSED in found


def _leave(failure: Failure) -> None:
    """Ends this process, as JAX ends one whose peer has died: an exception does not reach a thread in a collective."""
    logger.critical(
        "%s. This process has that step's batch, and has been in one call since, which probably waits for the others for "
        "ever: it ends here, with status 1",
        failure,
    )
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(1)
