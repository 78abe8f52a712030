"""The interface between a pool and what starts its workers."""

from __future__ import annotations

import dataclasses
import signal
import socket
from collections.abc import Collection
from typing import Protocol

from jaxdali._base.interruptions import raised_by_handler
from .worker import CUT_OFF

__all__ = ["GRACE_S", "Death", "Launcher", "describe_exit", "kernel_state"]

# A worker that is asked to stop finishes its current sample; after this time it is killed.
GRACE_S = 0.5


@dataclasses.dataclass(frozen=True)
class Death:
    """A worker process that is gone.

    Attributes:
        exit_code: negative for a signal's number.
        why: what else is known.
        final: no other worker can be started in its place.
    """

    worker_id: int
    pid: int
    exit_code: int
    why: str = ""
    final: bool = False


class Launcher(Protocol):
    @property
    def pids(self) -> dict[int, int]:
        """Process ids of the live workers by worker id. A worker that was only just launched may not have one yet."""
        ...

    def launch(self, worker_id: int) -> socket.socket:
        """Starts a worker; returns the parent's end of its socket.

        Raises:
            OSError: it cannot be started.
        """
        ...

    def wait_for_pids(self) -> None:
        """Waits until every launched worker has a process id, or is known not to get one."""
        ...

    def deaths(self) -> list[Death]:
        """Returns the workers that died since the last call."""
        ...

    def refused(self) -> list[tuple[int, OSError]]:
        """Returns the workers that were launched but could not be started, since the last call, and why."""
        ...

    def silence(self, missed: bool = False) -> str:
        """Returns why no news of workers comes any more, as the start of an error text; empty if all is well.

        Args:
            missed: a worker seems to be gone, yet its death was not reported.
        """
        ...

    def holdup(self) -> str:
        """Returns why workers have no process yet, to be added to a list of what is waited for; empty if they have."""
        ...

    def forgive(self) -> None:
        """Restarts the time limit for a process that was silent."""
        ...

    def terminate(self, loading: Collection[int] = ()) -> None:
        """Ends and reaps all workers. Kills those still busy after GRACE_S.

        Args:
            loading: workers that have not finished loading; they are killed at once.
        """
        ...


def describe_exit(exit_code: int) -> str:
    """Describes an exit code in words: 'signal 9 (SIGKILL)' or 'exit code 3'."""
    if exit_code < 0:
        try:
            name = signal.Signals(-exit_code).name
        except ValueError:
            name = "unknown"
        return f"signal {-exit_code} ({name})"
    if exit_code == CUT_OFF:
        return f"exit code {exit_code} (its source closed descriptors that are not its own)"
    return f"exit code {exit_code}"


def kernel_state(pid: int) -> str:
    """Returns the kernel's state of a process, like ', state T (stopped)'; empty if it cannot be read."""
    try:
        with open(f"/proc/{pid}/status") as status:
            return "".join(
                f", state {line.split(maxsplit=1)[1].strip()}" for line in status if line.startswith("State:")
            )
    except OSError as error:
        if raised_by_handler(error):
            raise
        return ""
