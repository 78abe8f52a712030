"""Which item a worker reads whose source takes many before it gives the first sample: those of a batch of a stream, or
all before the place where it resumes.
"""

from __future__ import annotations

import dataclasses
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from jaxdali._base.interruptions import raised_by_handler
from ..ring.served_source import ServedSource
from .messages import offer_message

__all__ = ["ItemTeller", "ReadItem", "item_of", "read_item"]

_Item = TypeVar("_Item")

# A worker tells of its items this often, or as many times within the limit for one of them, if that is more often. The
# parent looks every 20 ms.
_EVERY_S, _TIMES = 0.05, 8


@dataclasses.dataclass(frozen=True, eq=False)
class ReadItem:
    """What a worker said: it reads an item for a batch.

    Attributes:
        served, slot, ticket: the batch.
        item: the index of the item; later ones are told by the position within the chunk, counted from this one. None:
            it has read all that it needs.
        shard: the part of the stream; None: there is only one.
    """

    served: ServedSource
    slot: int
    ticket: int
    item: int | None
    shard: int | None


def read_item(message: Mapping[str, Any], served_sources: Sequence[ServedSource]) -> ReadItem | None:
    """Returns what a message says; None if it is about a source that does not exist."""
    place = {name: message[name] for name in ("slot", "ticket", "item", "shard")}
    number = message["source_index"]
    return ReadItem(served_sources[number], **place) if number < len(served_sources) else None


def item_of(read: ReadItem | None, served: ServedSource, slot: int, chunk: int) -> tuple[int | None, str] | None:
    """Returns which item a worker reads for a chunk: its index, if there is only one shard, and its name. None if its
    position in the chunk says so.

    Args:
        read: what it said last.
    """
    if read is None or read.item is None or read.served is not served:
        return None
    if (read.slot, read.ticket) != (slot, served.ring.ticket(slot)):
        return None
    start, stop, _, _, position = served.ring.chunk_info(slot)[chunk]
    later = " or a later one" if position == stop else ""  # positions end there
    shard = "" if read.shard is None else f" of shard {read.shard}"
    item = read.item + position - start
    return item if read.shard is None else None, f"item {item}{later}{shard} of the stream"


class ItemTeller:
    """The worker's end. Each item moves the position of the chunk in the ring; now and then a message says which item
    that position means. No message waits for the parent: if it does not read, the next message comes later.

    Args:
        number: the index of the source.
        limit_s: how long one item may take.
    """

    def __init__(self, number: int, served: ServedSource, connection: socket.socket, limit_s: float):
        self._number, self._advance, self._connection = number, served.ring.advance, connection
        self._every_s = min(_EVERY_S, limit_s / _TIMES)
        self._slot = self._chunk = self._ticket = self._first = self._start = 0
        # The item at which the position in the ring was `start`, and whether the parent was told of one of this batch.
        self._base, self._told = 0, False
        self._shard: int | None = None
        self._tell_at = 0.0

    def begin(self, claim: tuple[int, ...]) -> None:
        """Called when the worker has claimed a chunk."""
        _, self._slot, self._chunk, self._ticket, _, _, first_sample, self._start, _ = claim
        self._base = first_sample + self._start  # as the parent assumes
        self._told, self._shard = False, None
        self._tell_at = time.monotonic() + self._every_s

    def items(self, items: Iterator[_Item], index: int, shard: int | None) -> Iterator[_Item]:
        """Iterates over items.

        Args:
            index: that of the first one.
            shard: the part of the stream; None: there is only one.
        """
        if index < self._base or shard != self._shard:
            self._tell(index, shard)
        now, advance, slot, chunk = time.monotonic, self._advance, self._slot, self._chunk
        tell_at, offset = self._tell_at, self._start - self._base
        advance(slot, chunk, index + offset)
        for following, item in enumerate(items, index + 1):
            yield item
            if now() >= tell_at:
                self._tell(following, shard)
                tell_at, offset = self._tell_at, self._start - self._base
            advance(slot, chunk, following + offset)

    def done(self) -> None:
        """Called when the items of the batch, or of one shard of it, have been read."""
        if self._told:
            self._tell(None, self._shard)
        self._advance(self._slot, self._chunk, self._start)

    def _tell(self, item: int | None, shard: int | None) -> None:
        place = {"source_index": self._number, "slot": self._slot, "ticket": self._ticket}
        self._tell_at = time.monotonic() + self._every_s
        try:
            sent = offer_message(self._connection, {"type": "item", **place, "item": item, "shard": shard})
        except OSError as error:  # the next message that matters will meet it again
            if raised_by_handler(error):
                raise
            sent = False
        if sent:
            self._told, self._shard = True, shard
        # Positions are not below the start of the chunk, also if the parent cannot tell what they mean.
        if item is not None and (sent or item < self._base):
            self._base = item
