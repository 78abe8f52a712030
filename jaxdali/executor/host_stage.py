"""Iterations of an epoch, in order, from one feed or several (parallel and sequential sources)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ..errors import SampleOrigin, StateError
from ..workers.collect import HostBatch, HostColumn
from ..workers.feed import Feed

__all__ = ["HostStage", "Step"]


@dataclasses.dataclass(eq=False)
class Step:
    """One iteration of all feeds. `columns` follow the order of the feeds' columns."""

    epoch: int
    iteration: int
    first_sample: int
    samples: int
    batches: list[HostBatch]

    @property
    def columns(self) -> list[HostColumn]:
        return [column for batch in self.batches for column in batch.columns]

    def origin(self, column: str | None, row: int) -> SampleOrigin:
        """Where row `row` of the named column came from. None, or several names: the worker is known if all
        columns came through one feed.
        """
        for batch in self.batches:
            if len(self.batches) == 1 or any(c.column.name == column for c in batch.columns):
                return batch.origin(column, row)
        return SampleOrigin(
            output=column, sample_index=self.first_sample + row, iteration=self.iteration, epoch=self.epoch
        )


class HostStage:
    """Asks the feeds for iterations ahead of time and hands them out in order.

    Args:
        feeds: at least one.
        batch_size: samples of every batch.
        steps_per_epoch: None: an epoch ends when a source says so. Given: epochs follow each other without a gap.
        steps: given: the data end after so many steps of all epochs.
    """

    def __init__(
        self,
        feeds: Sequence[Feed],
        batch_size: int,
        steps_per_epoch: int | None = None,
        steps: int | None = None,
    ):
        self.feeds = list(feeds)
        self.batch_size = batch_size
        self._steps_per_epoch = steps_per_epoch
        self._steps = steps
        self._epoch = 0
        # Counted from the beginning of epoch `_epoch`.
        self._asked = 0
        self._taken = 0
        # What the first feeds gave for the next step, while the others are waited for. An interrupted wait goes on there.
        self._batches: list[HostBatch] = []

    def _place(self, step: int) -> tuple[int, int]:
        """(epoch, iteration in it) of a step."""
        if self._steps_per_epoch is None:
            return self._epoch, step
        passed, iteration = divmod(step, self._steps_per_epoch)
        return self._epoch + passed, iteration

    def ask(self, step: int) -> None:
        """Asks for everything before `step`, as far as there are free slots."""
        if self._steps is not None:
            step = min(step, self._steps)
        while self._asked < step:
            # Every feed is asked for the same steps: one that has a slot does not run ahead of one that has none.
            for index, feed in enumerate(self.feeds):
                first = self._taken + (index < len(self._batches))
                while first + feed.published <= self._asked:
                    if not feed.publish(*self._place(first + feed.published)):
                        return
            self._asked += 1

    def ready(self) -> bool:
        """Whether `take` would not wait for a worker."""
        if self._taken == self._steps:
            return True
        return self._asked > self._taken and all(feed.ready() for feed in self.feeds)

    def take(self) -> Step:
        """The next step.

        Raises:
            StopIteration: a source is at its end.
            SourceError, WorkerError: a source failed. Nothing more comes before `restart`.
        """
        if self._taken == self._steps:
            raise StopIteration
        while self._asked <= self._taken:
            self.ask(self._taken + 1)
            if self._asked <= self._taken:
                for feed in self.feeds:
                    feed.wait_for_slot()
        epoch, iteration = self._place(self._taken)
        while len(self._batches) < len(self.feeds):
            self._batches.append(self.feeds[len(self._batches)].take())
        batches, self._batches = self._batches, []
        self._taken += 1
        if any((batch.epoch, batch.iteration) != (epoch, iteration) for batch in batches):
            raise StateError(f"an interrupt lost batch {iteration} of epoch {epoch}; continue with reset()")
        return Step(epoch, iteration, iteration * self.batch_size, self.batch_size, batches)

    def restart(self, epoch: int, step: int = 0) -> None:
        """Forgets what was asked for and continues at another place: `step` steps after the start of `epoch`."""
        for feed in self.feeds:
            feed.discard()
        self._batches.clear()
        self._epoch = epoch
        self._asked = self._taken = step

    def close(self) -> None:
        for feed in self.feeds:
            feed.close()
