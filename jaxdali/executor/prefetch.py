"""Keeps batches ahead of the consumer, on the consumer's thread: what is asked for early is computed by others."""

from __future__ import annotations

import collections
import copy
import dataclasses
from collections.abc import Callable
from typing import Any, Protocol

from ..errors import JaxDaliError
from .host_stage import HostStage, Step

__all__ = ["Executor", "Ready"]


class Dispatcher(Protocol):
    """The device's part, `DeviceStage`."""

    def dispatch(self, step: Step) -> Any: ...


@dataclasses.dataclass(eq=False)
class Ready:
    """A batch that is handed out. `device` is None where the device had nothing to do, or failed: `error`."""

    step: Step
    device: Any
    error: Exception | None = None


def _again(error: BaseException) -> BaseException:
    """An error to raise another time. One that was raised holds its traceback, and with it every frame of the caller:
    kept here it would keep the pipeline itself, and the caller's batches, from being freed.
    """
    try:
        again = copy.copy(error)
    except Exception:  # an exception of the user's whose constructor wants something else
        return error
    again.__cause__ = error.__cause__
    again.args = error.args  # its constructor may have made others of them
    return again


class Executor:
    """Hands out batches in order, `depth` of them dispatched ahead, the one handed out included.

    Nothing is asked for before the first `next`. From then on `depth` iterations are asked for at any time, and of each
    source as many more as it prepares ahead: workers fill slots while the device computes what is full. Errors and the
    end of the data wait in the same queue as the batches, so they surface with the batch that they concern.

    Args:
        dispatcher: None where no output needs the device.
        depth: DALI's prefetch_queue_depth of the pipeline.

    Attributes:
        batches, samples: handed out, of all epochs.
    """

    def __init__(self, host: HostStage, dispatcher: Dispatcher | None, depth: int):
        self._host = host
        self._dispatcher = dispatcher
        self._depth = depth
        self._queue: collections.deque[Ready | BaseException] = collections.deque()
        self._step: Step | None = None  # taken, not yet dispatched
        self._end: BaseException | None = None
        self._handed_out = 0
        self._started = False
        # Handed out, of all epochs.
        self.batches = 0
        self.samples = 0

    @property
    def ended(self) -> bool:
        """The epoch is over (or failed): `next` raises until `restart`."""
        return self._end is not None

    @property
    def position(self) -> int:
        """The step that comes next; one that failed was a step too."""
        return self._handed_out

    @property
    def started(self) -> bool:
        """Something was asked for since the last `restart`."""
        return self._started

    def next(self, package: Callable[[Ready], Any] = lambda ready: ready) -> Any:
        """The next batch.

        Args:
            package: makes of it what is returned.

        Raises:
            StopIteration: the epoch is over.
            DecodeError, or what else the device's part or `package` found wrong with this batch: the next call gives the
                next batch.
            Exception: what a source raised, or WorkerError; again at every call until `restart`. Then `ended` is true.
        """
        if self._end is not None:
            raise _again(self._end)
        self._fill()
        head = self._queue[0]
        if isinstance(head, BaseException):
            self._end = _again(head)
            self._queue.popleft()
            try:
                raise head
            finally:
                del head  # or this frame, which the traceback holds, would hold the exception
        # The workers go on while the consumer looks at this batch.
        self._host.ask(self._handed_out + self._depth)
        try:
            if head.error is not None:
                raise head.error
            if head.device is not None:
                head.device.check(head.step)
            result = package(head)
        except Exception:
            self._handed_out += 1
            del self._queue[0]
            raise
        # Only now: an interrupt of the wait for the device must not lose a batch. And without a call before `return`.
        self._handed_out += 1
        del self._queue[0]
        self.batches += 1
        self.samples += head.step.samples
        return result

    def ask(self) -> None:
        """Asks the sources for what the next `next` needs, without waiting for it."""
        self._started = True
        self._host.ask(self._handed_out + self._depth)

    def _fill(self) -> None:
        self.ask()
        while len(self._queue) < self._depth:
            if self._queue and (isinstance(self._queue[-1], BaseException) or not self._host.ready()):
                return
            try:
                # Kept while it is dispatched (and compiled for): an interrupt must not lose it.
                self._step = self._step or self._host.take()
            except (Exception, SystemExit) as error:
                ours = isinstance(error, StopIteration | JaxDaliError)
                self._queue.append(error.with_traceback(None) if ours else error)
                return
            ready = self._dispatched(self._step)
            # No call before it is in the queue: an interrupt must not have the step dispatched twice.
            self._step = None
            self._queue.append(ready)

    def _dispatched(self, step: Step) -> Ready:
        if self._dispatcher is None:
            return Ready(step, None)
        try:
            return Ready(step, self._dispatcher.dispatch(step))
        except Exception as error:
            return Ready(step, None, error)

    def restart(self, epoch: int, step: int = 0) -> None:
        """Continues at another place; what was computed ahead is dropped. After an interrupt it may be called again."""
        unused = [entry.step for entry in self._queue if isinstance(entry, Ready)]
        if self._step is not None:
            unused.append(self._step)
        empty: collections.deque[Ready | BaseException] = collections.deque()
        last = self._queue[-1] if self._queue else None
        unheard = last if isinstance(last, BaseException) and not isinstance(last, StopIteration) else None
        self._host.restart(epoch, step, unused, unheard)
        # No call from here on: an interrupt comes before or after.
        self._queue = empty
        self._step = None
        self._end = None
        self._started = False
        self._handed_out = step

    def close(self) -> None:
        """Ends the sources' processes and lets go of what was computed ahead."""
        self._queue.clear()
        self._step = None
        self._host.close()
