"""The worker processes of one pipeline, and what they have to say."""

from __future__ import annotations

import functools
import os
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from .. import _host
from ..errors import ConfigError, SampleOrigin, SourceError, WorkerError
from ..source.kinds import SampleSource
from .columns import Column
from .launch import Death, ForkLauncher, Launcher, SpawnLauncher, describe_exit
from .protocol import Failure, MessageReader
from .zygote import close_in_children

__all__ = ["START_METHODS", "WorkerPool"]

START_METHODS = ("fork", "spawn")


class WorkerPool:
    """`workers` processes that fill the slots of `ring` from `sources`.

    Processes start in `start`. They end in `close`, when the pool is collected, when the interpreter exits, and in any
    case with this process.

    Args:
        start_method: "fork" or "spawn".

    Raises:
        ConfigError: no workers, an unknown start method, or a source that cannot be pickled (spawn).
    """

    waits = True

    def __init__(
        self,
        ring: _host.Ring,
        sources: Sequence[SampleSource],
        columns: Sequence[Column],
        *,
        workers: int,
        start_method: str,
    ):
        if workers < 1 or workers >= 1 << 16:
            raise ConfigError(f"the number of workers must be between 1 and 65535, got {workers}")
        if start_method not in START_METHODS:
            raise ConfigError(
                f"cannot find context for {start_method!r}: the start method is one of {', '.join(START_METHODS)}"
            )
        self.workers = workers
        self.start_method = start_method
        self._ring = ring
        self._columns = columns
        self._sources = sources
        self._launcher: Launcher | None = None
        self._connections: dict[int, MessageReader] = {}
        self._failures: dict[tuple[int, int, int], Failure] = {}
        # What to raise from now on, made anew each time: a raised exception holds its frames.
        self._broken: Callable[[], Exception] | None = None
        self._pids: dict[int, int] = {}
        self._finalizer: weakref.finalize[Any, Any] | None = None

    @property
    def started(self) -> bool:
        return self._launcher is not None

    @property
    def broken(self) -> bool:
        """A worker died or cannot load the source: `work` raises from now on."""
        return self._broken is not None

    @property
    def pids(self) -> dict[int, int]:
        """Process ids by worker id, of the workers that live."""
        return {} if self._launcher is None else dict(self._launcher.pids)

    def start(self) -> None:
        """Starts the processes; does not wait until they are ready. A second call does nothing."""
        if self._launcher is not None:
            return
        kind = ForkLauncher if self.start_method == "fork" else SpawnLauncher
        launcher: Launcher = kind(self._ring, self._sources, self._columns)
        self._launcher = launcher
        self._finalizer = weakref.finalize(self, _shut_down, self._ring, launcher, self._connections, os.getpid())
        for worker_id in range(self.workers):
            connection = launcher.launch(worker_id)
            close_in_children(connection)
            self._connections[worker_id] = MessageReader(connection)
            self._pids[worker_id] = launcher.pids[worker_id]

    def work(self, slot: int) -> None:
        """Called while `slot` is waited for: takes messages, notices deaths.

        Raises:
            WorkerError: a worker died.
            SourceError: a worker could not load the source.
        """
        if self._launcher is None:
            self.start()
            assert self._launcher is not None
        # Before the messages: what a worker said before it died is then in its socket.
        dead = self._launcher.deaths()
        for worker_id, reader in self._connections.items():
            for message in reader.read():
                if message["type"] == "failure":
                    failure = Failure.from_message(message)
                    self._failures[failure.slot, failure.chunk, failure.ticket] = failure
                elif message["type"] == "unusable":
                    text = (
                        f"the worker could not load the source: {message['exception']}: {message['message']}\n"
                        f"{message['traceback']}"
                    )
                    place = SampleOrigin(worker_id=worker_id, pid=self._pids[worker_id])
                    self._broken = functools.partial(SourceError, text, place)
        if self._broken is None and dead:
            self._broken = functools.partial(WorkerError, *self._death_error(dead[0]))
        if self._broken is not None:
            raise self._broken()

    def failure(self, slot: int, chunk: int, ticket: int) -> Failure:
        """The report of a word that says FAILED."""
        key = (slot, chunk, ticket)
        if key not in self._failures:
            self.work(slot)
        return self._failures.pop(key)

    def worker_of(self, owner: int) -> tuple[int | None, int | None]:
        """Worker id and process id behind the owner id of a word."""
        return owner - 1, self._pids.get(owner - 1)

    def _death_error(self, death: Death) -> tuple[Any, ...]:
        place: dict[str, Any] = {}
        lost = "it was idle"
        for slot, chunk in self._ring.owned_by(death.worker_id + 1):
            start, stop, _, _, position = self._ring.chunk_info(slot)[chunk]
            epoch, iteration, first_sample = self._ring.batch_info(slot)
            lost = f"samples {first_sample + start} to {first_sample + stop - 1} were its work"
            place = {
                "output": ", ".join(column.name for column in self._columns),
                "sample_index": first_sample + min(position, stop - 1),
                "iteration": iteration,
                "epoch": epoch,
            }
        hint = " (out of memory?)" if death.exit_code == -9 else ""
        return (
            f"a worker process died by {describe_exit(death.exit_code)}{death.why}{hint}; {lost}",
            SampleOrigin(worker_id=death.worker_id, pid=death.pid, **place),
            death.exit_code,
        )

    def close(self) -> None:
        """Ends all workers and waits for them."""
        if self._finalizer is not None:
            self._finalizer()


def _shut_down(ring: _host.Ring, launcher: Launcher, connections: dict[int, MessageReader], owner_pid: int) -> None:
    if os.getpid() != owner_pid:
        return  # a forked copy of the pool: the processes are not its children
    ring.close()
    launcher.terminate()
    for reader in connections.values():
        reader.close()
