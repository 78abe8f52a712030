"""Iterations of an epoch, in order, from one feed or several (parallel and sequential sources)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ..errors import SampleOrigin
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

    def origin(self, column: str, row: int) -> SampleOrigin:
        """Where row `row` of the named column came from."""
        for batch in self.batches:
            if any(c.column.name == column for c in batch.columns):
                return batch.origin(column, row)
        return SampleOrigin(
            output=column, sample_index=self.first_sample + row, iteration=self.iteration, epoch=self.epoch
        )


class HostStage:
    """Asks the feeds for iterations ahead of time and hands them out in order.

    Args:
        feeds: at least one.
        batch_size: samples of every batch.
        start_epoch, start_iteration: where to begin.
    """

    def __init__(self, feeds: Sequence[Feed], batch_size: int, start_epoch: int = 0, start_iteration: int = 0):
        self.feeds = list(feeds)
        self.batch_size = batch_size
        self.epoch = start_epoch
        self._asked = start_iteration
        self._taken = start_iteration

    def ask(self, iterations: int) -> None:
        """Asks for the iterations up to `iterations` (exclusive), as far as there are free slots."""
        while self._asked < iterations:
            # A feed that has a slot never runs ahead of one that has none: both are asked for the same iteration.
            for feed in self.feeds:
                while feed.published <= self._asked - self._taken:
                    if not feed.publish(self.epoch, self._taken + feed.published):
                        return
            self._asked += 1

    def ready(self) -> bool:
        """Whether `take` would not wait for a worker."""
        return self._asked > self._taken and all(feed.ready() for feed in self.feeds)

    def take(self) -> Step:
        """The next iteration.

        Raises:
            StopIteration: a source is at its end.
            SourceError, WorkerError: a source failed. Samples of the other feeds are not lost until `restart`.
        """
        while self._asked <= self._taken:
            self.ask(self._taken + 1)
            if self._asked <= self._taken:
                self.feeds[0].wait_for_slot()
        batches = [feed.take() for feed in self.feeds]
        step = Step(
            self.epoch, self._taken, self._taken * self.batch_size, self.batch_size, batches
        )
        self._taken += 1
        return step

    def restart(self, epoch: int, iteration: int = 0) -> None:
        """Forgets what was asked for and continues at another place."""
        for feed in self.feeds:
            feed.discard()
        self.epoch = epoch
        self._asked = self._taken = iteration

    def close(self) -> None:
        for feed in self.feeds:
            feed.close()
