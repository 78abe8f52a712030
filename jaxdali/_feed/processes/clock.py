"""A clock that measures how long another process has been unresponsive."""

from __future__ import annotations

import time

__all__ = ["Clock"]

_LONGEST_S = 1.0


class Clock:
    """Counts the seconds during which this process was watching.

    At most one second counts between two readings. If this process was itself stopped (Ctrl-Z, a debugger, a frozen
    container) or busy with something else, it must not blame others for being slow.
    """

    def __init__(self) -> None:
        self._looked_at = time.monotonic()
        self._seconds = 0.0

    def __call__(self) -> float:
        now = time.monotonic()
        self._seconds += min(now - self._looked_at, _LONGEST_S)
        self._looked_at = now
        return self._seconds
