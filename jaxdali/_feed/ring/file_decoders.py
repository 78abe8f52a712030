"""The parent's side of files that other processes decode: asks for it, and waits."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Sequence

from jaxdali._base.patience import Patience
from jaxdali.errors import SampleOrigin
from .. import _host
from .failure_report import Failure
from .producer import Producer
from .published import Published, failed_chunk
from .served_source import ServedSource
from .waiting import patience_for_batch

__all__ = ["DONE", "EXHAUSTED", "FAILED", "PENDING", "FileDecoders", "NoDecoders"]

# How often it looks after the processes while it waits.
_LOOK_S = 0.02
# States of a slot, as `SlotState` in ffi/ring/ring.h.
PENDING, DONE, FAILED, EXHAUSTED = range(4)


class NoDecoders:
    """Stands for `FileDecoders` where a source stores no files that others decode."""

    producers: Sequence[Producer] = ()

    def begin(self, requested: Iterable[Published]) -> None:
        """Does nothing: there is nothing to decode."""

    def make(self, requested: Iterable[Published]) -> None:
        """Does nothing: nobody could decode meanwhile."""

    def state(self, slot: int) -> int:
        return DONE

    def wait(self, slot: int, requested: Collection[Published], check_open: Callable[[], None]) -> int:
        return DONE

    def failure(self, slot: int) -> Failure | None:
        """Returns None: nothing can fail."""
        return None

    def original(self, failure: Failure, origin: SampleOrigin) -> BaseException | None:
        """Returns None, as there is no failure."""
        return None

    def retire(self, slot: int) -> bool:
        return True


class FileDecoders(NoDecoders):
    """Has the files of a ring's slots decoded. It keeps nothing that an interrupt could break: whoever is interrupted asks
    again, and what was asked for before is not asked for twice.

    Args:
        target: the source whose files they are, with its ring.
        tasks: a `FileDecoding` with a ring whose slots are those of the target, by number.
        producer: fills the slots of `tasks`.
        maker: fills those of the target.
    """

    def __init__(self, target: ServedSource, tasks: ServedSource, producer: Producer, maker: Producer):
        self._producer, self.producers = producer, [producer]
        self._target, self._tasks, self._maker = target, tasks, maker
        self._begun = False  # there have been files
        self._plans: list[_host.Plan] = [(False, None) for _ in tasks.columns]

    def begin(self, requested: Iterable[Published]) -> None:
        """Asks for the files of those requested batches that the source has made."""
        with contextlib.suppress(_host.RingDamaged):  # whoever takes the batch will report it
            for entry in requested:
                if entry.slot is not None and self._target.ring.state(entry.slot) == DONE:
                    self.state(entry.slot)

    def make(self, requested: Iterable[Published]) -> None:
        """Has a source of this thread make the oldest of the requested batches that it has not made, so that there is
        something to decode while others are awaited. Whatever goes wrong is found by whoever takes that batch.
        """
        if self._maker.waits or not self._begun:
            return
        for entry in requested:
            if entry.slot is not None and self._target.ring.state(entry.slot) == PENDING:
                if self._target.source.ready:
                    self._maker.work(self._target, entry.slot)
                return

    def state(self, slot: int) -> int:
        """Returns the state of a slot whose source is done."""
        target, ring = self._target.ring, self._tasks.ring
        if not target.raw(slot):
            return DONE
        if ring.ticket(slot) != target.ticket(slot):
            self._producer.start()
            self._begun = True
            epoch, iteration, first = target.batch_info(slot)
            ring.copy_records(slot, target)  # which say where the files are
            samples = max(stop for _, stop, *_ in target.chunk_info(slot))
            ring.publish(slot, target.ticket(slot), epoch, iteration, first, samples, self._plans)
        return ring.state(slot)

    def wait(self, slot: int, requested: Collection[Published], check_open: Callable[[], None]) -> int:
        """Waits until the files of a slot are decoded, or cannot be.

        Args:
            requested: all batches that are requested, oldest first.

        Raises:
            WorkerError: processes died of a file.
        """
        patience: Patience | None = None
        target, tasks = self._target.ring, self._tasks
        while (state := self.state(slot)) == PENDING or (target.raw(slot) and self._producer.breaks(tasks, slot)):
            check_open()
            self._producer.work(tasks, slot)
            self._maker.look()
            self.make(requested)
            self.begin(requested)
            self._tasks.ring.wait(slot, _LOOK_S)
            patience = patience or patience_for_batch(self._tasks, self._producer.whereabouts, slot)
            patience.wait()
        return state

    def failure(self, slot: int) -> Failure | None:
        """Returns why files of a slot cannot be decoded; None if it is not known that they cannot."""
        ring, ticket = self._tasks.ring, self._target.ring.ticket(slot)
        if ring.ticket(slot) != ticket or ring.state(slot) != FAILED:
            return None
        return self._producer.failure(self._tasks, slot, failed_chunk(ring, slot), ticket)

    def original(self, failure: Failure, origin: SampleOrigin) -> BaseException | None:
        """Returns the error of a piece that processes died of; None for other failures."""
        return self._producer.original(failure, origin)

    def retire(self, slot: int) -> bool:
        """Takes back what nobody has begun in a slot. Returns whether nobody writes to it any more."""
        return self._tasks.ring.retire(slot)
