"""Delivers the iterations of an epoch in order, from one or several feeds (parallel and sequential sources).

`ask` publishes to each feed what comes next, as far as it has slots. `take` takes the oldest batch of each feed in
turn, keeps what it has so far in `_batches`, checks that they belong together, and returns them as a `Step`; an end or
an error is raised. `restart` drops the requests, gives feeds that go on what reached nobody, and continues elsewhere.
It relies on `Feed` for slots, and on `_epoch_and_iteration` for which epoch and iteration a step is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from jaxdali._base.interruptions import is_interruption
from jaxdali._base.patience import Patience
from jaxdali._feed.ring.feed import Feed
from jaxdali._feed.ring.file_decoders import DONE
from jaxdali._feed.ring.host_batch import HostBatch
from jaxdali._feed.ring.waiting import patience_for_slot
from jaxdali.errors import SourceDataError, StateError
from .step import Step

__all__ = ["HostStage"]


class HostStage:
    """Requests iterations from the feeds ahead of time and hands them out in order.

    Args:
        feeds: at least one.
        batch_size: samples of a full batch.
        steps_per_epoch: None: an epoch ends when a source says so. Given: epochs follow each other without a gap.
        steps: if given, the data end after this many steps, counted over all epochs.
        numbers: (first, n) -> `int64[n]`, or a range, the numbers in the whole epoch of n samples of the feeds' epoch,
            which may be only a part of it; None: the same numbers. If this process makes rows 4 to 7 of global batches of
            8, its samples 0 to 7 are 4 to 7 and 12 to 15 of the epoch: `numbers(2, 4)` is `[6, 7, 12, 13]`.
        real_rows: (first, n) -> which of n rows are samples and not padding; None: all.
        longest: (epoch, iteration) -> the declared length of its longest sample, over all processes.
    """

    def __init__(
        self,
        feeds: Sequence[Feed],
        batch_size: int,
        steps_per_epoch: int | None = None,
        steps: int | None = None,
        numbers: Callable[[int, int], np.ndarray | range] | None = None,
        real_rows: Callable[[int, int], np.ndarray | None] | None = None,
        longest: Callable[[int, int], int] | None = None,
    ):
        self.feeds = list(feeds)
        self.batch_size = batch_size
        self._steps_per_epoch = steps_per_epoch
        self._steps = steps
        self._numbers = numbers
        self._real_rows = real_rows
        self._longest = longest
        self._epoch = 0
        # Number of steps taken, counted from the beginning of epoch `_epoch`.
        self._taken = 0
        # What the feeds gave for the next step so far. An interrupted wait for the others continues from here.
        self._batches: dict[int, HostBatch] = {}
        # Until `restart`: which feed failed, or batches that the feeds gave but that do not belong together.
        self._failed: int | None = None
        self._refused: dict[int, HostBatch] = {}
        # What `take` raised, until the caller has received it.
        self._pending_error: BaseException | None = None

    def _epoch_and_iteration(self, step: int) -> tuple[int, int]:
        """Returns (epoch, iteration in it) of a step."""
        if self._steps_per_epoch is None:
            return self._epoch, step
        passed, iteration = divmod(step, self._steps_per_epoch)
        return self._epoch + passed, iteration

    def ask(self, step: int) -> None:
        """Requests all steps before `step`, and as many more as each feed prepares ahead, as far as there are slots."""
        for index, feed in enumerate(self.feeds):
            last = step + feed.options.ahead
            if self._steps is not None and last > self._steps:
                last = self._steps
            at = self._taken + (index in self._batches) + feed.published
            while at < last and feed.publish(*self._epoch_and_iteration(at)):
                at += 1

    def ask_workers(self, steps: int) -> None:
        """Requests the first steps of an epoch early, from feeds whose data other processes make."""
        for feed in self.feeds:
            while feed.producer.waits and feed.published < steps + feed.options.ahead:
                if not feed.publish(*self._epoch_and_iteration(feed.published)):
                    break

    def ready(self) -> bool:
        """Whether `take` would return without waiting for a worker."""
        if self._taken == self._steps:
            return True
        return all(index in self._batches or feed.ready() for index, feed in enumerate(self.feeds))

    def count_ahead(self) -> tuple[int, int]:
        """Returns how many batches are made, and how many are requested, by the feed that has the fewest."""
        made = []
        for feed in self.feeds:
            slots = [entry.slot for entry in list(feed.requested)]
            made.append(sum(slot is not None and feed.ring.state(slot) == DONE for slot in slots))
        return min(made), min(feed.published for feed in self.feeds)

    @property
    def failed(self) -> int | None:
        """Index of the feed that failed since the last `restart`."""
        return self._failed

    def starved(self) -> list[str]:
        """Returns the names of inputs that must be fed before there is a next step."""
        waiting = [feed for index, feed in enumerate(self.feeds) if index not in self._batches and not feed.supplied]
        return [feed.columns[0].name for feed in waiting]

    def take(self) -> Step:
        """Returns the next step. Takes from every source, even if another one has ended.

        Raises:
            StopIteration: a source is at its end.
            SourceError, WorkerError: a source failed. Nothing more comes before `restart`.
            SourceDataError: the sources differ in the number of samples.
        """
        if self._pending_error is not None:
            if not is_interruption(self._pending_error):
                raise self._pending_error
            self._failed = self._pending_error = None
        if self._taken == self._steps:
            raise StopIteration
        self.ask(self._taken + 1)
        ended = False
        for index, feed in enumerate(self.feeds):
            try:
                if index not in self._batches:
                    self._batches[index] = self._take_from(feed)
            except StopIteration:
                ended = True
            except (Exception, SystemExit) as error:
                # No call before this: an interrupt must not lose the error.
                self._failed, self._pending_error = index, error
                if is_interruption(error):
                    self._failed = self._pending_error = None
                raise
        if ended:
            raise StopIteration
        epoch, iteration = self._epoch_and_iteration(self._taken)
        batches = [self._batches[index] for index in range(len(self.feeds))]
        first, of_all = iteration * self.batch_size, (self._numbers, self._real_rows, self._longest)
        step = Step(epoch, iteration, first, batches[0].samples, batches, *of_all, self._taken)
        wrong = self._check(step)
        refused = {} if wrong is None else self._batches
        # No call from here on: after an interrupt either the step is still to be taken, or the caller has it.
        self._refused = refused
        self._batches = {}
        self._taken += 1
        self._pending_error = wrong
        if wrong is not None:
            raise wrong
        return step

    def acknowledge_error(self) -> None:
        """Tells the stage that the caller of `take` has received what it raised."""
        self._pending_error = None

    @staticmethod
    def _check(step: Step) -> Exception | None:
        first = step.batches[0]
        for batch in step.batches:
            if (batch.epoch, batch.iteration) != (step.epoch, step.iteration):
                return StateError(
                    f"batch {batch.iteration} of epoch {batch.epoch} came in place of batch {step.iteration} of epoch "
                    f"{step.epoch}; continue with reset()"
                )
            if batch.samples != first.samples:
                return SourceDataError(
                    f"Batch size clash! The input operator {batch.columns[0].column.name!r} returned a batch size "
                    f"{batch.samples} which is different than {first.samples}, that of {first.columns[0].column.name!r}",
                    batch.origin(batch.columns[0].column.name, None),
                )
        return None

    def _take_from(self, feed: Feed) -> HostBatch:
        epoch, iteration = self._epoch_and_iteration(self._taken)
        patience: Patience | None = None
        while (batch := feed.take(epoch, iteration)) is None:
            self.ask(self._taken + 1)
            if not feed.published:
                feed.wait_for_slot()
                patience = patience or patience_for_slot(feed.served, feed.producer.whereabouts, lambda: feed.leased)
                patience.wait()
        return batch

    def restart(
        self,
        epoch: int,
        step: int = 0,
        unused: Sequence[Step] = (),
        pending: BaseException | None = None,
        *,
        goes_on: bool = False,
    ) -> None:
        """Drops all requests and continues elsewhere: `step` steps after the start of `epoch`.

        Args:
            unused: steps that were taken but reached nobody, oldest first. Sources that go on where they stood give
                them again.
            pending: what `take` raised after them, if it reached nobody. If its source goes on where it stood, it
                raises that again.
            goes_on: see `Feed.restart`.
        """
        begun = self._batches if pending is None else {**self._batches, **self._refused}
        for index, feed in enumerate(self.feeds):
            batches = [unused_step.batches[index] for unused_step in unused]
            if index in begun:
                batches.append(begun[index])
            mine = pending if index == self._failed or isinstance(pending, StopIteration) else None
            feed.restart(batches, mine, goes_on=goes_on)
        for producer in (producer for feed in self.feeds for producer in feed.producers):
            producer.recover()
        self._batches = {}
        self._failed = None
        self._refused = {}
        self._pending_error = None
        self._epoch = epoch
        self._taken = step

    def stream_positions(self, unused: Sequence[Step] = ()) -> list[int | None]:
        """Returns, for each feed with an endless source, the stream index of its next batch; None for one with epochs.

        Args:
            unused: steps that were taken but reached nobody, oldest first.
        """
        positions = []
        for index, feed in enumerate(self.feeds):
            batches = [step.batches[index] for step in unused]
            if index in self._batches:
                batches.append(self._batches[index])
            positions.append(feed.stream_position(batches))
        return positions

    def close(self) -> None:
        self._pending_error = None  # its traceback holds frames, which hold this stage
        for feed in self.feeds:
            feed.close()
