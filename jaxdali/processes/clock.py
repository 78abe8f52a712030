"""A clock for the patience with others."""

from __future__ import annotations

import time

__all__ = ["Clock"]

_LONGEST_S = 1.0


class Clock:
    """Seconds in which somebody watched.

    Between two looks no more than a second passes: while this process was stopped itself (Ctrl-Z, a debugger, a frozen
    container), or was busy with something else, nobody can have been too slow.
    """

    def __init__(self) -> None:
        self._looked_at = time.monotonic()
        self._seconds = 0.0

    def __call__(self) -> float:
        now = time.monotonic()
        self._seconds += min(now - self._looked_at, _LONGEST_S)
        self._looked_at = now
        return self._seconds
