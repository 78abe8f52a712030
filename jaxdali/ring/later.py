"""Files that threads of this process decode, while the one that reads them goes on."""

from __future__ import annotations

import collections
import dataclasses
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from ..interruptions import is_interruption
from ..patience import awaited

__all__ = ["MOST_THREADS", "Later"]

# More threads than this decode no faster: they wait for the interpreter's lock.
MOST_THREADS = 8

# By process, because a child that is forked has none of the threads, and by their number. All rings share them.
_threads: dict[tuple[int, int], ThreadPoolExecutor] = {}


@dataclasses.dataclass
class _Task:
    position: int
    work: Callable[[], None]
    future: Future[None] | None = None


class Later:
    """Work on rows of one chunk that other threads do. An interrupt loses none of it."""

    def __init__(self) -> None:
        self._tasks: collections.deque[_Task] = collections.deque()

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def position(self) -> int:
        """The oldest row that is not done; only if there is one."""
        return self._tasks[0].position

    def add(self, position: int, threads: int, work: Callable[[], None]) -> None:
        """Has one of `threads` threads call `work`, whose errors `wait_for_oldest` raises."""
        task = _Task(position, work)
        self._tasks.append(task)  # first: an interrupt must not lose it
        task.future = _executor(threads).submit(work)

    def wait_for_oldest(self) -> None:
        """Waits for the oldest piece of work; only if there is one.

        Raises:
            Exception: what it has raised. It is then still the oldest one.
        """
        task = self._tasks[0]
        if task.future is None:
            task.work()  # an interrupt came before a thread was told
        else:
            awaited(task.future, lambda: f"the file in row {task.position} of a batch to be decoded")
        del self._tasks[0]

    def abandon(self) -> None:
        """Waits for all work, whatever it raises."""
        while self._tasks:
            try:
                self.wait_for_oldest()
            except Exception as error:
                if is_interruption(error):
                    raise
                del self._tasks[0]


def _executor(threads: int) -> ThreadPoolExecutor:
    key = os.getpid(), threads
    if key not in _threads:
        for other in [other for other in _threads if other[0] != key[0]]:
            del _threads[other]
        _threads[key] = ThreadPoolExecutor(threads, "jaxdali-decode")
    return _threads[key]
