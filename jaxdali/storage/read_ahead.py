"""Fetches what a process will read before it reads it: many requests are in flight, and what came waits in memory."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future

import numpy as np

from ..errors import ConfigError
from .cache import ByteRange, Cache
from .filesystems import IN_FLIGHT
from .loop import Loop, running_loop
from .objects import fetch_later

__all__ = ["Ahead"]

# What has been asked for and was not read yet: requests, and their bytes. Of an object whose size nobody knows a guess.
_MOST_BEGUN, _MOST_BYTES = 4 * IN_FLIGHT, 1 << 27
_GUESS = 1 << 17
# Byte ranges so near to each other are one request, up to a size.
_GAP, _JOINED = 1 << 14, 1 << 22

# A chunk of a batch: what is larger comes later.
Group = tuple[int, ...]


class _Request:
    """Bytes of one object, and the byte ranges in them that are still wanted."""

    def __init__(self, byte_ranges: Sequence[ByteRange]):
        first, last = byte_ranges[0], byte_ranges[-1]
        self.url, self.offset = first.url, first.offset
        self.size = (
            None if last.size is None else max(one.offset + (one.size or 0) for one in byte_ranges) - first.offset
        )
        self.wanted = Counter(byte_ranges)
        self.future: Future[bytes] = Future()
        self.task: asyncio.Task[None] | None = None

    @property
    def bytes(self) -> int:
        return _GUESS if self.size is None else self.size

    def cut(self, byte_range: ByteRange) -> bytes:
        """Waits for what has been fetched."""
        data = self.future.result()
        begin = byte_range.offset - self.offset
        return (
            data if byte_range.size is None or byte_range.size == len(data) else data[begin : begin + byte_range.size]
        )

    async def run(self) -> None:
        try:
            data = await fetch_later(self.url, self.offset, self.size)
        except BaseException as error:  # who waits for it is told, and nobody else
            self.future.set_exception(error)
        else:
            self.future.set_result(data)


class Ahead:
    """The byte ranges of samples of one reader, in one process. `begin` a group, `read` its ranges; `expect` those that come
    later.

    Args:
        byte_ranges_of: a sample's, by its index.
        cache: in which byte ranges are kept, too; None: none.
    """

    def __init__(self, byte_ranges_of: Callable[[int], Iterable[ByteRange]], cache: Cache | None):
        self._byte_ranges_of, self._cache = byte_ranges_of, cache
        self._loop: Loop | None = None

    def _renew(self) -> Loop:
        """The loop of this process: a forked child has none of its parent's requests."""
        if self._loop is (loop := running_loop()):
            return loop
        self._groups: OrderedDict[Group, Counter[ByteRange]] = OrderedDict()
        self._requests: dict[ByteRange, _Request] = {}
        self._waiting: deque[_Request] = deque()
        self._begun: dict[_Request, int] = {}
        self._begun_bytes = 0
        self._loop = loop
        return loop

    def expect(self, group: Group, indices: np.ndarray, soon: bool = False) -> None:
        """Samples that will be read.

        Args:
            soon: before all that is expected.
        """
        self._renew()
        byte_ranges = Counter(byte_range for index in indices.tolist() for byte_range in self._byte_ranges_of(index))
        self._groups[group] = byte_ranges
        fresh = []
        for byte_range, count in byte_ranges.items():
            if (known := self._requests.get(byte_range)) is not None:
                known.wanted[byte_range] += count
            elif byte_range.size != 0 and not (self._cache is not None and self._cache.has(byte_range)):
                fresh.append(byte_range)
        requests = []
        for together in _joined(fresh):
            request = _Request(together)
            request.wanted = Counter({byte_range: byte_ranges[byte_range] for byte_range in together})
            self._requests.update(dict.fromkeys(together, request))
            requests.append(request)
        if soon:
            self._waiting.extendleft(reversed(requests))
        else:
            self._waiting.extend(requests)
        # What is wanted now does not wait until what came ahead has been read.
        self._go_on(2 if soon else 1)

    def begin(self, group: Group, indices: np.ndarray) -> None:
        """Its byte ranges are read from now on; what was expected before it, and was not read, will not be."""
        self._renew()
        if group not in self._groups:
            self.expect(group, indices, soon=True)
        for other in [one for one in self._groups if one < group]:
            self._drop(other)
        self._groups.move_to_end(group, last=False)

    def forget(self) -> None:
        """Nothing of what is expected will be read."""
        self._renew()
        for group in list(self._groups):
            self._drop(group)

    def read(self, byte_range: ByteRange) -> bytes:
        """Waits for the bytes of a range, whether they were expected or not.

        Raises:
            SourceDataError: the object ends before.
            OSError: it could not be read; names it. BackendUnavailable: what reads it is not installed.
        """
        if byte_range.size == 0:
            return b""
        self._renew()
        current = next(iter(self._groups.values()), None)
        expected = current is not None and current[byte_range] > 0
        if expected and current is not None:
            current[byte_range] -= 1
        request = self._requests.get(byte_range)
        if request is None and self._cache is not None and (found := self._cache.get(byte_range)) is not None:
            return found
        if request is None:
            request = self._requests[byte_range] = _Request([byte_range])
            expected = True
        self._begin(request)
        try:
            data = request.cut(byte_range)
        finally:
            if expected:
                self._no_longer(byte_range)
            self._go_on()
        if self._cache is not None:
            self._cache.put(byte_range, data)
        return data

    def _drop(self, group: Group) -> None:
        for byte_range, count in self._groups.pop(group).items():
            for _ in range(count):
                self._no_longer(byte_range)

    def _no_longer(self, byte_range: ByteRange) -> None:
        """One who wanted it does so no more."""
        request = self._requests.get(byte_range)
        if request is None:
            return
        request.wanted[byte_range] -= 1
        if request.wanted[byte_range] > 0:
            return
        del self._requests[byte_range], request.wanted[byte_range]
        if request.wanted:
            return
        if request not in self._begun:
            self._waiting.remove(request)
            return
        self._begun_bytes -= self._begun.pop(request)
        if not request.future.done():
            self._renew().soon(_cancel, request)

    def _go_on(self, times: int = 1) -> None:
        """Begins what is next, as long as there is room, or several times as much."""
        begun = []
        while self._waiting and len(self._begun) < times * _MOST_BEGUN:
            if self._begun and self._begun_bytes + self._waiting[0].bytes > times * _MOST_BYTES:
                break
            begun.append(self._waiting.popleft())
            self._count(begun[-1])
        if begun:
            self._renew().soon(_start, begun)

    def _begin(self, request: _Request) -> None:
        """Begins it now, whatever else there is."""
        if request in self._begun:
            return
        if request in self._waiting:
            self._waiting.remove(request)
        self._count(request)
        self._renew().soon(_start, [request])

    def _count(self, request: _Request) -> None:
        self._begun[request] = request.bytes
        self._begun_bytes += request.bytes

    def __reduce__(self) -> object:
        raise ConfigError("requests in flight do not travel to other processes")


def _joined(byte_ranges: list[ByteRange]) -> list[list[ByteRange]]:
    """Byte ranges that become one request each time, in the order of the first of each."""
    order = {byte_range: number for number, byte_range in enumerate(byte_ranges)}
    found: list[list[ByteRange]] = []
    end = 0
    for byte_range in sorted(byte_ranges, key=lambda one: (one.url, one.offset)):
        first = found[-1][0] if found else None
        if (
            first is not None
            and byte_range.size is not None
            and first.url == byte_range.url
            and byte_range.offset <= end + _GAP
            and byte_range.offset + byte_range.size - first.offset <= _JOINED
        ):
            found[-1].append(byte_range)
            end = max(end, byte_range.offset + byte_range.size)
        else:
            found.append([byte_range])
            end = byte_range.offset + (byte_range.size or 0)
    return sorted(found, key=lambda together: min(order[byte_range] for byte_range in together))


def _start(requests: Sequence[_Request]) -> None:
    for request in requests:
        request.task = asyncio.get_running_loop().create_task(request.run())


def _cancel(request: _Request) -> None:
    if request.task is not None:
        request.task.cancel()
