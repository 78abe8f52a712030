"""Iterators over a Loader's steps. Unlike generators they can continue after an exception."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxdali._base.aliases import PyTree
from jaxdali.errors import StateError

if TYPE_CHECKING:
    from .step_runner import StepRunner

__all__ = ["EpochSteps", "Steps", "exhausted"]


def exhausted(steps: int, epochs: int | None) -> StateError:
    """Returns the error for iterating over a Loader that was iterated to its end."""
    return StateError(
        f"all {steps} steps of this Loader were taken, and epochs={epochs} allows no more. For several epochs, iterate "
        "over loader.epoch(e) for each, of a Loader with that many epochs= or None; seek(0) gives the same batches in "
        "the same order again"
    )


class Steps:
    """Iterates over all remaining steps."""

    def __init__(self, advance: Callable[[], tuple[int, object]]):
        self._advance = advance

    def __iter__(self) -> Steps:
        return self

    def __next__(self) -> tuple[int, Any]:
        return self._advance()


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
