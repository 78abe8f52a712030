"""Iterators over a Loader's steps. Unlike generators they can continue after an exception."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxdali._base.aliases import PyTree
from jaxdali.errors import StateError

if TYPE_CHECKING:
    from .step_runner import StepRunner

__all__ = ["EpochSteps", "batches_of", "exhausted", "steps_to"]


def exhausted(steps: int, epochs: int | None) -> StateError:
    """Returns the error for iterating over a Loader that was iterated to its end."""
    return StateError(
        f"all {steps} steps of this Loader were taken, and epochs={epochs} allows no more. For several epochs, iterate "
        "over loader.epoch(e) for each, of a Loader with that many epochs= or None; seek(0) gives the same batches in "
        "the same order again"
    )


class Steps:
    """Iterates over all remaining steps.

    Args:
        step_runner: of the Loader.
    """

    words = "steps and batches"

    def __init__(self, step_runner: StepRunner):
        self._step_runner = step_runner
        self._advance = step_runner.next

    def __repr__(self) -> str:
        return f"<{self.words} of a Loader, at step {self._step_runner.step}>"

    def __iter__(self) -> Steps:
        return self

    def __next__(self) -> tuple[int, Any]:
        return self._advance()


class CountedSteps(Steps):
    """Iterates over all remaining steps of a Loader that has an end.

    Args:
        end: the step after the last one.
    """

    def __init__(self, step_runner: StepRunner, end: int):
        super().__init__(step_runner)
        self._first, self._end = step_runner.step, end

    def __len__(self) -> int:
        """Steps from where the Loader was when the iterator was made."""
        return max(self._end - self._first, 0)

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]} of {self._end}>"


def steps_to(end: int | None, step_runner: StepRunner) -> Steps:
    """Returns an iterator over the steps that remain; `end` is the one after the last, None if there is none."""
    return Steps(step_runner) if end is None else CountedSteps(step_runner, end)


class Batches(map):
    """The batches of steps. A `map`, because no interrupt comes between a step that it takes and the batch in it."""

    steps: Iterator[tuple[int, Any]]

    def __repr__(self) -> str:
        return repr(self.steps).replace(Steps.words, "batches")


class CountedBatches(Batches):
    """Those of a Loader that has an end."""

    def __len__(self) -> int:
        """As that of the steps."""
        return len(self.steps)  # type: ignore[arg-type]


def batches_of(steps: Iterator[tuple[int, Any]]) -> Batches:
    """Returns an iterator over the batches alone."""
    kind = CountedBatches if isinstance(steps, CountedSteps) else Batches
    batches = kind(operator.itemgetter(1), steps)
    batches.steps = steps
    return batches


class EpochSteps:
    """The batches of one epoch.

    Args:
        step_runner: of the Loader; it stands at the first step.
        first, last: steps of the epoch; `last` is exclusive.
    """

    def __init__(self, step_runner: StepRunner, first: int, last: int):
        self._step_runner = step_runner
        self._first, self._last = first, last
        self._begun = step_runner.begun
        self._next: int | None = None  # the step after the last one this iterator took; None if it has not begun
        self._ended = False

    def __len__(self) -> int:
        """Steps of the epoch."""
        return self._last - self._first

    def __repr__(self) -> str:
        return (
            f"<batches of an epoch of a Loader, at step {self._step_runner.step}, of {self._first} to {self._last - 1}>"
        )

    def __iter__(self) -> EpochSteps:
        return self

    def __next__(self) -> PyTree:
        if self._ended:
            raise StopIteration
        step = self._step_runner.step
        is_elsewhere = self._begun != self._step_runner.begun or not self._first <= step <= self._last
        if is_elsewhere and self._next != self._last:
            raise StateError(
                f"seek or another iterator moved the Loader to step {step} while steps {self._first} to "
                f"{self._last - 1} of an epoch were iterated over; its iterators share one position: call loader.epoch "
                "again when the other one is done, or make a Loader for each"
            )
        if is_elsewhere or step == self._last:
            self._ended = True
            raise StopIteration
        if self._next is None:
            self._begun = self._step_runner.begin_iterating()
        try:
            step, batch = self._step_runner.next()
        except Exception:
            self._next = self._step_runner.step
            raise
        # No call from here on: after an interrupt the batch would be lost.
        self._next = step + 1
        return batch
