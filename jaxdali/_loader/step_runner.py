"""The position of a Loader, and what makes its steps, from the first worker to `close`.

`next` makes the executor, if there is none, and takes a step from it, which `Builder.deliver` turns into the batch. The
position is the executor's, and `_start` while there is none. `seek` restarts the executor at a step, or for a stream at
a position. With other processes, `together` is told before and after each step. Out goes the step and its batch. It
relies on `ExclusiveUse`, within which steps are taken, and on `Builder` for all parts.
"""

from __future__ import annotations

import functools
from typing import Any

from jaxdali._base.aliases import PyTree
from jaxdali._base.interruptions import is_interruption
from jaxdali._base.user_warnings import warn_user
from jaxdali._feed.remote.ray_workers import Ray
from jaxdali._feed.ring.feed import Feed
from jaxdali._run.executor.decode_failures import DecodeFailures
from jaxdali._run.executor.exclusive_use import ExclusiveUse
from jaxdali._run.executor.metrics import Metrics
from jaxdali._run.executor.prefetch import Executor
from jaxdali._run.executor.statistics import Statistics
from jaxdali._run.executor.step import Step
from jaxdali.errors import SourceDataError
from .builder import Builder
from .growth import Lengths
from .positions import Positions

__all__ = ["StepRunner"]


class StepRunner:
    """The steps of a Loader, one after the other.

    Args:
        builder: makes executors.
        workers, prefetch: as for `Loader`.
        checks_rows: whether to check in the first batch that rows do not depend on each other.
        lengths: those of the data.

    Attributes:
        exclusive: ensures that one thread at a time uses it.
        executor: None if nothing has begun, or after closing; `feeds` has its feed.
        metrics: makes the Loader's metrics.
        begun: how often somebody began to iterate over an epoch, or moved to another one.
        positions: where a stream stood.
        asks_for_mask: nobody has asked which rows are padding, or said that there will be some.
        together: what the other processes have to do with it, a `Together`; None: nothing.
    """

    together: Any = None
    asks_for_mask: bool = False

    def __init__(self, builder: Builder, workers: int | Ray, prefetch: int, checks_rows: bool, lengths: Lengths):
        self.exclusive = ExclusiveUse("loader")
        self.executor: Executor | None = None
        self.begun = 0
        self.positions = Positions()
        self._builder = builder
        self._workers, self._prefetch = workers, prefetch
        self._checks_rows = checks_rows
        self._start = 0  # the position while there is no executor, which counts from then on
        self.feeds: list[Feed] = []
        self._final: Statistics | None = None
        self.metrics = Metrics()
        self._lengths = lengths
        self._padded: int | None = None  # a step that was handed out with padding, and whose mask nobody asked for yet
        self._is_stopped = False  # the Loader has ended in another process, while this one waited
        self._moves = 0  # how often it went elsewhere
        self._was_put = False
        # A step that counts here, and of which the other processes were not told because of an interrupt, with its batch.
        self._untold: tuple[int, object] | None = None

    @property
    def failures(self) -> DecodeFailures:
        """Counts what could not be decoded."""
        return self._builder.failures

    @property
    def step(self) -> int:
        """The step that comes next."""
        if self.together is not None and (step := self.together.step) is not None:
            return step
        if self._untold is not None:
            return self._untold[0]
        return self._start if self.executor is None else self.executor.position

    def stop(self) -> None:
        """Makes a thread that waits for a step leave with a StateError."""
        self._is_stopped = True
        if self.executor is not None:
            self.executor.stop()

    @property
    def moved(self) -> bool:
        """Whether steps were taken since the position was last set."""
        return self._start != self.step

    def stands_at(self, step: int) -> bool:
        """Whether this step is the next one, and an executor is ready to go on."""
        executor = self.executor  # which has passed a step that another process could not take
        is_there = executor is not None and (self._untold is not None or executor.position == self.step)
        return executor is not None and is_there and not executor.ended and self.step == step

    @property
    def ended(self) -> bool:
        """Whether the source said that there is no more, and the position was not changed since."""
        return self.executor is not None and self.executor.ended and self.executor.failed_feed is None

    @property
    def put_at(self) -> int | None:
        """The step that `seek` was told; None once a step was taken."""
        return self._start if self._was_put and not self.moved else None

    def begin_iterating(self) -> int:
        """Starts an iteration over an epoch; iterators from before must not continue."""
        self.begun += 1
        return self.begun

    def go_to(self, step: int) -> None:
        """Continues at the beginning of an epoch; iterators over another epoch must not continue. Raises as `seek`
        does, and then nothing has changed.
        """
        elsewhere = step != self.step
        if elsewhere or self.executor is not None:
            self.seek(step)
        self._was_put = False
        if elsewhere:
            self.begun += 1

    def seek(self, step: int, stream_position: object = None) -> None:
        """Continues at a step; for a stream, from a position before it. Raises StateError if the Loader is closed."""
        self.exclusive.run_exclusively(lambda: self._seek(step, stream_position), self._end)

    def _seek(self, step: int, stream_position: object) -> None:
        moves = self._moves + 1
        if self.together is not None:
            self.together.check_move()
            self.together.begin(moves, step)
        if stream_position is not None:
            self._end()  # workers are told of the position when they start
            self._builder.begin_at(stream_position)
        self.positions.go_to(step, stream_position)
        self._start, self._was_put = step, True
        if self.executor is not None:
            self.executor.restart(0, step)
        # Only now: after an interrupt it is the same move again.
        self._moves, self._untold = moves, None

    def next(self) -> tuple[int, Any]:
        """Returns the next step and its batch. Raises what `Loader.enumerate` documents."""
        return self.exclusive.run_exclusively(self._advance, self._end)

    def _advance(self) -> tuple[int, object]:
        if self.together is not None:
            return self._advance_together(self.together)
        try:
            return self._advance_alone()
        except SourceDataError:
            # The data are damaged, not the source: as with an image, the other steps come.
            if self.executor is not None and self.executor.ended and not self._builder.is_stream:
                self.executor.restart(0, self.executor.position + 1)
            raise

    def _advance_alone(self) -> tuple[int, object]:
        if self.executor is None:
            self._begin()
        assert self.executor is not None
        if self._padded is not None and self.asks_for_mask:
            self._warn_of_padding(self._padded)
        step, real = self.executor.position, self.executor.handed_out.samples
        if self.together is None or not self.together.checks_data:
            self._lengths.check()
        if self._checks_rows and self._builder.check_neighbours(step):
            self._checks_rows = False
        rows = self._builder.sampler.local_batch_size
        batch = self._take(self.executor, step)
        # No call from here on: the step counts as handed out.
        if self.executor.handed_out.samples - real < rows:
            self._padded = step
        return step, batch

    def _advance_together(self, together: Any) -> tuple[int, object]:
        if self._untold is None:
            self._take_together(together)
        taken = self._untold
        assert taken is not None
        together.check(taken[0])
        together.taken(taken[0])
        self._untold = None
        return taken

    def _take_together(self, together: Any) -> None:
        step = self.step
        together.enter(step)
        try:
            self._untold = self._advance_alone()
        except Exception as error:
            if isinstance(error, StopIteration):
                together.missed(step)
                raise
            if is_interruption(error):
                raise
            if self._is_stopped:
                together.check(step)
            if not self.exclusive.closed:
                together.failed(error, step, is_final=self.executor is None or self.executor.position == step)
                together.stands_at(self.step)
            raise

    def _warn_of_padding(self, step: int) -> None:
        self.asks_for_mask = False
        warn_user(
            f"batch {step} was completed with rows that repeat others, so whatever counts all rows counts some samples "
            "twice, and nobody has asked which rows these are. Have augment take a parameter `mask`, or call "
            "loader.mask(step); leave such batches out with last_batch='drop'; or say last_batch='mask' if you know",
            UserWarning,
        )

    def _take(self, executor: Executor, step: int) -> PyTree:
        builder = self._builder

        def deliver(ready: Step) -> PyTree:
            batch = builder.deliver(ready, step)
            if builder.position is not None and executor is self.executor:
                self.positions.add(step + 1, builder.position)
            return batch

        return executor.next(deliver, None, functools.partial(builder.explain, step=step))

    def start(self) -> None:
        """Starts the workers, see `Loader.start`."""
        self.exclusive.run_exclusively(self._begin, self._end)

    def _begin(self) -> None:
        if self.executor is not None:
            return
        if self.together is not None:
            self.together.begin(self._moves, self._start)
        executor, feed = self._builder.make_executor(self._workers, self._prefetch, self.together, self._lengths.check)
        self.feeds = [feed]
        self.exclusive.bind_process()  # after the workers have registered their exit handler
        executor.restart(0, self._start)
        self.executor = executor
        if self._workers:
            executor.ask()

    def read(self, step: int) -> PyTree:
        """Returns the batch of a step, made in this thread."""
        return self.exclusive.run_exclusively(lambda: self._read(step), self._end)

    def _read(self, step: int) -> PyTree:
        executor = self._builder.make_single()
        try:
            executor.restart(0, step)
            return self._take(executor, step)
        finally:
            executor.close()

    def stats(self) -> Statistics:
        """Returns the statistics; for a closed Loader, those until it was closed."""
        return self._final or Statistics.collect(self.executor, self.failures, self.feeds, "workers")

    def close(self) -> None:
        """Ends the workers, see `Loader.close`."""
        if self.exclusive.elsewhere:
            return
        if not self.exclusive.closed:
            self._final = self.stats()
            self.metrics.close(self)
        self.exclusive.close(lambda: self.executor and self.executor.stop(), self._end)

    def _end(self) -> None:
        if self.together is not None and self.exclusive.closed:
            self.together.close()  # first: its thread may look at what the executor holds
        if self.executor is not None:
            self._start = self.step
            self.executor.close()
            self.executor = None
        self._untold = None
