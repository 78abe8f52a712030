"""What writes samples into slots past Python, and is made anew in each process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

from .. import _host

__all__ = ["Direct", "Own"]

# (ring, slot, chunk, row of the first sample, indices: int64[n]) -> how many it has written, from the first one on.
Direct = Callable[[_host.Ring, int, int, int, np.ndarray], int]

_Value = TypeVar("_Value")


class Own(Generic[_Value]):
    """A value that does not travel: who gets a copy makes its own."""

    def __init__(self) -> None:
        self._value: _Value | None = None

    def of(self, make: Callable[[], _Value]) -> _Value:
        """The value, which is made when it is first asked for."""
        if self._value is None:
            self._value = make()
        return self._value

    def __reduce__(self) -> tuple[object, ...]:
        return Own, ()
