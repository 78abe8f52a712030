"""Batches of one group of sources, in order: publishes slots ahead, waits for the oldest, hands it out leased."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Sequence
from typing import Any, Protocol

from .. import _host
from ..errors import JaxDaliError, SourceDataError, SourceError, WorkerError
from ..source.kinds import SampleSource
from ..types import from_numpy_type
from .collect import HostBatch, read_columns
from .columns import Column
from .protocol import Failure

__all__ = ["Feed", "FeedOptions", "Producer"]

# Address space a slot; nothing is allocated until it is written. Halved where it is limited.
STRIDE = 1 << 34
# How often a waiting parent looks after its workers; what they finish wakes it at once.
LOOK_S = 0.02
_PENDING, _DONE, _FAILED, _STOPPED = range(4)


class Producer(Protocol):
    """Who fills the slots: `WorkerPool` or `InlineProducer`.

    Attributes:
        waits: others do the work while we wait.
        broken: no more batches come; `work` raises.
    """

    waits: bool

    @property
    def broken(self) -> bool: ...

    @property
    def pids(self) -> dict[int, int]: ...
    def start(self) -> None: ...
    def work(self, slot: int) -> None: ...
    def failure(self, slot: int, chunk: int, ticket: int) -> Failure: ...
    def worker_of(self, owner: int) -> tuple[int | None, int | None]: ...
    def close(self) -> None: ...


@dataclasses.dataclass(frozen=True, kw_only=True)
class FeedOptions:
    """How large a feed is.

    Attributes:
        batch_size: samples of a batch.
        ahead: slots that are always there to be filled.
        held: batches that may be leased at once; further ones are copied out, so that the ring can turn.
        chunks: pieces that a batch is cut into.
        sample_bytes: of one sample of all outputs, to size the slots; they grow as needed.
    """

    batch_size: int
    ahead: int
    held: int
    chunks: int
    sample_bytes: int = 0


@dataclasses.dataclass
class _Published:
    slot: int
    ticket: int
    epoch: int
    iteration: int


class Feed:
    """One ring, the columns that come through it, and its producer.

    Args:
        make_producer: called with `(ring, sources, columns)`.
    """

    def __init__(
        self, sources: Sequence[SampleSource], columns: Sequence[Column], options: FeedOptions, make_producer: Any
    ):
        self.columns = list(columns)
        self.options = options
        self.ring = _host.Ring.create(
            slots=options.ahead + options.held,
            chunks=options.chunks,
            outputs=len(columns),
            batch_size=options.batch_size,
            capacity=options.sample_bytes * options.batch_size,
            stride=STRIDE,
        )
        self.producer: Producer = make_producer(self.ring, sources, self.columns)
        self.copied_batches = 0
        self._published: collections.deque[_Published] = collections.deque()
        self._draining: list[int] = []
        self._plans: list[Any] = [(column.encoded, None) for column in columns]
        self._next_ticket = 1
        self._capacity = 0
        self._closed = False

    @property
    def published(self) -> int:
        """Number of batches asked for and not yet taken."""
        return len(self._published)

    def publish(self, epoch: int, iteration: int) -> bool:
        """Asks for a batch. False when every slot is in use."""
        self._drain()
        slot = self.ring.take_free()
        if slot < 0:
            return False
        ticket, self._next_ticket = self._next_ticket, self._next_ticket + 1
        size = self.options.batch_size
        try:
            self.ring.publish(slot, ticket, epoch, iteration, iteration * size, size, self._plans)
        except RuntimeError as error:
            self.ring.release(slot)
            raise WorkerError(str(error)) from error
        self._published.append(_Published(slot, ticket, epoch, iteration))
        return True

    def ready(self) -> bool:
        """Whether `take` would return, or raise, without waiting for a worker."""
        if not self._published:
            return False
        return not self.producer.waits or self.ring.state(self._published[0].slot) != _PENDING

    def take(self) -> HostBatch:
        """Waits for the oldest batch that was asked for.

        Raises:
            StopIteration: the source is at its end.
            SourceError, WorkerError: it cannot be produced.
        """
        head = self._published[0]
        state = self.ring.state(head.slot)
        # What the others of a broken pool still finish would come or not come by chance.
        while state == _PENDING or self.producer.broken:
            self.producer.work(head.slot)
            state = self.ring.wait(head.slot, LOOK_S if self.producer.waits else 0.0)
        if state == _STOPPED:
            raise StopIteration
        if state == _FAILED:
            raise self._error(head)
        self._equalize(head.slot)
        self._published.popleft()
        return self._collect(head)

    def _equalize(self, slot: int) -> None:
        # One capacity for all slots: it is the shape of an operand, and every new shape is a compilation.
        self._capacity = max(self._capacity, *self.ring.capacities())
        try:
            self.ring.grow(slot, self._capacity)
        except RuntimeError as error:
            raise WorkerError(str(error)) from error

    def _collect(self, head: _Published) -> HostBatch:
        ring, size = self.ring, self.options.batch_size
        records, used = ring.records(head.slot), ring.used(head.slot)
        batch = HostBatch(head.epoch, head.iteration, head.iteration * size, size, [], self._workers(head.slot))
        lease = ring.lease(head.slot)
        if ring.slots - ring.free_slots - len(self._published) - len(self._draining) > self.options.held:
            lease = lease.copy(used)
            self.copied_batches += 1
        batch.columns = read_columns(records, size, size, self.columns, lease, batch)
        self._plans = [
            (column.column.encoded, (int(from_numpy_type(column.dtype)), list(column.dense_shape[1:])))
            if not column.column.encoded and column.uniform
            else (column.column.encoded, None)
            for column in batch.columns
        ]
        return batch

    def _workers(self, slot: int) -> list[tuple[int, int, int | None, int | None]]:
        return [
            (start, stop, *self.producer.worker_of(owner)) for start, stop, owner, _, _ in self.ring.chunk_info(slot)
        ]

    def _error(self, head: _Published) -> BaseException:
        chunks = self.ring.chunk_info(head.slot)
        chunk = next(i for i, info in enumerate(chunks) if info[3] == _host.WORD_STATES.index("failed"))
        failure = self.producer.failure(head.slot, chunk, head.ticket)
        size = self.options.batch_size
        batch = HostBatch(head.epoch, head.iteration, head.iteration * size, size, [], self._workers(head.slot))
        names = ", ".join(column.name for column in self.columns)
        name = names if failure.column is None else self.columns[failure.column].name
        origin = batch.origin(name, failure.position)
        original = getattr(self.producer, "original", None)
        if original is not None and (error := original(failure, origin)) is not None:
            return error
        if failure.kind == "raised":
            return SourceError(
                f"the source raised {failure.exception}: {failure.message}\n"
                f"Exception traceback received from worker:\n{failure.traceback}",
                origin,
            )
        kind: type[JaxDaliError] = SourceDataError if failure.kind == "data" else WorkerError
        return kind(failure.message, origin)

    def discard(self) -> None:
        """Takes back everything that was asked for. Slots that a worker is at come back when it is done."""
        while self._published:
            self._draining.append(self._published.popleft().slot)
        self._drain()

    def _drain(self) -> None:
        still = []
        for slot in self._draining:
            if self.ring.retire(slot):
                self.ring.release(slot)
            else:
                still.append(slot)
        self._draining = still

    def wait_for_slot(self) -> None:
        """Waits a moment for a slot to come free: one that a worker is at, of a batch that was taken back, or a leased one.

        Raises:
            WorkerError: a worker died; its slot never comes.
        """
        if self.producer.waits:
            self.producer.work(-1)
        self.ring.wait_event(LOOK_S)

    def close(self) -> None:
        """Ends the producer. Leased batches stay readable."""
        if not self._closed:
            self._closed = True
            self.producer.close()
