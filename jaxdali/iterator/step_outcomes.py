"""Whether each step succeeded in all processes of a JAX program, asked ahead of time. This file loads jax."""

from __future__ import annotations

import dataclasses
import queue
import threading
import time
import weakref
from collections.abc import Callable

from ..interruptions import is_interruption
from ..patience import Patience
from .agreement import Peers
from .at_exit import start_thread
from .failure import Failure
from .shared_end import Used

__all__ = ["StepOutcomes"]

# How long the consumer and the thread wait at a time.
_POLL_S = 0.2
# How often the thread looks whether the consumer has left, and how long it gives way to it at most.
_GIVE_WAY_S, _AT_MOST_S = 0.0005, 0.02


@dataclasses.dataclass(frozen=True)
class _Submitted:
    """A step, or where steps begin.

    Attributes:
        begun: the number with which they have begun.
        step: its number.
        outcome: waits for this process's own outcome, and returns the error. None: the next step is this one.
        is_final: no step follows one that fails.
    """

    begun: int
    step: int
    outcome: Callable[[], Exception | None] | None = None
    is_final: bool = False


class _Work:
    """What the thread does. Only queues connect it with the consumer, which an interrupt may leave anywhere.

    Attributes:
        submitted: what the consumer says, in any order of steps.
        news: something, whenever `failures` or `broken` change.
        begun: the number with which the consumer has begun.
        failures: by begin and step, those of all processes, once they are known.
        broken: why no outcome will come any more.
        looking: held while a step is looked at.
        over: makes the thread leave.
        is_awaited: the consumer waits for an outcome.
    """

    def __init__(self, peers: Peers, used: Used):
        self.is_awaited = False
        self._used = used
        self.submitted: queue.SimpleQueue[_Submitted] = queue.SimpleQueue()
        self.news: queue.SimpleQueue[None] = queue.SimpleQueue()
        self.begun = -1
        self.failures: dict[tuple[int, int], list[Failure]] = {}
        self.broken: Exception | None = None
        self.looking = threading.Lock()
        self.over = threading.Event()
        self._peers = peers
        self._exchanging, self._next = -1, 0  # which begin, and the step that is exchanged next
        self._waiting: dict[int, _Submitted] = {}
        self._left: list[int] = []  # begins before this one, whose outcomes the service still has

    def run(self) -> None:
        try:
            while not self.over.is_set():
                self._receive()
                while self._next in self._waiting and self._exchange(self._waiting.pop(self._next)):
                    pass
            self._take_leave()
        except Exception as error:
            if is_interruption(error):
                raise
            self.broken = error
            self.news.put(None)

    def _take_leave(self) -> None:
        """Tells the others, who might wait for this process at the next step. If all leave there, nobody hears it."""
        words = "it closed its Loader, or has ended"
        mine = Failure(self._peers.service.process, self._next, "", "", words, {}, 0, is_final=True)
        self._peers.service.arrive(f"{self._peers.key}/outcomes/{self._exchanging}/{self._next}", mine.to_text())

    def _receive(self) -> None:
        try:
            submitted = self.submitted.get(timeout=_POLL_S)
        except queue.Empty:
            return
        if submitted.begun != self.begun:
            return
        if submitted.outcome is None:
            self._left.append(self._exchanging)
            self._exchanging, self._next = submitted.begun, submitted.step
            self._waiting.clear()
        elif submitted.step >= self._next:
            # Sources are some steps ahead of the device. A step that comes twice, after an interrupt, counts once.
            self._waiting.setdefault(submitted.step, submitted)

    def _exchange(self, submitted: _Submitted) -> bool:
        """Exchanges the outcomes of a step. Returns False if the consumer is elsewhere meanwhile."""
        begun, step = submitted.begun, submitted.step
        self._give_way()
        service, key = self._peers.service, f"{self._peers.key}/outcomes/{begun}"
        with self.looking:
            if begun != self.begun or submitted.outcome is None:
                return False
            error = submitted.outcome()
        mine = None if error is None else Failure.of(error, service.process, step, submitted.is_final)
        arrived = service.arrive(f"{key}/{step}", "" if mine is None else mine.to_text())
        self._next = step + 1
        if mine is not None:
            self._tell(begun, step, [mine])  # the others will learn of it, so this process need not wait for them
        said = service.rest(f"{key}/{step}", arrived, lambda: begun == self.begun and not self.over.is_set())
        if said is None:
            return False
        if service.process == step % service.processes:
            service.forget(f"{key}/{step - 1}")  # everybody who comes to a step has left the one before
        if service.process == 0:
            while self._left:  # likewise, and only now: a slow process may still need what was said before a `seek`
                service.forget(f"{self._peers.key}/outcomes/{self._left.pop()}")
        self._tell(begun, step, [Failure.from_text(text) for _, text in sorted(said.items())])
        return True

    def _give_way(self) -> None:
        """Waits until the consumer has its batch: what the thread does would take the interpreter's lock from it."""
        until = time.monotonic() + _AT_MOST_S
        while self._used.user is not None and not self.is_awaited and time.monotonic() < until:
            time.sleep(_GIVE_WAY_S)

    def _tell(self, begun: int, step: int, failures: list[Failure]) -> None:
        self.failures[begun, step] = failures
        self.news.put(None)


class StepOutcomes:
    """Exchanges with the other processes whether a step succeeded, in a thread, as soon as it is known here.

    Args:
        peers: the processes.
        used: who takes steps.

    Attributes:
        final: a failure that no step follows, once `wait` has returned it.
    """

    def __init__(self, peers: Peers, used: Used):
        self.final: Failure | None = None
        self._work = _Work(peers, used)
        self._thread: threading.Thread | None = None
        weakref.finalize(self, self._work.over.set)

    def begin(self, number: int, step: int) -> None:
        """Begins with a step, and forgets all outcomes; all processes must do this. Once it returns, no step that was
        submitted before is looked at.

        Args:
            number: how often all of them went elsewhere before, by which they know each other's outcomes.
        """
        work = self._work
        work.begun = number
        self.final = None
        with work.looking:
            work.failures = {}
        work.submitted.put(_Submitted(work.begun, step))

    def submit(self, step: int, outcome: Callable[[], Exception | None], is_final: bool = False) -> None:
        """Says how the outcome of a step is learned. Does not wait.

        Args:
            outcome: waits until it is known, in another thread, and returns the error of this process, if there is one.
            is_final: no step follows one that fails.
        """
        work = self._work
        if self._thread is None:
            self._thread = start_thread(work.run, work.over, "jaxdali-outcomes")
        work.submitted.put(_Submitted(work.begun, step, outcome, is_final))

    def wait(self, step: int, look: Callable[[], None]) -> list[Failure]:
        """Returns the failures of a step, of all processes in their order; at once if this process itself failed.

        Args:
            look: called now and then while it waits; what it raises ends the wait.

        Raises:
            PeerError: the other processes cannot be reached.
        """
        work = self._work
        key = work.begun, step
        patience: Patience | None = None
        while (found := work.failures.get(key)) is None:
            work.is_awaited = True
            if work.broken is not None:
                raise work.broken
            try:
                work.news.get(timeout=_POLL_S)
            except queue.Empty:
                look()
                patience = patience or Patience(
                    lambda: f"the outcome of step {step} in the other processes, each of which must take the same steps"
                )
                patience.wait()
        work.is_awaited = False
        for old in [other for other in work.failures if other < key]:
            del work.failures[old]
        self.final = next((failure for failure in found if failure.is_final), None)
        return found

    def close(self) -> None:
        """Ends the thread. Once it returns, no step is looked at."""
        self._work.over.set()
        self._work.begun = -1
        with self._work.looking:
            pass
