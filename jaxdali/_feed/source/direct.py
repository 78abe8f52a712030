"""Types for native code that writes samples into slots; each process makes its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

from .. import _host

__all__ = ["Direct", "Own"]

# (ring, slot, chunk, row of the first sample, indices: int64[n]) -> how many samples it wrote, from the first one on.
Direct = Callable[[_host.Ring, int, int, int, np.ndarray], int]

_Value = TypeVar("_Value")


class Own(Generic[_Value]):
    """A value that is not pickled: each copy makes its own."""

    def __init__(self) -> None:
        self._value: _Value | None = None

    def of(self, make: Callable[[], _Value]) -> _Value:
        """Returns the value, and makes it on first use."""
        if self._value is None:
            self._value = make()
        return self._value

    def __reduce__(self) -> tuple[object, ...]:
        return Own, ()
