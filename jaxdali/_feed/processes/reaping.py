"""Waits for the end of a child process."""

from __future__ import annotations

import time
from collections.abc import Callable

from jaxdali._base.patience import Patience
from .launcher import kernel_state

__all__ = ["ended"]

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.001, 0.02


def ended(pid: int, poll: Callable[[], int | None], timeout_s: float | None = None) -> int | None:
    """Waits until `poll` returns something, and returns that; None after the timeout. A process that was killed may
    still be in a system call that cannot be interrupted, such as reading a file of a server that does not answer.

    Args:
        poll: returns how the process ended, or None while it runs.
    """
    if (found := poll()) is not None:
        return found
    patience = Patience(lambda: f"the process with pid {pid}{kernel_state(pid)} to end")
    until = None if timeout_s is None else time.monotonic() + timeout_s
    pause = _FIRST_PAUSE_S
    while (found := poll()) is None:
        left = pause if until is None else until - time.monotonic()
        if left <= 0:
            return None
        patience.wait()
        time.sleep(min(pause, left))
        pause = min(2 * pause, _LONGEST_PAUSE_S)
    return found
