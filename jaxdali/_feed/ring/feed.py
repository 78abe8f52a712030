"""Delivers one source's batches in order: publishes slots ahead, waits for the oldest, hands it out leased."""

# A batch is requested by `publish` and waits in `requested`; `take` waits for its chunks, has its files decoded, and
# hands it out as a `HostBatch` with a lease, whose end frees the slot. Slots of batches that failed, or that nobody wants,
# are in `_draining` until no worker fills them. docs/design/ring.md has a drawing. It relies on `Producer` and the ring.

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable, Sequence

from jaxdali._base.interruptions import is_interruption
from jaxdali._base.patience import Patience
from jaxdali.errors import JaxDaliError, StateError, WorkerError
from .. import _host
from ..source.source_kinds import Source
from .chunk_failures import damage_error, error_of
from .columns import Column
from .feed_options import FeedOptions, make_ring
from .file_decoders import DONE, EXHAUSTED, FAILED, PENDING, NoDecoders
from .host_batch import HostBatch
from .interpreter_end import stay_if_ending
from .producer import Producer
from .published import EpochStarts, Published, failed_chunk, plan_of
from .served_source import ServedSource
from .slot_reader import read_columns
from .slot_use import SlotUse
from .waiting import LOOK_S, patience_for_batch

__all__ = ["Feed"]


class Feed:
    """One source's ring, its columns, and its producer.

    An interrupt may arrive before any Python statement and after any native call. Ownership therefore changes only in
    statements that call nothing, or inside one native call, so an interrupt never loses a batch or a slot.

    Args:
        events: the ring of another feed of the same producer.
    """

    producer: Producer  # set before anything else
    files = NoDecoders()

    def __init__(
        self, source: Source, columns: Sequence[Column], options: FeedOptions, events: _host.Ring | None = None
    ):
        self.columns = list(columns)
        self.options = options
        self.use = SlotUse(len(columns), options.batch_size) if options.measured else None
        self.ring = make_ring(options, len(columns), events)
        self.served = ServedSource(self.ring, source, self.columns)
        self.copied_batches = self.left_over = 0  # the latter: samples before the end of the source that fill no batch
        self.requested: collections.deque[Published] = collections.deque()
        self._returned: collections.deque[HostBatch] = collections.deque()
        self._pending_error: BaseException | None = None  # of `take`, which reached nobody; after the returned batches
        # A stateful source is asked in turns: for the next one only when this one has ended (docs/design/ring.md).
        self._turn = 0
        self._at_end = False  # the turn ended
        # `restart` came behind a batch of this turn: if no other follows, the end belongs to the epoch before.
        self._may_end_before = False
        self._draining: list[int] = []
        self._spare: list[int] = []  # the slot that is being published
        self._plans: list[_host.Plan] = [(column.encoded, None) for column in columns]
        self._next_ticket = 1
        self._position = 0  # for an endless source: the next batch to request, in its stream, and where batches begin
        self._starts = EpochStarts(options.batch_size)
        self._only = tuple(options.only)  # the workers that still have data; the next batch is for the first of them
        self._capacity = 0
        self._closed = False

    @property
    def producers(self) -> list[Producer]:
        """What fills the slots, and what decodes in them."""
        return [self.producer, *self.files.producers]

    @property
    def published(self) -> int:
        """Number of batches requested and not yet taken."""
        return len(self._returned) + (self._pending_error is not None) + len(self.requested)

    @property
    def leased(self) -> int:
        """Number of slots that somebody is reading."""
        requested = len(self._spare)
        for entry in self.requested:
            requested += entry.slot is not None
        return self.ring.slots - self.ring.free_slots - requested - len(self._draining)

    def publish(self, epoch: int, iteration: int) -> bool:
        """Requests a batch. Returns False if every slot is in use, or the source is at its end."""
        if self._draining:
            self._drain()
        self.files.begin(self.requested)
        if self._at_end:
            return False
        size, length = self.options.batch_size, self.options.length
        if self.served.source.endless:
            epoch, iteration = 0, self._position
        elif self.served.source.stateful:
            epoch = self._turn
        samples = size if length is None else min(size, length - iteration * size)
        # If no worker has data left, publish nothing: with only=0 any of them would take it, and start its source anew.
        if samples <= 0 or (self.options.only and not self._only):
            self.requested.append(Published(None))
            return True
        if not self._spare:
            if not self.ring.free_slots:
                return False
            _host.append_result(self._spare, self.ring.take_free)
        slot = self._spare[0]
        only = self._only[0] if self._only else 0
        entry = Published(slot, self._next_ticket, epoch, iteration, self._position, only)
        try:
            if self.ring.ticket(slot) != entry.ticket:  # else it was published before an interrupt
                first = self._starts.first(iteration)
                self.ring.publish(slot, entry.ticket, epoch, iteration, first, samples, self._plans, entry.only)
        except RuntimeError as error:
            if is_interruption(error) or isinstance(error, JaxDaliError):
                raise
            raise WorkerError(str(error)) from error
        del self._spare[0]
        self._next_ticket += 1
        self._position += 1
        self._only = self._only[1:] + self._only[:1]
        self.requested.append(entry)
        return True

    def begin_epochs_at(self, batches: int, starts: Callable[[int], int]) -> None:
        """Makes the stream of an endless source begin anew after every `batches` batches, at sample `starts(epoch)`. Only
        before a batch behind the first epoch was taken.
        """
        self._starts = EpochStarts(self.options.batch_size, batches, starts)
        while self.requested and self.requested[-1].position >= batches:
            entry = self.requested.pop()
            self._position = entry.position
            if entry.slot is not None:
                self._draining.append(entry.slot)

    def ready(self) -> bool:
        """Whether `take` would return or raise without waiting for a worker."""
        if self._returned or self._pending_error is not None or self._at_end:
            return True
        if not self.requested:
            return False
        slot = self.requested[0].slot
        try:
            self.files.make(self.requested)
            state = EXHAUSTED if slot is None else self.ring.state(slot)
            if state != PENDING:
                return slot is None or state != DONE or self.files.state(slot) != PENDING
        except _host.RingDamaged:  # `take` will report it
            return True
        return not self.producer.waits and (self.producer.begun or self.served.source.ready)

    @property
    def supplied(self) -> bool:
        """Whether `take` would sooner or later return a batch, or raise an error that is already known."""
        known = bool(self._returned) or self._pending_error is not None
        return known or self.producer.begun or self.served.source.supplied

    def take(self, epoch: int, iteration: int) -> HostBatch | None:
        """Waits for the oldest requested batch. Returns None if none is requested any more; request one and call again.

        Args:
            epoch, iteration: labels for the next batch of a stateful or endless source; not used for other sources.

        Raises:
            StopIteration: the source is at its end.
            SourceError, WorkerError: the batch cannot be produced.
        """
        while not self._returned and (self._pending_error is not None or self._at_end or self.requested):
            if self._pending_error is not None:
                try:
                    raise self._pending_error
                finally:
                    self._pending_error = None
            if self._at_end:
                if not self._may_end_before:
                    raise StopIteration
                self._next_turn()
                continue
            head = self.requested[0]
            try:
                state = EXHAUSTED if head.slot is None else self._await(head.slot)
            except _host.RingDamaged as error:
                damage = damage_error(error, self._batch(head), self.columns)
                if error.slot is None:
                    raise damage from error
                self._give_up(head, damage)
                continue
            if state == EXHAUSTED and head.only and self._end_of_part(head):
                continue
            if state == EXHAUSTED:
                made = [] if head.slot is None or self.served.source.batch_mode else self.ring.chunk_info(head.slot)
                self.left_over = sum(at - start for start, *_, at in made)
                self._at_end = True
                continue
            assert head.slot is not None
            if self.served.source.stateful or self.served.source.endless:
                head.epoch, head.iteration = epoch, iteration
            if state == FAILED:
                # Stored without a call: if an interrupt comes, the failure is still in the ring, or stored here.
                self._pending_error = self._error(head, head.slot)
                self._give_up(head, self._pending_error)
                continue
            self._equalize(head, head.slot)
            try:
                batch = self._collect(head, head.slot)
            except Exception as error:  # a second try would fail in the same way
                if not is_interruption(error):
                    del self.requested[0]
                    head.lease.clear()
                raise
            self._may_end_before = False
            del self.requested[0]
            return batch
        if self._returned:
            batch = self._returned[0]
            batch.relabel(epoch, iteration, self.options.batch_size)
            del self._returned[0]
            return batch
        return None

    def _await(self, slot: int) -> int:
        state = self.ring.state(slot)
        patience: Patience | None = None
        while state == PENDING or self.producer.breaks(self.served, slot):
            self._check_open()
            self.producer.work(self.served, slot)
            state = self.ring.wait(slot, LOOK_S if self.producer.waits else 0.0)
            if state == PENDING and (self.producer.waits or not self.served.source.ready):
                patience = patience or patience_for_batch(self.served, self.producer.whereabouts, slot)
                patience.wait()
        self.producer.look()
        return self.files.wait(slot, self.requested, self._check_open) if state == DONE else state

    def _next_turn(self) -> None:
        """Lets the source be asked for what comes behind its end. May be called again after an interrupt."""
        # Requests behind the end find nothing.
        while self.requested:
            self._take_back()
        spare, self._spare = self._spare, []
        self._draining += spare
        self._only = tuple(self.options.only)
        self._turn += 1
        self._may_end_before = False
        self._at_end = False

    def _end_of_part(self, head: Published) -> bool:
        """Handles the end of one worker's part of a split source; returns True if others may have more."""
        assert head.slot is not None
        self._only = tuple(owner for owner in self._only if owner != head.only)
        others = any(entry.only != head.only for entry in self.requested)
        if not self._only and not others:
            return False
        del self.requested[0]
        self.ring.release(head.slot)
        return True

    def _give_up(self, head: Published, error: BaseException) -> None:
        """Gives up the oldest requested batch; `error` is raised in its place."""
        assert head.slot is not None
        self._pending_error = error
        del self.requested[0]
        self._draining.append(head.slot)

    def _equalize(self, head: Published, slot: int) -> None:
        # All slots show one capacity: it is the shape of an operand, and every new shape needs a compilation.
        capacity = max(self._capacity, *self.ring.capacities())
        try:
            self.ring.show(slot, capacity)
        except _host.RingDamaged as error:
            raise damage_error(error, self._batch(head), self.columns) from error
        self._capacity = capacity

    def _batch(self, head: Published) -> HostBatch:
        """Returns the batch of a slot with what is known before it is read."""
        size = self.options.batch_size
        chunks = [] if head.slot is None else self.ring.chunk_info(head.slot)
        workers = [(start, stop, *self.producer.worker_of(owner)) for start, stop, owner, _, _ in chunks]
        source, first = self.served.source, head.iteration * size
        position = self._starts.first(head.position) if source.endless else 0
        return HostBatch(head.epoch, head.iteration, first, size, [], workers, source, position, head.position)

    def _collect(self, head: Published, slot: int) -> HostBatch:
        ring, batch = self.ring, self._batch(head)
        if not head.lease:
            _host.append_result(head.lease, ring.lease, slot)
        lease = head.lease[0]
        columns, used = read_columns(ring, slot, self.columns, lease, batch, self._plans)
        if self.use is not None:
            self.use.add(columns, used - ring.holes(slot), ring.allocated[slot])
        if self.leased >= self.options.max_leased:
            lease = lease.copy(used)
            columns = [dataclasses.replace(column, lease=lease) for column in columns]
            self.copied_batches += 1
        batch.columns = columns
        if batch.samples:
            self._plans = [plan_of(column) for column in columns]
        return batch

    def _error(self, head: Published, slot: int) -> BaseException:
        own = None if self.ring.state(slot) == DONE else failed_chunk(self.ring, slot)
        failure = self.files.failure(slot) if own is None else None
        failure = failure or self.producer.failure(self.served, slot, own or 0, head.ticket)
        batch, names = self._batch(head), ", ".join(column.name for column in self.columns)
        batch.workers = [] if own is None else batch.workers
        origin = batch.origin(names if failure.column is None else self.columns[failure.column].name, failure.position)
        original = (self.files if own is None else self.producer).original(failure, origin)
        return error_of(failure, origin) if original is None else original

    def restart(
        self, unused: Sequence[HostBatch] = (), pending: BaseException | None = None, *, goes_on: bool = False
    ) -> None:
        """Begins a new epoch. Takes requested batches back; a slot that a worker is filling comes free when it is done.

        A source that goes on where it stood loses nothing: the batches it has made are kept, and come first. If it was
        at its end, or is when it is asked for the first batch, it is asked again.

        Args:
            unused: batches that were taken but reached nobody, oldest first.
            pending: what `take` raised after them, if it reached nobody.
            goes_on: the epoch ended within the data: then also a source goes on that begins anew whenever it is reset.
        """
        source = self.served.source
        if source.stateful and (goes_on or not source.begins_anew):
            if pending is not None and not isinstance(pending, StopIteration):
                self._pending_error = pending
            if not self.producer.lost(self.served):
                self._returned.extendleft([batch for batch in reversed(unused) if batch not in self._returned])
                if not self._at_end:
                    self._may_end_before = not self._returned
                elif not (self._returned and isinstance(pending, StopIteration)):
                    self._next_turn()
                return
        for position in self._positions(unused):
            # Later requests have higher positions, also if an interrupt makes this run again.
            self._position = min(self._position, position)
        self._returned.clear()
        self._next_turn()
        self._drain()

    def stream_position(self, unused: Sequence[HostBatch] = ()) -> int | None:
        """For an endless source, the stream index of the first batch that nobody got; None for a source with epochs."""
        return min([self._position, *self._positions(unused)]) if self.served.source.endless else None

    def seek_stream(self, position: int) -> None:
        """Makes an endless source continue at another batch of its stream. Only before anything was requested."""
        self._position = position

    def _positions(self, unused: Sequence[HostBatch]) -> list[int]:
        """For an endless source, the stream indices of the batches that nobody got."""
        if not self.served.source.endless:
            return []
        return [*(batch.number for batch in unused), *(entry.position for entry in self.requested)]

    def _take_back(self) -> None:
        head = self.requested[0]
        del self.requested[0]
        if head.slot is not None and not head.lease:
            self._draining.append(head.slot)

    def _drain(self) -> None:
        still = []
        for slot in self._draining:
            if self.ring.retire(slot) and self.files.retire(slot):
                self.ring.release(slot)
            else:
                still.append(slot)
        self._draining = still

    def wait_for_slot(self) -> None:
        """Waits a moment for a slot that is leased or being filled. WorkerError: its worker died for good."""
        self._check_open()
        if self.producer.waits:
            self.producer.work(self.served, None)
        self.ring.wait_event(LOOK_S)

    def _check_open(self) -> None:
        stay_if_ending()
        if self.ring.closing:
            raise StateError(
                "the pipeline or Loader was closed by another thread while waiting for a batch; make a new one"
            )

    def stop(self) -> None:
        """Makes threads that wait for a batch raise StateError, and the workers leave. Any thread may call it."""
        self.ring.close()

    def close(self) -> None:
        """Ends the producer. Leased batches stay readable. May be called again after an interrupt."""
        if not self._closed:
            self._pending_error = None  # its traceback holds frames, which hold this feed
            for producer in self.producers:
                producer.close()
            self._closed = True
