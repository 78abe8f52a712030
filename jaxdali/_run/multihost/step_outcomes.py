"""Whether each step succeeded in all processes of a JAX program, asked ahead of time. This file loads jax.

`begin` says where steps begin, `submit` how a step's outcome is learned here. The thread of `_Work` takes that from a
queue, learns the outcomes in the order of steps, exchanges each with the other processes, and stores all failures of
the step, for which `wait` looks. A process that leaves says how far it came, so nobody waits for it. It relies on all
processes taking the same steps after the same moves: others never meet (`Begun`).
"""

from __future__ import annotations

import dataclasses
import json
import logging
import queue
import threading
import time
import weakref
from collections.abc import Callable

from jaxdali._base.interruptions import is_interruption
from jaxdali._base.patience import Patience
from jaxdali.errors import PeerError
from .agreement import Peers
from .at_exit import start_thread
from .failure import Failure
from .shared_end import Used, first_failure

__all__ = ["Begun", "StepOutcomes"]

# How often all processes went elsewhere, the step that they left, and the one where they went on. Processes that differ in
# one of these do not meet.
Begun = tuple[int, int, int]
_NOT_BEGUN: Begun = (-1, 0, 0)

logger = logging.getLogger("jaxdali")

# How long the consumer and the thread wait at a time.
_POLL_S = 0.2
# How often the thread looks whether the consumer has left, and how long it gives way to it at most.
_GIVE_WAY_S, _AT_MOST_S = 0.0005, 0.02
# How long the others may need for a step before the thread asks whether one of them has left.
_PROMPT_S = 0.05
# Of how many begins a process that leaves says how far it came; others are in one of the last few.
_REMEMBERED = 8


@dataclasses.dataclass(frozen=True)
class _Submitted:
    """A step, or where steps begin.

    Attributes:
        begun: what they have begun with.
        step: its number.
        outcome: waits for this process's own outcome, and returns the error. None: the next step is this one.
        is_final: no step follows one that fails.
    """

    begun: Begun
    step: int
    outcome: Callable[[], Exception | None] | None = None
    is_final: bool = False


class _Work:
    """What the thread does. Only queues connect it with the consumer, which an interrupt may leave anywhere.

    Attributes:
        submitted: what the consumer says, in any order of steps.
        news: something, whenever `failures` or `broken` change.
        begun: what the consumer has begun with.
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
        self.begun = _NOT_BEGUN
        self.failures: dict[tuple[Begun, int], list[Failure]] = {}
        self.broken: Exception | None = None
        self.looking = threading.Lock()
        self.over = threading.Event()
        self._peers = peers
        self._exchanging, self._next = _NOT_BEGUN, 0  # which begin, and the step that is exchanged next
        self._waiting: dict[int, _Submitted] = {}
        self._left: list[Begun] = []  # begins before this one, whose outcomes the service still has
        self._reached: dict[str, int] = {}  # for the last begins, the first step that was not exchanged

    def run(self) -> None:
        try:
            while not self.over.is_set():
                self._receive()
                while self._next in self._waiting and self._exchange(self._waiting.pop(self._next)):
                    pass
        except Exception as error:
            self.broken = error
            self.news.put(None)
            if is_interruption(error):
                raise
        finally:
            if not isinstance(self.broken, PeerError):  # else there is nobody to tell
                self._take_leave()

    def _take_leave(self) -> None:
        """Tells the others which steps this process still had a part in, wherever they are."""
        try:
            self._peers.service.leave(f"{self._peers.key}/left", json.dumps(self._reached))
        except PeerError as error:
            logger.warning("the other processes cannot be told that this one has closed its Loader: %s", error)

    def _missing(self, begun: Begun, step: int) -> Failure | None:
        """Returns why a process has left and will not come to this step; None if all may come."""
        for process, text in self._peers.service.left(f"{self._peers.key}/left").items():
            if step >= json.loads(text).get(_name(begun), 0):
                # If it has left because of a failure that concerns all, that is the reason.
                words = "it closed its Loader, or has ended"
                return first_failure(self._peers)[0] or Failure(process, step, "", "", words, {}, 0, is_final=True)
        return None

    def _receive(self) -> None:
        try:
            submitted = self.submitted.get(timeout=_POLL_S)
        except queue.Empty:
            return
        if submitted.begun != self.begun:
            return
        if submitted.outcome is None:
            if submitted.begun != self._exchanging:  # else it begins anew, after an interrupt
                self._left.append(self._exchanging)
            self._exchanging, self._next = submitted.begun, submitted.step
            self._reached[_name(submitted.begun)] = submitted.step
            for old in list(self._reached)[:-_REMEMBERED]:
                del self._reached[old]
            self._waiting.clear()
        elif submitted.step >= self._next:
            # Sources are some steps ahead of the device. A step that comes twice, after an interrupt, counts once.
            self._waiting.setdefault(submitted.step, submitted)

    def _exchange(self, submitted: _Submitted) -> bool:
        """Exchanges the outcomes of a step. Returns False if the consumer is elsewhere meanwhile."""
        begun, step = submitted.begun, submitted.step
        self._give_way()
        service, key = self._peers.service, self._key(begun)
        with self.looking:
            if begun != self.begun or submitted.outcome is None:
                return False
            error = submitted.outcome()
        mine = None if error is None else Failure.of(error, service.process, step, submitted.is_final)
        arrived = service.arrive(f"{key}/{step}", "" if mine is None else mine.to_text())
        self._next = self._reached[_name(begun)] = step + 1
        if mine is not None and mine.is_final:
            self._tell(begun, step, [mine])  # nothing that the others say changes what comes next here
        missing: Failure | None = None
        since = time.monotonic()

        def goes_on() -> bool:
            nonlocal missing
            if begun != self.begun or self.over.is_set():
                return False
            if time.monotonic() - since > _PROMPT_S:
                missing = self._missing(begun, step)
            return missing is None

        said = service.rest(f"{key}/{step}", arrived, goes_on)
        if missing is not None:
            self._tell(begun, step, [missing])
        if said is None:
            return False
        if service.process == step % service.processes:
            service.forget(f"{key}/{step - 1}")  # everybody who comes to a step has left the one before
        if service.process == 0:
            while self._left:  # likewise, and only now: a slow process may still need what was said before a `seek`
                service.forget(self._key(self._left.pop()))
        self._tell(begun, step, [Failure.from_text(text) for _, text in sorted(said.items())])
        return True

    def _key(self, begun: Begun) -> str:
        return f"{self._peers.key}/outcomes/{_name(begun)}"

    def _give_way(self) -> None:
        """Waits until the consumer has its batch: what the thread does would take the interpreter's lock from it."""
        until = time.monotonic() + _AT_MOST_S
        while self._used.user is not None and not self.is_awaited and time.monotonic() < until:
            time.sleep(_GIVE_WAY_S)

    def _tell(self, begun: Begun, step: int, failures: list[Failure]) -> None:
        self.failures[begun, step] = failures
        self.news.put(None)


def _name(begun: Begun) -> str:
    return "-".join(map(str, begun))


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
        # At once: a process that leaves before its first step must tell the others, too.
        start_thread(self._work.run, self._work.over, "jaxdali-outcomes")
        weakref.finalize(self, self._work.over.set)

    def begin(self, begun: Begun) -> None:
        """Begins with a step, and forgets all outcomes; all processes must do this alike. Once it returns, no step that was
        submitted before is looked at. May be called again, after an interrupt, before anything is submitted.
        """
        work = self._work
        work.begun = begun
        self.final = None
        with work.looking:
            work.failures = {}
        work.submitted.put(_Submitted(begun, begun[2]))

    def submit(self, step: int, outcome: Callable[[], Exception | None], is_final: bool = False) -> None:
        """Says how the outcome of a step is learned. Does not wait.

        Args:
            outcome: waits until it is known, in another thread, and returns the error of this process, if there is one.
            is_final: no step follows one that fails.
        """
        work = self._work
        work.submitted.put(_Submitted(work.begun, step, outcome, is_final))

    def wait(self, step: int, look: Callable[[], None]) -> list[Failure]:
        """Returns the failures of a step, of all processes in their order; at once if nothing follows this process's own.

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
        self._work.begun = _NOT_BEGUN
        with self._work.looking:
            pass
