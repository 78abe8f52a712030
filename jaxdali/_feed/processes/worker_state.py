"""The state of each worker of a pool: whether it lives, how often it died, and when it may start again."""

from __future__ import annotations

import dataclasses
import time

from .items import ReadItem
from .messages import BadMessage, MessageReader

__all__ = ["Counters", "Member"]

# A worker that dies this soon after its start waits before it is started again; each time the pause doubles.
_EARLY_S = 1.0
_FIRST_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 0.5


@dataclasses.dataclass
class Counters:
    """Counts what happened to a pool's workers.

    Attributes:
        deaths: workers that died, or were ended because they hung.
        redone: chunks of batches that another worker did again.
    """

    deaths: int = 0
    redone: int = 0


@dataclasses.dataclass
class Member:
    """One worker id of a pool; its process may be the second or third one.

    Attributes:
        reader: reads from the present process; None if there is none.
        pid: of the present process, or of the last one; None if not known yet.
        began_loading: the present process has begun to load its sources.
        loaded: it has loaded them.
        beats: how often it has said that it lives; only couriers do.
        reads: the item that it said last that it reads.
        starts: how many processes it has had.
        unlucky: how many of its processes in a row died before they had their sources.
        restart_at: when the next process may start, on the monotonic clock; None if the worker lives or stays dead.
        hung: why we killed it; empty if we did not.
    """

    reader: MessageReader | None = None
    pid: int | None = None
    began_loading: bool = False
    loaded: bool = False
    beats: int = 0
    reads: ReadItem | None = None
    starts: int = 0
    unlucky: int = 0
    restart_at: float | None = None
    hung: str = ""
    _born: float = 0.0
    _pause_s: float = 0.0

    def began(self, pid: int | None, reader: MessageReader) -> None:
        """Notes that a process was started."""
        self.reader, self.pid, self.restart_at, self.hung = reader, pid, None, ""
        self.began_loading = self.loaded = False
        self.beats, self.reads = 0, None
        self.starts += 1
        self._born = time.monotonic()

    def hear(self, kind: object) -> None:
        """Notes what its process says of itself: "began" to load its sources, "ready", "alive"."""
        self.began_loading |= kind == "began"
        self.loaded |= kind == "ready"
        self.beats += kind == "alive"

    def wanted(self) -> None:
        """Notes that there is no process, and that one should be started now."""
        if self.reader is not None:
            self.reader.close()
            self.reader = None
        self.restart_at = time.monotonic()

    def died(self) -> None:
        """Notes that its process is gone and reaped, and when the next one may start."""
        self.wanted()
        now = time.monotonic()
        self.unlucky = 0 if self.loaded else self.unlucky + 1
        if now - self._born > _EARLY_S:
            self._pause_s = 0.0
        else:
            self._pause_s = min(max(2 * self._pause_s, _FIRST_PAUSE_S), _LONGEST_PAUSE_S)
        self.restart_at = now + self._pause_s

    def is_loading(self) -> bool:
        """Whether its process has not reported that it has its sources. Consumes its messages, so use it only at the
        end.
        """
        if self.reader is None or self.loaded:
            return False
        try:
            return "ready" not in [message["type"] for message in self.reader.read()]
        except BadMessage:  # from a source, so the sources are loaded
            return False

    @property
    def missed(self) -> bool:
        """Whether its process has left its connection, but nobody has reported it dead."""
        return self.reader is not None and self.reader.ended

    @property
    def due(self) -> bool:
        """Whether a process should be started now."""
        return self.restart_at is not None and time.monotonic() >= self.restart_at
