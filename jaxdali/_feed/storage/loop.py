"""The thread that runs a process's requests."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from jaxdali._base.interruptions import raised_by_handler
from jaxdali._base.patience import awaited

__all__ = ["Loop", "end", "running_loop"]

_Value = TypeVar("_Value")


class Loop:
    """An event loop in a thread of its own.

    Attributes:
        kept: what lives as long as the loop, by name; `close()` of each is awaited in that thread when the loop ends.
    """

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.kept: dict[str, Any] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="jaxdali-storage", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def soon(self, function: Callable[..., None], *arguments: object) -> None:
        """Schedules a function call in the thread."""
        self._loop.call_soon_threadsafe(function, *arguments)

    def run(self, work: Coroutine[object, object, _Value], what: Callable[[], str]) -> _Value:
        """Runs a coroutine and waits for its result. An interrupt cancels it.

        Args:
            what: says what is waited for, as for `Patience`.
        """
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return awaited(future, what)
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Ends the thread. Does nothing in a forked child, which does not own it."""
        if self.pid != os.getpid() or self._loop.is_closed():
            return
        try:
            asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(timeout=2)
        except TimeoutError as error:
            if raised_by_handler(error):
                raise
            return  # the process ends, even if something hangs there
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=2)
        if not self._thread.is_alive():
            self._loop.close()

    async def _end(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for one in self.kept.values():
            await one.close()


_current: Loop | None = None
_lock = threading.Lock()
# Loops of processes that this one was forked from. Kept alive here, because they are not ours to end.
_others: list[Loop] = []


def running_loop() -> Loop:
    """Returns this process's loop, started on first use. A forked child starts its own: no thread survives a fork."""
    global _current
    if (found := _current) is not None and found.pid == os.getpid():
        return found
    with _lock:
        if _current is not None and _current.pid != os.getpid():
            _others.append(_current)
            _current = None
        if _current is None:
            _current = Loop()
        return _current


def end() -> None:
    """Ends this process's thread, if there is one; the next request starts another."""
    global _current
    with _lock:
        found, _current = _current, None
    if found is not None:
        found.close()


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()  # a thread of the parent may have held it


os.register_at_fork(after_in_child=_after_fork)
