"""The workers of a pool, one by one: who lives, who died how often, who may start again and when."""

from __future__ import annotations

import dataclasses
import time

from .messages import BadMessage, MessageReader

__all__ = ["Counters", "Member"]

# A worker that dies this soon after its start waits before it is started again, each time twice as long.
_EARLY_S = 1.0
_FIRST_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 0.5


@dataclasses.dataclass
class Counters:
    """What became of a pool's workers.

    Attributes:
        deaths: workers that died, or were ended because they hung.
        redone: chunks of batches that another worker began anew.
    """

    deaths: int = 0
    redone: int = 0


@dataclasses.dataclass
class Member:
    """One worker id of a pool; its process may be the second or third one.

    Attributes:
        reader: of the present process; None: there is none.
        pid: of the present or the last process; None: not known yet.
        began_loading: the present process is at its sources.
        loaded: it has them.
        unlucky: how many of its processes in a row died before they had their sources.
        restart_at: when the next process may start, on the monotonic clock; None: it lives, or stays dead.
        hung: why it was ended by us.
    """

    reader: MessageReader | None = None
    pid: int | None = None
    began_loading: bool = False
    loaded: bool = False
    unlucky: int = 0
    restart_at: float | None = None
    hung: str = ""
    _born: float = 0.0
    _pause_s: float = 0.0

    def began(self, pid: int | None, reader: MessageReader) -> None:
        """A process was started."""
        self.reader, self.pid, self.restart_at, self.hung = reader, pid, None, ""
        self.began_loading = self.loaded = False
        self._born = time.monotonic()

    def wanted(self) -> None:
        """There is no process, and one should be started now."""
        if self.reader is not None:
            self.reader.close()
            self.reader = None
        self.restart_at = time.monotonic()

    def died(self) -> None:
        """Its process is gone and reaped. Says when the next one may start."""
        self.wanted()
        now = time.monotonic()
        self.unlucky = 0 if self.loaded else self.unlucky + 1
        if now - self._born > _EARLY_S:
            self._pause_s = 0.0
        else:
            self._pause_s = min(max(2 * self._pause_s, _FIRST_PAUSE_S), _LONGEST_PAUSE_S)
        self.restart_at = now + self._pause_s

    def is_loading(self) -> bool:
        """Its process has not said that it has its sources. Takes its messages: of use at the end only."""
        if self.reader is None or self.loaded:
            return False
        try:
            return "ready" not in [message["type"] for message in self.reader.read()]
        except BadMessage:  # by a source, then
            return False

    @property
    def missed(self) -> bool:
        """Its process has left its connection, but nobody has said that it is dead."""
        return self.reader is not None and self.reader.ended

    @property
    def due(self) -> bool:
        """A process should be started now."""
        return self.restart_at is not None and time.monotonic() >= self.restart_at
