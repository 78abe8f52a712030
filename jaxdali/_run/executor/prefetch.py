"""Keeps batches ahead of the consumer, on the consumer's thread; others compute what it requests early."""

# A `Step` comes from `HostStage.take`, is prepared, waits for its images, is dispatched, and leaves by `next`, which
# checks and packages it. All this time it is in `_steps`, and its `state` says how far it came; what the sources raised
# in place of another step is `_end`, which `next` raises once all before it are handed out. `next` first dispatches and
# takes what it can, then asks sources for more; only at its end does the batch count as handed out. It relies on
# interrupts not coming between statements that call nothing.

from __future__ import annotations

import collections
import dataclasses
import itertools
import time
from collections.abc import Callable
from typing import Any, Protocol

from jaxdali._base.interruptions import forget_locals, is_interruption
from jaxdali._base.patience import Patience
from jaxdali._feed._host import Ring
from jaxdali.errors import JaxDaliError, StateError
from .handed_out import HandedOut
from .host_stage import HostStage
from .raised_again import fresh_copy
from .step import Step
from .tracing import stage, staged
from .waits import Waits

__all__ = ["Executor", "count_ahead", "times_of"]
_POLL_S = 0.002  # while waiting for a decoder, how often it checks what workers have finished


class Dispatcher(Protocol):
    """The device's part, such as `DeviceStage`. What it makes of a step is in the step."""

    @property
    def engine_counts(self) -> dict[str, int] | None: ...
    def prepare(self, step: Step) -> None: ...
    def dispatch(self, step: Step) -> None: ...
    def check(self, step: Step) -> None: ...


class Executor:
    """Hands out batches in order and keeps `depth` of them dispatched, including the one being handed out.

    From the first `next` on, `depth + ahead` iterations are requested at any time, and from each source as many more as
    it prepares ahead: workers fill slots while the device computes on full ones. A step is dispatched once its images
    are decoded: its kernels are queued between those of training steps, which therefore never wait for a decoder.
    Errors and the end of the data wait for the batches before them, so they surface at the batch they belong to.

    Args:
        dispatcher: None if no output needs the device.
        depth: DALI's prefetch_queue_depth of the pipeline.
        ahead: steps prepared beyond those that are dispatched.

    Attributes:
        batches: number handed out, over all epochs.
        handed_out: the samples in these.
        interrupted: what the last `next` raised was not the data's. An attribute, because asking calls nothing.
        start: what the first batch waited for, from the first `next` on.
        asked_at: when the first batch was requested, on the monotonic clock; 0: not yet.
    """

    def __init__(self, host: HostStage, dispatcher: Dispatcher | None, depth: int, ahead: int = 0):
        self._host = host
        self._dispatcher = dispatcher
        self._depth = depth
        self._ahead = ahead
        self._steps: collections.deque[Step] = collections.deque()  # oldest first
        self._end: BaseException | None = None  # what the sources raised after these
        self._is_over = False  # `next` has raised it, and does so until `restart`
        self._is_set_up = False  # `set_up` was called for the next step to be taken
        self._handed_out = 0
        self.interrupted = False
        self._started = False
        self._epoch = 0
        self.batches = 0
        self.handed_out = HandedOut()
        self._waits = Waits()
        self.asked_at = self._first_at = 0.0  # the latter: when the first batch was handed out
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
        return self._is_over

    @property
    def failed_feed(self) -> int | None:
        """Index of the feed whose failure `next` raises, now or until `restart`; None if no feed failed."""
        return None if self._steps or self._end is None else self._host.failed

    @property
    def position(self) -> int:
        """The step that comes next, counted as in `restart`; a failed step counts too."""
        return self._handed_out

    def stream_positions(self) -> list[int | None]:
        """Returns, for each source, the stream index of the next batch to hand out; None for a source with epochs."""
        return self._host.stream_positions([*self._steps])

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
        package: Callable[[Step], Any] = lambda step: step,
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
        if set_up is None and not self._steps and self._end is None and (names := self._host.starved()):
            raise StateError(
                "Attempted to peek the data batch that doesn't exist. Add more elements to the DALI input operator: "
                f"call feed_input({names[0]!r}, data) before each run, or declare it with blocking=True"
            )
        self.interrupted = True  # unless it gets further
        try:
            if not self._is_over:
                self._fill(set_up)
            if self._steps:
                self.ask()  # the workers continue while the consumer uses this batch
        except BaseException as error:
            forget_locals(error)
            raise
        if not self._steps:
            raised: Any = self._end
            copy = fresh_copy(raised)
            explain(raised)
            # No call from here on: what is raised next time has no traceback.
            self._end, self._is_over, self.interrupted = copy, True, False
            try:
                raise raised
            finally:
                del raised, copy  # else the traceback, through this frame, would keep the exception alive
        head = self._steps[0]  # no call while it is not in a `try`: see below
        try:
            if head.error is not None:
                raise head.error
            if self._dispatcher is not None:
                began = time.monotonic()
                self._dispatcher.check(head)
                self._waits.device_s += time.monotonic() - began
            handed_out = self.handed_out.with_step(head)
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
            del self._steps[0], head
            raise
        # Only now, or an interrupt while waiting for the device would lose a batch. No call from here to the return.
        self._handed_out += 1
        del self._steps[0]
        self.batches += 1
        self.handed_out = handed_out
        self._first_at, self._waits, self.start = began, waits, start
        waits.next_s = spent
        return result

    def _timed(self, entered: float) -> tuple[float, Waits, Waits, float]:
        """Returns the times of now. The first batch is counted apart: starting and compiling say nothing of later ones."""
        waits, now = self._waits, time.monotonic()
        spent = waits.next_s + now - entered
        if self._first_at:
            return self._first_at, waits, self.start, spent
        return now, Waits(), dataclasses.replace(waits, seconds=now - self.asked_at, next_s=spent), 0.0

    def ask(self) -> None:
        """Requests from the sources what the next `next` needs, without waiting for it."""
        self._started = True
        self.asked_at = self.asked_at or time.monotonic()
        self._host.ask(self._handed_out + self._depth + self._ahead)

    def _fill(self, set_up: Callable[[], None] | None) -> None:
        """Dispatches and takes steps. Waits until there is one to hand out, or the sources have raised something."""
        self.ask()
        # First dispatch what is ready, before preparing more: the device may be idle.
        if (step := self._to_dispatch()) is None or not step.is_ready:
            self._take(set_up)
        while (step := self._to_dispatch()) is not None:
            if step is not self._steps[0] and not step.is_ready:
                break
            self._await(step, set_up)
            self._dispatch(step)
            self._take(set_up)
        del step  # what `_take` kept of an error leads to this frame

    def _to_dispatch(self) -> Step | None:
        """Returns the step that is dispatched next; None if none is prepared, or `depth` are dispatched."""
        for step in itertools.islice(self._steps, self._depth):
            if step.state == "prepared":
                return step
        return None

    def _take(self, set_up: Callable[[], None] | None) -> None:
        """Takes and prepares the steps that are available. Waits for one only if there is nothing else to hand out."""
        while self._end is None:
            # Unless an interrupt came while the last one was prepared.
            if not self._steps or self._steps[-1].state != "taken":
                if len(self._steps) >= self._depth + self._ahead or not self._take_one(set_up):
                    return
            self._prepare(self._steps[-1])

    def _take_one(self, set_up: Callable[[], None] | None) -> bool:
        """Takes the next step; returns False if there is none yet, or the sources raise something instead."""
        began = time.monotonic()
        try:
            # Before `ready` is checked: set_up may be what feeds the sources.
            if set_up is not None and not self._is_set_up:
                set_up()
                # After an interrupt of the wait below, it must not be called again for this step.
                self._is_set_up = True
            if self._steps and not self._host.ready():
                return False
            staged("source", self._take_next)
        except (Exception, SystemExit) as error:
            if is_interruption(error):
                raise
            # Acknowledged only after this: an interrupt must not lose the error.
            self._end = error
            self._host.acknowledge_error()
            if isinstance(error, StopIteration | JaxDaliError):
                error.with_traceback(None)
            return False
        self._waits.source_s += time.monotonic() - began
        return True

    def _take_next(self) -> None:
        step = self._host.take()
        # No other call until it is in the queue: an interrupt must not lose it.
        self._is_set_up = False
        self._steps.append(step)

    def _await(self, step: Step, set_up: Callable[[], None] | None) -> None:
        if step.is_ready:
            return
        began = time.monotonic()
        patience: Patience | None = None
        with stage("decoder", step):
            while not step.wait(_POLL_S):
                # Keep taking steps, so that the decoder does not run out of work while we wait for it.
                self._take(set_up)
                if patience is None:
                    # Not the step itself: a traceback that is kept would keep it.
                    words = f"the images of batch {step.iteration} of epoch {step.epoch}, which the GPU decodes ahead"
                    patience = Patience(lambda words=words: words)
                patience.wait()
        self._waits.decoder_s += time.monotonic() - began

    def _prepare(self, step: Step) -> None:
        if self._dispatcher is None:
            step.state = "dispatched"
            return
        try:
            self._dispatcher.prepare(step)
            step.state = "prepared"
        except Exception as error:
            if is_interruption(error):
                raise
            step.error, step.state = error, "dispatched"

    def _dispatch(self, step: Step) -> None:
        assert self._dispatcher is not None
        began = time.monotonic()
        try:
            self._dispatcher.dispatch(step)
            # No call before this: an interrupt must not cause a second dispatch of the step.
            step.state = "dispatched"
        except Exception as error:
            if is_interruption(error):
                raise
            step.close(used=False)
            step.error, step.state = error, "dispatched"
        finally:
            self._waits.dispatch_s += time.monotonic() - began

    def restart(self, epoch: int, step: int = 0, *, goes_on: bool = False) -> None:
        """Continues at another place and drops what was computed ahead; `goes_on` is that of `Feed.restart`. May be called
        again after an interrupt.
        """
        unused = [*self._steps]
        empty: collections.deque[Step] = collections.deque()
        self._host.restart(epoch, step, unused, None if self._is_over else self._end, goes_on=goes_on)
        # No call up to the last of these: an interrupt comes either before or after all of them.
        self._steps = empty
        self._end = None
        self._is_over = False
        self._is_set_up = False
        self._started = False
        self._handed_out = step
        self._epoch = epoch
        # Only now: closing stops the decoding, and until the state above is reset somebody might still wait for it.
        for dropped in unused:
            dropped.close(used=False)

    def stop(self) -> None:
        """Makes a thread that waits in `next` leave it with a StateError, and makes the workers leave."""
        for feed in self._host.feeds:
            feed.stop()

    def close(self) -> None:
        """Ends the sources' processes and drops what was computed ahead. May be called again after an interrupt."""
        unused = [*self._steps]
        self._steps.clear()
        for dropped in unused:
            dropped.close(used=False)
        self._host.close()


def times_of(executor: Executor) -> tuple[Waits, Waits]:
    """Returns what `next` has waited for until the first batch was handed out, and since then, without the totals."""
    return executor.start, executor._waits


def count_ahead(executor: Executor) -> tuple[int, int]:
    """Returns how many batches sources have made that were not handed out, and how many are requested, these included. Any
    thread may call it.
    """
    made, requested = executor._host.count_ahead()
    return len(executor._steps) + made, len(executor._steps) + requested
