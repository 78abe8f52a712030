"""Whether work grows with its input, and not with the square of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

__all__ = ["assert_linear"]

# Work that takes less is done in time, whatever its growth: it is too short to be measured.
_LITTLE_S = 0.005
_TRIES = 5


def assert_linear(make: Callable[[int], Any], work: Callable[[Any], object], size: int, what: str = "") -> None:
    """Asserts that work on `make(2 * size)` takes at most 2.5 times as long as on `make(size)`, in time of this thread.

    Looks at small sizes first: work that doubles with each byte is found there, and would never end at the others.
    """
    for small in range(8, 64, 4):
        took = _took(work, make(small))
        assert took < 0.05, f"{what}: {took:.3f} s for a size of {small}"
    once, twice = make(size), make(2 * size)
    short, long = _took(work, once), _took(work, twice)
    for _ in range(_TRIES):
        if long < _LITTLE_S or long <= 2.5 * short:
            return
        short, long = max(short, _took(work, once)), min(long, _took(work, twice))
    raise AssertionError(f"{what}: {short:.4f} s for a size of {size}, {long:.4f} s for twice as much")


def _took(work: Callable[[Any], object], given: Any) -> float:
    start = time.thread_time()
    work(given)
    return time.thread_time() - start
