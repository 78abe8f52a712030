"""What a pool wants of those who start its workers, and what they tell it."""

from __future__ import annotations

import dataclasses
import signal
import socket
from collections.abc import Collection
from typing import Protocol

from .worker import CUT_OFF

__all__ = ["GRACE_S", "Death", "Launcher", "describe_exit"]

# A worker that is asked to stop finishes the sample it is at; one that takes longer is killed.
GRACE_S = 0.5


@dataclasses.dataclass(frozen=True)
class Death:
    """A worker process that is gone. `exit_code` is negative for a signal's number; `why` says what is known besides.
    `final`: no other can be started in its place.
    """

    worker_id: int
    pid: int
    exit_code: int
    why: str = ""
    final: bool = False


class Launcher(Protocol):
    @property
    def pids(self) -> dict[int, int]:
        """Process ids by worker id, of the workers that live. One that was only just launched may have none yet."""
        ...

    def launch(self, worker_id: int) -> socket.socket:
        """Starts a worker; returns this end of its socket.

        Raises:
            OSError: it cannot be started.
        """
        ...

    def wait_for_pids(self) -> None:
        """Waits until every worker that was launched has a process id, or it is known that none comes."""
        ...

    def deaths(self) -> list[Death]:
        """Workers that died since the last call."""
        ...

    def refused(self) -> list[tuple[int, OSError]]:
        """Workers that could not be started after they were launched, since the last call, and why."""
        ...

    def silence(self, missed: bool = False) -> str:
        """Why nothing is heard of workers any more, as the beginning of an error's text; empty: it is not so.

        Args:
            missed: a worker is gone for all that one sees, and yet no death of it was reported.
        """
        ...

    def forgive(self) -> None:
        """Whoever was silent has as much time again."""
        ...

    def terminate(self, loading: Collection[int] = ()) -> None:
        """Ends and reaps all workers; those still busy after GRACE_S are killed.

        Args:
            loading: workers that have not even begun; they are killed at once.
        """
        ...


def describe_exit(exit_code: int) -> str:
    """In words: 'signal 9 (SIGKILL)' or 'exit code 3'."""
    if exit_code < 0:
        try:
            name = signal.Signals(-exit_code).name
        except ValueError:
            name = "unknown"
        return f"signal {-exit_code} ({name})"
    if exit_code == CUT_OFF:
        return f"exit code {exit_code} (its source closed descriptors that are not its own)"
    return f"exit code {exit_code}"
