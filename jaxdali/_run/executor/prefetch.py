"""Keeps batches ahead of the consumer, on the consumer's thread; others compute what it requests early."""

# A step goes from `HostStage.take` to `_step`, is prepared and waits in `_taken` for its images, is dispatched and
# waits in `_queue`, and leaves by `next`, which checks and packages it. An error, or the end, waits in a step's place.
# `next` fills the queues first, then asks sources for more; only at its end does the batch count as handed out. It
# relies on interrupts not coming between statements that call nothing.

from __future__ import annotations

import collections
import dataclasses
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from jaxdali._base.interruptions import forget_locals, is_interruption
from jaxdali._base.patience import Patience
from jaxdali._feed._host import Ring
from jaxdali._feed.ring.host_batch import HostColumn
from jaxdali.errors import JaxDaliError, StateError
from .host_stage import HostStage, Step
from .raised_again import fresh_copy
from .tracing import stage
from .waits import Waits

__all__ = ["Executor", "Ready"]
_POLL_S = 0.002  # while waiting for a decoder, how often it checks what workers have finished


class Prepared(Protocol):
    """A step whose images are being decoded."""

    @property
    def is_ready(self) -> bool: ...

    def wait(self, seconds: float) -> bool: ...
    def close(self) -> None: ...


class Dispatcher(Protocol):
    """The device's part, such as `DeviceStage`."""

    @property
    def engine_counts(self) -> dict[str, int] | None: ...
    def prepare(self, step: Step) -> Any: ...
    def dispatch(self, prepared: Any) -> Any: ...


@dataclasses.dataclass(eq=False)
class _Taken:
    """A step not dispatched yet. `prepared` is None if the device has nothing to do, or if preparing raised `error`."""

    step: Step
    prepared: Prepared | None
    error: Exception | None = None


@dataclasses.dataclass(eq=False)
class Ready:
    """A batch to hand out. `device` is None if the device had nothing to do, or failed with `error`."""

    step: Step
    device: Any
    error: Exception | None = None

    @property
    def columns(self) -> list[HostColumn]:
        """The columns of the sources, followed by those made on the host later."""
        return self.step.columns if self.device is None else [*self.step.columns, *self.device.columns]


def _drop(waiting: Iterable[Ready | _Taken | BaseException]) -> None:
    """Releases what was prepared in vain."""
    for entry in waiting:
        if isinstance(entry, _Taken) and entry.prepared is not None:
            entry.prepared.close()
        elif isinstance(entry, Ready) and entry.device is not None:
            entry.device.close(used=False)


class Executor:
    """Hands out batches in order and keeps `depth` of them dispatched, including the one being handed out.

    From the first `next` on, `depth + ahead` iterations are requested at any time, and from each source as many more as
    it prepares ahead: workers fill slots while the device computes on full ones. A step is dispatched once its images
    are decoded: its kernels are queued between those of training steps, which therefore never wait for a decoder.
    Errors and the end of the data wait in the same queue as the batches, so they surface at the batch they belong to.

    Args:
        dispatcher: None if no output needs the device.
        depth: DALI's prefetch_queue_depth of the pipeline.
        ahead: steps prepared beyond those that are dispatched.

    Attributes:
        batches, samples: numbers handed out, over all epochs; padding does not count as samples.
        interrupted: what the last `next` raised was not the data's. An attribute, because asking calls nothing.
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
        self._is_set_up = False  # `set_up` was called for the next step to be taken
        self._end: BaseException | None = None
        self._handed_out = 0
        self.interrupted = False
        self._started = False
        self._epoch = 0
        self.batches = 0
        self.samples = 0
        self._waits = Waits()
        self._asked_at = self._first_at = 0.0  # when the first batch was requested, and when it was handed out
        self.start = Waits()

    @property
    def waits(self) -> Waits:
        """What `next` has waited for, since the first batch was handed out."""
        seconds = time.monotonic() - self._first_at if self._first_at else 0.0
        return dataclasses.replace(self._waits, seconds=seconds)

    @property
    def engine_counts(self) -> dict[str, int] | None:
        """The counts of the engine that decodes ahead, see `EngineStatistics`; None if there is no engine."""
        return None if self._dispatcher is None else self._dispatcher.engine_counts

    @property
    def rings(self) -> list[Ring]:
        """The rings whose slots the batches are in."""
        return [feed.ring for feed in self._host.feeds]

    @property
    def ended(self) -> bool:
        """Whether the epoch is over (or failed): `next` raises until `restart`."""
        return self._end is not None

    @property
    def failed_feed(self) -> int | None:
        """Index of the feed whose failure `next` raises until `restart`; None if no feed failed."""
        return self._host.failed if self.ended else None

    @property
    def position(self) -> int:
        """The step that comes next, counted as in `restart`; a failed step counts too."""
        return self._handed_out

    def stream_positions(self) -> list[int | None]:
        """Returns, for each source, the stream index of the next batch to hand out; None for a source with epochs."""
        waiting = [entry.step for entry in [*self._queue, *self._taken] if not isinstance(entry, BaseException)]
        return self._host.stream_positions([*waiting, *([self._step] if self._step is not None else [])])

    @property
    def epoch(self) -> int:
        """The epoch that `restart` was given."""
        return self._epoch

    @property
    def started(self) -> bool:
        """Whether anything was requested since the last `restart`."""
        return self._started

    def next(
        self,
        package: Callable[[Ready], Any] = lambda ready: ready,
        set_up: Callable[[], None] | None = None,
        explain: Callable[[BaseException], None] = lambda error: None,
    ) -> Any:
        """Returns the next batch. It counts as handed out only when nothing is left to do but to return it, so after an
        interrupt it is still the next one.

        Args:
            package: turns it into what is returned.
            set_up: called before each step is taken from the sources. What it raises takes the place of that step.
            explain: adds notes to what is raised.

        Raises:
            StopIteration: the epoch is over.
            DecodeError: found in this batch, like any other error of the device's part or of `package`: the next call
                gives the next batch.
            Exception: what a source raised, or WorkerError; again at every call until `restart`. Then `ended` is true.
        """
        self.interrupted, entered = False, time.monotonic()
        if self._end is not None:
            again = fresh_copy(self._end)
            explain(again)
            try:
                raise again
            finally:
                del again
        if set_up is None and not (self._queue or self._taken or self._step) and (names := self._host.starved()):
            raise StateError(
                "Attempted to peek the data batch that doesn't exist. Add more elements to the DALI input operator: "
                f"call feed_input({names[0]!r}, data) before each run, or declare it with blocking=True"
            )
        self.interrupted = True  # unless it gets further
        try:
            self._fill(set_up)
            if not (failed := isinstance(self._queue[0], BaseException)):
                self.ask()  # the workers continue while the consumer uses this batch
        except BaseException as error:
            forget_locals(error)
            raise
        head: Any = self._queue[0]  # no call while it is not in a `try`: see below
        if failed:
            self._end = fresh_copy(head)
            explain(head)
            self.interrupted = False
            del self._queue[0]
            try:
                raise head
            finally:
                del head  # else the traceback, through this frame, would keep the exception alive
        try:
            if head.error is not None:
                raise head.error
            if head.device is not None:
                began = time.monotonic()
                head.device.check(head.step)
                self._waits.device_s += time.monotonic() - began
            samples = head.step.count_samples()
            result = package(head)
            began, waits, start, spent = self._timed(entered)
        except Exception as error:
            forget_locals(error)
            if is_interruption(error):
                head = result = None  # this frame is in the traceback, too
                raise
            explain(error)
            # No call from here on: an interrupt must not lose the error.
            self.interrupted = False
            self._handed_out += 1
            del self._queue[0], head
            raise
        # Only now, or an interrupt while waiting for the device would lose a batch. No call from here to the return.
        self._handed_out += 1
        del self._queue[0]
        self.batches += 1
        self.samples += samples
        self._first_at, self._waits, self.start = began, waits, start
        waits.next_s = spent
        return result

    def _timed(self, entered: float) -> tuple[float, Waits, Waits, float]:
        """Returns the times of now. The first batch is counted apart: starting and compiling say nothing of later ones."""
        waits, now = self._waits, time.monotonic()
        spent = waits.next_s + now - entered
        if self._first_at:
            return self._first_at, waits, self.start, spent
        return now, Waits(), dataclasses.replace(waits, seconds=now - self._asked_at, next_s=spent), 0.0

    def ask(self) -> None:
        """Requests from the sources what the next `next` needs, without waiting for it."""
        self._started = True
        self._asked_at = self._asked_at or time.monotonic()
        self._host.ask(self._handed_out + self._depth + self._ahead)

    def _fill(self, set_up: Callable[[], None] | None) -> None:
        self.ask()
        # First dispatch what is ready, before preparing more: the device may be idle.
        if not self._has_settled():
            self._take(set_up)
        while self._taken and len(self._queue) < self._depth:
            if isinstance(self._taken[0], BaseException):
                # Not in a local, which its traceback would hold. If an interrupt queues it twice, that does no harm.
                self._queue.append(self._taken[0])
                del self._taken[0]
                return
            head = self._taken[0]
            if self._queue and head.prepared is not None and not head.prepared.is_ready:
                return
            self._await(head, set_up)
            ready = self._dispatch(head)
            # No call until it is in the queue: an interrupt must not cause a second dispatch of the step.
            del self._taken[0]
            self._queue.append(ready)
            del head, ready  # they may hold an exception too
            self._take(set_up)

    def _has_settled(self) -> bool:
        """Whether a step can be dispatched without waiting for anything."""
        if not self._taken or len(self._queue) >= self._depth:
            return False
        head = self._taken[0]
        return isinstance(head, _Taken) and (head.prepared is None or head.prepared.is_ready)

    def _take(self, set_up: Callable[[], None] | None) -> None:
        """Takes the steps that are available. Waits for one only if there is nothing else to hand out."""
        while len(self._queue) + len(self._taken) < self._depth + self._ahead:
            last = self._taken[-1] if self._taken else self._queue[-1] if self._queue else None
            if isinstance(last, BaseException):
                return
            began = time.monotonic()
            try:
                # Before `ready` is checked: set_up may be what feeds the sources.
                if set_up is not None and self._step is None and not self._is_set_up:
                    set_up()
                    # After an interrupt of the wait below, it must not be called again for this step.
                    self._is_set_up = True
                if last is not None and self._step is None and not self._host.ready():
                    return
                # Kept while it is being prepared: an interrupt must not lose it.
                with stage("source"):
                    self._step = self._step or self._host.take()
                self._is_set_up = False
            except (Exception, SystemExit) as error:
                if is_interruption(error):
                    raise
                # Acknowledged only after this: an interrupt must not lose the error.
                self._taken.append(error)
                self._host.acknowledge_error()
                if isinstance(error, StopIteration | JaxDaliError):
                    error.with_traceback(None)
                return
            self._waits.source_s += time.monotonic() - began
            taken = self._prepare(self._step)
            self._step = None
            self._taken.append(taken)
            del taken

    def _await(self, head: _Taken, set_up: Callable[[], None] | None) -> None:
        if head.prepared is None or head.prepared.is_ready:
            return
        began, step = time.monotonic(), head.step
        patience: Patience | None = None
        with stage("decoder", step):
            while not head.prepared.wait(_POLL_S):
                # Keep taking steps, so that the decoder does not run out of work while we wait for it.
                self._take(set_up)
                if patience is None:
                    # Not the step itself: a traceback that is kept would keep it.
                    words = f"the images of batch {step.iteration} of epoch {step.epoch}, which the GPU decodes ahead"
                    patience = Patience(lambda words=words: words)
                patience.wait()
        self._waits.decoder_s += time.monotonic() - began

    def _prepare(self, step: Step) -> _Taken:
        if self._dispatcher is None:
            return _Taken(step, None)
        try:
            return _Taken(step, self._dispatcher.prepare(step))
        except Exception as error:
            if is_interruption(error):
                raise
            return _Taken(step, None, error)

    def _dispatch(self, taken: _Taken) -> Ready:
        if self._dispatcher is None or taken.prepared is None:
            return Ready(taken.step, None, taken.error)
        began = time.monotonic()
        try:
            return Ready(taken.step, self._dispatcher.dispatch(taken.prepared))
        except Exception as error:
            if is_interruption(error):
                raise
            taken.prepared.close()
            return Ready(taken.step, None, error)
        finally:
            self._waits.dispatch_s += time.monotonic() - began

    def restart(self, epoch: int, step: int = 0, *, goes_on: bool = False) -> None:
        """Continues at another place and drops what was computed ahead; `goes_on` is that of `Feed.restart`. May be called
        again after an interrupt.
        """
        waiting = [*self._queue, *self._taken]
        unused = [entry.step for entry in waiting if not isinstance(entry, BaseException)]
        unused += [] if self._step is None else [self._step]
        empty: collections.deque[Ready | BaseException] = collections.deque()
        nothing: collections.deque[_Taken | BaseException] = collections.deque()
        last = waiting[-1] if waiting else None
        pending = last if isinstance(last, BaseException) else None
        self._host.restart(epoch, step, unused, pending, goes_on=goes_on)
        # No call up to the last of these: an interrupt comes either before or after all of them.
        self._queue = empty
        self._taken = nothing
        self._step = None
        self._is_set_up = False
        self._end = None
        self._started = False
        self._handed_out = step
        self._epoch = epoch
        # Only now: closing stops the decoding, and until the state above is reset somebody might still wait for it.
        _drop(waiting)

    def stop(self) -> None:
        """Makes a thread that waits in `next` leave it with a StateError, and makes the workers leave."""
        for feed in self._host.feeds:
            feed.stop()

    def close(self) -> None:
        """Ends the sources' processes and drops what was computed ahead. May be called again after an interrupt."""
        waiting = [*self._queue, *self._taken]
        self._queue.clear()
        self._taken.clear()
        self._step = None
        _drop(waiting)
        self._host.close()
