"""Iterators over a Loader's steps, which survive an exception, as generators do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import StateError

__all__ = ["EpochSteps", "Steps", "exhausted"]


def exhausted(steps: int, epochs: int | None) -> StateError:
    """What to say to whoever iterates over a Loader that was iterated to its end."""
    return StateError(
        f"all {steps} steps of this Loader were taken, and epochs={epochs} says that there are no more. For each of several "
        "epochs iterate over loader.epoch(e), of a Loader with as many epochs= or None; seek(0) gives the same batches in "
        "the same order again"
    )


class Steps:
    """All that are left."""

    def __init__(self, advance: Callable[[], tuple[int, Any]]):
        self._advance = advance

    def __iter__(self) -> Steps:
        return self

    def __next__(self) -> tuple[int, Any]:
        return self._advance()


class EpochSteps:
    """The batches of one epoch.

    Args:
        advance: gives the next step and its batch.
        position: says which step comes next.
        first, last: steps of the epoch; the latter exclusive.
    """

    def __init__(self, advance: Callable[[], tuple[int, Any]], position: Callable[[], int], first: int, last: int):
        self._advance = advance
        self._position = position
        self._first, self._last = first, last
        self._ended = False

    def __len__(self) -> int:
        """Steps of the epoch."""
        return self._last - self._first

    def __iter__(self) -> EpochSteps:
        return self

    def __next__(self) -> Any:
        if self._ended:
            raise StopIteration
        step = self._position()
        if not self._first <= step <= self._last:
            raise StateError(
                f"the Loader was brought to step {step}, by seek or another iterator, while steps {self._first} to "
                f"{self._last - 1} of an epoch were iterated over; its iterators share one position: call loader.epoch "
                "again when the other one is done"
            )
        if step == self._last:
            self._ended = True
            raise StopIteration
        return self._advance()[1]
