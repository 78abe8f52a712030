"""Keeps batches ahead of the consumer, on the consumer's thread: what is asked for early is computed by others."""

from __future__ import annotations

import collections
import copy
import dataclasses
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from .._host import Ring
from ..errors import JaxDaliError, StateError
from ..ring.host_batch import HostColumn
from .host_stage import HostStage, Step
from .tracing import stage
from .waits import Waits

__all__ = ["Executor", "Ready"]


# While it waits for a decoder, how often it asks what workers have finished.
_POLL_S = 0.002


class Prepared(Protocol):
    """A step on its way to the device."""

    @property
    def settled(self) -> bool: ...

    def wait(self, seconds: float) -> bool: ...
    def close(self) -> None: ...


class Dispatcher(Protocol):
    """The device's part, `DeviceStage`."""

    @property
    def engine_counts(self) -> dict[str, int] | None: ...
    def prepare(self, step: Step) -> Any: ...
    def dispatch(self, prepared: Any) -> Any: ...


@dataclasses.dataclass(eq=False)
class _Taken:
    """A step that is not dispatched yet. `prepared` is None if the device has nothing to do, or preparing raised `error`."""

    step: Step
    prepared: Prepared | None
    error: Exception | None = None


@dataclasses.dataclass(eq=False)
class Ready:
    """A batch that is handed out. `device` is None where the device had nothing to do, or failed: `error`."""

    step: Step
    device: Any
    error: Exception | None = None

    @property
    def columns(self) -> list[HostColumn]:
        """Those of the sources, and behind them what was made on the host since."""
        return self.step.columns if self.device is None else [*self.step.columns, *self.device.columns]


def _fresh_copy(error: BaseException) -> BaseException:
    """A copy of an error, without its traceback, that can be raised again. A raised error holds its traceback, and with it
    every frame of the caller; if it were kept here, the pipeline and the caller's batches could not be freed.
    """
    try:
        fresh = copy.copy(error)
    except Exception:  # a user's exception whose constructor expects other arguments
        return error
    fresh.__cause__ = error.__cause__
    fresh.args = error.args  # the constructor may have changed them
    return fresh


def _drop(waiting: Iterable[Ready | _Taken | BaseException]) -> None:
    """Lets go of what was prepared for nothing."""
    for entry in waiting:
        if isinstance(entry, _Taken) and entry.prepared is not None:
            entry.prepared.close()
        elif isinstance(entry, Ready) and entry.device is not None:
            entry.device.close(used=False)


class Executor:
    """Hands out batches in order, `depth` of them dispatched ahead, the one handed out included.

    From the first `next` on `depth + ahead` iterations are asked for at any time, and
    of each source as many more as it prepares ahead: workers fill slots while the device computes what is full. A step is
    dispatched once its images are decoded: its kernels are queued between those of training steps, which therefore never
    wait for a decoder. Errors and the end of the data wait in the same queue as the batches,
    so they surface with the batch that they concern.

    Args:
        dispatcher: None where no output needs the device.
        depth: DALI's prefetch_queue_depth of the pipeline.
        ahead: steps that are prepared beyond those that are dispatched.

    Attributes:
        batches, samples: handed out, of all epochs; padding is not a sample.
        start: what the first batch waited for, from the first `next` on.
    """

    def __init__(self, host: HostStage, dispatcher: Dispatcher | None, depth: int, ahead: int = 0):
        self._host = host
        self._dispatcher = dispatcher
        self._depth = depth
        self._ahead = ahead
        self._queue: collections.deque[Ready | BaseException] = collections.deque()
        self._taken: collections.deque[_Taken | BaseException] = collections.deque()
        self._step: Step | None = None  # taken from the host, not yet prepared
        self._is_set_up = False  # `set_up` was called for the step that is taken next
        self._end: BaseException | None = None
        self._handed_out = 0
        self._started = False
        self._epoch = 0
        # Handed out, of all epochs.
        self.batches = 0
        self.samples = 0
        self._waits = Waits()
        self._asked_at = 0.0  # when the first batch was wanted, and when it was handed out
        self._first_at = 0.0
        self.start = Waits()

    @property
    def waits(self) -> Waits:
        """What `next` has waited for."""
        seconds = time.monotonic() - self._first_at if self._first_at else 0.0
        return dataclasses.replace(self._waits, seconds=seconds)

    @property
    def engine_counts(self) -> dict[str, int] | None:
        """Of the engine that decodes ahead, see `EngineStatistics`; None: there is none."""
        return None if self._dispatcher is None else self._dispatcher.engine_counts

    @property
    def rings(self) -> list[Ring]:
        """Whose slots the batches are in."""
        return [feed.ring for feed in self._host.feeds]

    @property
    def ended(self) -> bool:
        """The epoch is over (or failed): `next` raises until `restart`."""
        return self._end is not None

    @property
    def failed_feed(self) -> int | None:
        """Index of the feed whose failure `next` raises until `restart`; None: there is none."""
        return self._host.failed if self.ended else None

    @property
    def position(self) -> int:
        """The step that comes next, counted as `restart` did; a step that failed counts, too."""
        return self._handed_out

    def stream_positions(self) -> list[int | None]:
        """Of each endless source: which batch of its stream is the next to be handed out; None: it has epochs."""
        waiting = [entry.step for entry in [*self._queue, *self._taken] if not isinstance(entry, BaseException)]
        return self._host.stream_positions([*waiting, *([self._step] if self._step is not None else [])])

    @property
    def epoch(self) -> int:
        """That of `restart`."""
        return self._epoch

    @property
    def started(self) -> bool:
        """Something was asked for since the last `restart`."""
        return self._started

    def next(
        self,
        package: Callable[[Ready], Any] = lambda ready: ready,
        set_up: Callable[[], None] | None = None,
        explain: Callable[[BaseException], None] = lambda error: None,
    ) -> Any:
        """The next batch. It counts as handed out when nothing is left to be done but to return it: after an interrupt, it
        is still the next one.

        Args:
            package: makes of it what is returned.
            set_up: called before each step that is taken from the sources. What it raises stands in that step's place.
            explain: adds to what is raised.

        Raises:
            StopIteration: the epoch is over.
            DecodeError, or what else the device's part or `package` found wrong with this batch: the next call gives the
                next batch.
            Exception: what a source raised, or WorkerError; again at every call until `restart`. Then `ended` is true.
        """
        entered = time.monotonic()
        if self._end is not None:
            again = _fresh_copy(self._end)
            explain(again)
            try:
                raise again
            finally:
                del again
        if set_up is None and not (self._queue or self._taken or self._step) and (names := self._host.starved()):
            raise StateError(
                f"Attempted to peek the data batch that doesn't exist. Add more elements to the DALI input operator: call "
                f"feed_input({names[0]!r}, data) before each run, or write it with blocking=True"
            )
        self._fill(set_up)
        head = self._queue[0]
        if isinstance(head, BaseException):
            self._end = _fresh_copy(head)
            explain(head)
            del self._queue[0]
            try:
                raise head
            finally:
                del head  # or this frame, which the traceback holds, would hold the exception
        # The workers go on while the consumer looks at this batch.
        self._host.ask(self._handed_out + self._depth + self._ahead)
        try:
            if head.error is not None:
                raise head.error
            if head.device is not None:
                began = time.monotonic()
                head.device.check(head.step)
                self._waits.device_s += time.monotonic() - began
            samples = head.step.count_samples()
            result = package(head)
        except Exception as error:
            explain(error)
            self._handed_out += 1
            del self._queue[0]
            raise
        # Starting, tracing and compiling say nothing about what follows.
        began, waits, start, now = self._first_at, self._waits, self.start, time.monotonic()
        spent = waits.next_s + now - entered
        if not began:
            start = dataclasses.replace(waits, seconds=now - self._asked_at, next_s=spent)
            began, waits, spent = now, Waits(), 0.0
        # Only now: an interrupt of the wait for the device must not lose a batch. And without a call up to the caller.
        self._handed_out += 1
        del self._queue[0]
        self.batches += 1
        self.samples += samples
        self._first_at, self._waits, self.start = began, waits, start
        waits.next_s = spent
        return result

    def ask(self) -> None:
        """Asks the sources for what the next `next` needs, without waiting for it."""
        self._started = True
        self._asked_at = self._asked_at or time.monotonic()
        self._host.ask(self._handed_out + self._depth + self._ahead)

    def _fill(self, set_up: Callable[[], None] | None) -> None:
        self.ask()
        # Dispatch what can be before anything is prepared for later: the device may be idle.
        if not self._has_settled():
            self._take(set_up)
        while self._taken and len(self._queue) < self._depth:
            if isinstance(self._taken[0], BaseException):
                # Not bound to a local, which its traceback would hold. Twice in the queue, after an interrupt, does no harm.
                self._queue.append(self._taken[0])
                del self._taken[0]
                return
            head = self._taken[0]
            if self._queue and head.prepared is not None and not head.prepared.settled:
                return
            self._await(head, set_up)
            ready = self._dispatch(head)
            # No call before it is in the queue: an interrupt must not have the step dispatched twice.
            del self._taken[0]
            self._queue.append(ready)
            del head, ready  # they may hold an exception, too
            self._take(set_up)

    def _has_settled(self) -> bool:
        """A step can be dispatched without waiting for anything."""
        if not self._taken or len(self._queue) >= self._depth:
            return False
        head = self._taken[0]
        return isinstance(head, _Taken) and (head.prepared is None or head.prepared.settled)

    def _take(self, set_up: Callable[[], None] | None) -> None:
        """Takes the steps that are there, and waits for one where there is nothing else to hand out."""
        while len(self._queue) + len(self._taken) < self._depth + self._ahead:
            last = self._taken[-1] if self._taken else self._queue[-1] if self._queue else None
            if isinstance(last, BaseException):
                return
            began = time.monotonic()
            try:
                # Before it is asked who is ready: this may be what feeds them.
                if set_up is not None and self._step is None and not self._is_set_up:
                    set_up()
                    # An interrupt of the wait below must not have it called for this step again.
                    self._is_set_up = True
                if last is not None and self._step is None and not self._host.ready():
                    return
                # Kept while it is prepared: an interrupt must not lose it.
                with stage("source"):
                    self._step = self._step or self._host.take()
                self._is_set_up = False
            except (Exception, SystemExit) as error:
                # Nothing before it is noted: an interrupt must not lose it.
                self._taken.append(error)
                self._host.heard()
                if isinstance(error, StopIteration | JaxDaliError):
                    error.with_traceback(None)
                return
            self._waits.source_s += time.monotonic() - began
            taken = self._prepare(self._step)
            self._step = None
            self._taken.append(taken)
            del taken

    def _await(self, head: _Taken, set_up: Callable[[], None] | None) -> None:
        if head.prepared is None or head.prepared.settled:
            return
        began = time.monotonic()
        with stage("decoder", head.step):
            while not head.prepared.wait(_POLL_S):
                # The decoder shall not run dry while we wait for it.
                self._take(set_up)
        self._waits.decoder_s += time.monotonic() - began

    def _prepare(self, step: Step) -> _Taken:
        if self._dispatcher is None:
            return _Taken(step, None)
        try:
            return _Taken(step, self._dispatcher.prepare(step))
        except Exception as error:
            return _Taken(step, None, error)

    def _dispatch(self, taken: _Taken) -> Ready:
        if self._dispatcher is None or taken.prepared is None:
            return Ready(taken.step, None, taken.error)
        began = time.monotonic()
        try:
            return Ready(taken.step, self._dispatcher.dispatch(taken.prepared))
        except Exception as error:
            taken.prepared.close()
            return Ready(taken.step, None, error)
        finally:
            self._waits.dispatch_s += time.monotonic() - began

    def restart(self, epoch: int, step: int = 0) -> None:
        """Continues at another place; what was computed ahead is dropped. After an interrupt it may be called again."""
        waiting = [*self._queue, *self._taken]
        unused = [entry.step for entry in waiting if not isinstance(entry, BaseException)]
        if self._step is not None:
            unused.append(self._step)
        empty: collections.deque[Ready | BaseException] = collections.deque()
        nothing: collections.deque[_Taken | BaseException] = collections.deque()
        last = waiting[-1] if waiting else None
        unheard = last if isinstance(last, BaseException) and not isinstance(last, StopIteration) else None
        self._host.restart(epoch, step, unused, unheard)
        # No call up to the last of these: an interrupt comes before or after.
        self._queue = empty
        self._taken = nothing
        self._step = None
        self._is_set_up = False
        self._end = None
        self._started = False
        self._handed_out = step
        self._epoch = epoch
        # Only now: what is closed is not decoded any more, and before an interrupt somebody might still wait for it.
        _drop(waiting)

    def stop(self) -> None:
        """Has a thread that waits in `next` leave it, by a StateError, and the workers leave."""
        for feed in self._host.feeds:
            feed.stop()

    def close(self) -> None:
        """Ends the sources' processes and lets go of what was computed ahead. After an interrupt it may be called again."""
        waiting = [*self._queue, *self._taken]
        self._queue.clear()
        self._taken.clear()
        self._step = None
        _drop(waiting)
        self._host.close()
