"""Fetches what a process will read before it reads it: many requests are in flight, and results wait in memory."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future

import numpy as np

from jaxdali._base.patience import awaited
from jaxdali.errors import ConfigError
from .cache import ByteRange, Cache
from .filesystems import IN_FLIGHT
from .loop import Loop, running_loop
from .object_identity import Answer
from .remote_objects import answer_later, is_still, replaced, said_of

__all__ = ["Ahead"]

# Limits on requests that were started and not read yet: their number and bytes. _GUESS stands in for an unknown size.
_MOST_BEGUN, _MOST_BYTES = 4 * IN_FLIGHT, 1 << 27
_GUESS = 1 << 17
# Byte ranges at most _GAP bytes apart are joined into one request, up to _JOINED bytes.
_GAP, _JOINED = 1 << 14, 1 << 22
# Of how many objects without an index the version is remembered.
_REMEMBERED = 64

# Identifies a chunk of a batch; larger ones are read later.
Group = tuple[int, ...]


class _Request:
    """A request for bytes of one object, and the byte ranges in them that are still needed.

    Args:
        to_keep: whether the bytes will be kept.
        doubted: the version that the cache has of these bytes; if the object is still of that version, they are not
            fetched. Empty: the cache does not have them.
    """

    def __init__(self, byte_ranges: Sequence[ByteRange], to_keep: bool, doubted: str = ""):
        first, last = byte_ranges[0], byte_ranges[-1]
        self.url, self.offset, self.version = first.url, first.offset, first.version
        self.to_keep, self.doubted = to_keep, doubted
        self.size = (
            None if last.size is None else max(one.offset + (one.size or 0) for one in byte_ranges) - first.offset
        )
        self.wanted = Counter(byte_ranges)
        # None: the cache has them.
        self.future: Future[Answer | None] = Future()
        self.task: asyncio.Task[None] | None = None

    @property
    def bytes(self) -> int:
        return _GUESS if self.size is None else self.size

    def cut(self, byte_range: ByteRange) -> Answer | None:
        """Waits for the bytes and returns those of one range; None: the cache has them."""
        found = awaited(self.future, lambda: said_of(self.url, self.offset, self.size))
        if found is None or byte_range.size is None or byte_range.size == len(found.data):
            return found
        begin = byte_range.offset - self.offset
        return found._replace(data=found.data[begin : begin + byte_range.size])

    async def run(self) -> None:
        try:
            kept = bool(self.doubted) and await is_still(self.url, self.doubted)
            found = None if kept else await self.fetch()
        except BaseException as error:  # handed to whoever waits for the future, and to nobody else
            self.future.set_exception(error)
        else:
            self.future.set_result(found)

    async def fetch(self) -> Answer:
        return await answer_later(self.url, self.offset, self.size, self.version, self.to_keep)


class Ahead:
    """Fetches the byte ranges of one reader's samples in one process. `expect` announces a group that comes later,
    `begin` says that a group is read now, and `read` returns its ranges.

    Args:
        byte_ranges_of: returns a sample's byte ranges, by its index.
        cache: also keeps byte ranges; None: there is no cache.
    """

    def __init__(self, byte_ranges_of: Callable[[int], Iterable[ByteRange]], cache: Cache | None):
        self._byte_ranges_of, self._cache = byte_ranges_of, cache
        self._loop: Loop | None = None

    def _renew(self) -> Loop:
        """Returns this process's loop. Starts afresh in a forked child, which has none of its parent's requests."""
        if self._loop is (loop := running_loop()):
            return loop
        self._groups: OrderedDict[Group, Counter[ByteRange]] = OrderedDict()
        self._requests: dict[ByteRange, _Request] = {}
        self._waiting: deque[_Request] = deque()
        self._begun: dict[_Request, int] = {}
        self._begun_bytes = 0
        # Of objects that are read in parts and have no index: versions of what was read last.
        self._versions: OrderedDict[str, str] = OrderedDict()
        self._loop = loop
        return loop

    def expect(self, group: Group, indices: np.ndarray, soon: bool = False) -> None:
        """Announces samples that will be read.

        Args:
            soon: fetch them before everything else that is expected.
        """
        self._renew()
        byte_ranges = Counter(byte_range for index in indices.tolist() for byte_range in self._byte_ranges_of(index))
        self._groups[group] = byte_ranges
        fresh: list[ByteRange] = []
        doubts: list[tuple[list[ByteRange], str]] = []
        for byte_range, count in byte_ranges.items():
            if (known := self._requests.get(byte_range)) is not None:
                known.wanted[byte_range] += count
            elif byte_range.size != 0 and not (self._cache is not None and self._cache.has(byte_range)):
                if self._cache is not None and (doubted := self._cache.doubted(byte_range)):
                    doubts.append(([byte_range], doubted))
                else:
                    fresh.append(byte_range)
        requests = []
        for together, doubted in [*((one, "") for one in _joined(fresh)), *doubts]:
            request = _Request(together, self._cache is not None, doubted)
            request.wanted = Counter({byte_range: byte_ranges[byte_range] for byte_range in together})
            self._requests.update(dict.fromkeys(together, request))
            requests.append(request)
        if soon:
            self._waiting.extendleft(reversed(requests))
        else:
            self._waiting.extend(requests)
        # What is needed now must not wait until what was fetched ahead has been read.
        self._go_on(2 if soon else 1)

    def begin(self, group: Group, indices: np.ndarray) -> None:
        """Says that a group is being read now. Drops earlier groups: what was not read of them never will be."""
        self._renew()
        if group not in self._groups:
            self.expect(group, indices, soon=True)
        for other in [one for one in self._groups if one < group]:
            self._drop(other)
        self._groups.move_to_end(group, last=False)

    def forget(self) -> None:
        """Drops everything that is expected."""
        self._renew()
        for group in list(self._groups):
            self._drop(group)

    def read(self, byte_range: ByteRange) -> bytes:
        """Waits for the bytes of a range, whether or not they were expected.

        Raises:
            SourceDataError: the object ends earlier, is another one than before, or never came as a whole.
            OSError: the object could not be read; names it.
            BackendUnavailable: the package that reads it is not installed.
        """
        if byte_range.size == 0:
            return b""
        self._renew()
        current = next(iter(self._groups.values()), None)
        expected = current is not None and current[byte_range] > 0
        if expected and current is not None:
            current[byte_range] -= 1
        request = self._requests.get(byte_range)
        if request is None and self._cache is not None and (kept := self._cache.entry(byte_range)) is not None:
            return self._same(byte_range, *kept)
        if request is None:
            doubted = "" if self._cache is None else self._cache.doubted(byte_range)
            request = self._requests[byte_range] = _Request([byte_range], self._cache is not None, doubted)
            expected = True
        self._begin(request)
        try:
            answer = request.cut(byte_range)
        finally:
            if expected:
                self._no_longer(byte_range)
            self._go_on()
        if answer is None and self._cache is not None:
            self._cache.confirm(byte_range, request.doubted)
            if (kept := self._cache.entry(byte_range)) is not None:
                return self._same(byte_range, *kept)
        if answer is None:  # another process has removed it meanwhile
            answer = self._renew().run(_Request([byte_range], True).fetch(), lambda: said_of(*byte_range[:3]))
        if self._cache is not None and answer.version is not None:
            self._cache.put(byte_range, answer.data, answer.version)
        return self._same(byte_range, answer.data, answer.version)

    def _same(self, byte_range: ByteRange, data: bytes, version: str | None) -> bytes:
        """Returns `data`, which are of that version of their object.

        Raises:
            SourceDataError: another part that was read lately is of another version.
        """
        if byte_range.version or byte_range.size is None or version is None:
            return data
        before = self._versions.pop(byte_range.url, version)
        self._versions[byte_range.url] = version
        if len(self._versions) > _REMEMBERED:
            self._versions.popitem(last=False)
        if before != version:
            raise replaced(byte_range.url, before, version)
        return data

    def _drop(self, group: Group) -> None:
        for byte_range, count in self._groups.pop(group).items():
            for _ in range(count):
                self._no_longer(byte_range)

    def _no_longer(self, byte_range: ByteRange) -> None:
        """Drops one reader's claim to a byte range; cancels the request when nobody needs it."""
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
        """Starts the next requests while they stay within the limits, which are multiplied by `times`."""
        begun = []
        while self._waiting and len(self._begun) < times * _MOST_BEGUN:
            if self._begun and self._begun_bytes + self._waiting[0].bytes > times * _MOST_BYTES:
                break
            begun.append(self._waiting.popleft())
            self._count(begun[-1])
        if begun:
            self._renew().soon(_start, begun)

    def _begin(self, request: _Request) -> None:
        """Starts a request now, regardless of the limits."""
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
        raise ConfigError("requests in flight cannot be sent to other processes")


def _joined(byte_ranges: list[ByteRange]) -> list[list[ByteRange]]:
    """Groups byte ranges into requests, in the order of each request's first range."""
    order = {byte_range: number for number, byte_range in enumerate(byte_ranges)}
    found: list[list[ByteRange]] = []
    end = 0
    for byte_range in sorted(byte_ranges, key=lambda one: (one.url, one.version, one.offset)):
        first = found[-1][0] if found else None
        if (
            first is not None
            and byte_range.size is not None
            and (first.url, first.version) == (byte_range.url, byte_range.version)
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
