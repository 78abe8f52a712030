"""How slots grow and shrink: which memory is allocated, counted, and returned to the system."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re

import numpy as np
import pytest
from ring_programs import LOCKED, make_ring, page_locking

from jaxdali._feed import _host
from jaxdali._feed.ring.worker_loop import DONE

MIB = 1 << 20
PATIENCE = 64  # batches before a slot may shrink


@contextlib.contextmanager
def buffers(growth=1.0, shrink=0.9):
    _host.set_buffers(growth, shrink)
    try:
        yield
    finally:
        _host.set_buffers(1.0, 0.9)


class Slot:
    """A ring of one slot, for batches of one sample."""

    def __init__(self, **options):
        self.ring = make_ring(slots=1, chunks=1, batch_size=1, **options)
        self._claims = _host.Claimant([self.ring], 1)
        self._ticket = 0

    def batch(self, size: int, times: int = 1) -> None:
        """Writes batches that need `size` bytes; checks that the last one is read as it was written."""
        value = np.zeros(size, np.uint8)
        for left in reversed(range(times)):
            self._ticket += 1
            assert self.ring.take_free() == 0
            self.ring.publish(0, self._ticket, 0, 0, 0, 1, [(False, None)])
            assert self._claims.next(0.0) is not None
            value[[0, -1]] = self._ticket % 251
            assert self.ring.write(0, 0, 0, (value,)) == -1
            self.ring.finish(0, 0, self._ticket, 1, DONE)
            lease = self.ring.lease(0)
            if not left:
                np.testing.assert_array_equal(np.frombuffer(lease, np.uint8, size), value)
            del lease

    @property
    def allocated(self) -> int:
        return self.ring.allocated[0]

    @property
    def system_bytes(self) -> int:
        return os.fstat(self.ring.data_fd).st_blocks * 512


@pytest.mark.parametrize(("factor", "expected"), [(1.0, 4), (1.3, 4), (1.4, 8), (4.0, 16)])
def test_a_slot_grows_by_the_factor_and_to_a_class(factor, expected):
    slot = Slot()
    with buffers(growth=factor):
        slot.batch(3 * MIB)
        assert slot.ring.capacities() == [slot.allocated] == [expected * MIB]
        slot.batch(expected * MIB)
    assert slot.ring.growths == 1


def test_the_factor_never_asks_for_more_than_the_address_space():
    slot = Slot(stride=4 * MIB)
    with buffers(growth=4.0):
        slot.batch(3 * MIB)
    assert slot.allocated == 4 * MIB


def test_a_slot_shrinks_to_what_its_batches_need_and_its_capacity_stays():
    slot = Slot()
    slot.batch(9 * MIB)
    assert slot.system_bytes == slot.allocated == 16 * MIB
    slot.batch(2 * MIB, PATIENCE - 1)
    assert slot.allocated == 16 * MIB, "a large batch is among those that were looked at"
    slot.batch(2 * MIB)
    assert slot.allocated == slot.system_bytes == 9 * MIB
    slot.batch(2 * MIB, PATIENCE)
    assert slot.allocated == slot.system_bytes == 2 * MIB
    assert slot.ring.capacities() == [16 * MIB], "the capacity is the shape of an operand"
    assert (slot.ring.growths, slot.ring.shrinks) == (1, 2)
    slot.batch(12 * MIB)
    assert slot.allocated == slot.system_bytes == 16 * MIB and slot.ring.growths == 2


def test_a_slot_that_grew_again_waits_twice_as_long():
    slot = Slot()
    slot.batch(4 * MIB)
    slot.batch(MIB, 2 * PATIENCE)
    assert slot.allocated == MIB
    slot.batch(4 * MIB)
    slot.batch(MIB, 3 * PATIENCE)
    assert slot.ring.shrinks == 1
    slot.batch(MIB, PATIENCE)
    assert slot.ring.shrinks == 2 and slot.allocated == MIB


@pytest.mark.parametrize(
    ("threshold", "need", "shrinks"), [(0.0, 4, 0), (0.5, 9, 0), (0.5, 7, 1), (0.9, 15, 0), (1.0, 15, 1)]
)
def test_the_threshold_is_a_part_of_what_the_slot_has(threshold, need, shrinks):
    slot, unit = Slot(), MIB // 4
    slot.batch(16 * unit)
    with buffers(shrink=threshold):
        slot.batch(need * unit, 2 * PATIENCE)
    assert (slot.ring.shrinks, slot.allocated) == (shrinks, (need if shrinks else 16) * unit)


def test_what_was_asked_for_to_begin_with_stays():
    slot = Slot(capacity=5 * MIB)
    slot.batch(MIB, PATIENCE + 1)
    assert slot.allocated == 5 * MIB and slot.ring.capacities() == [8 * MIB]
    slot.batch(5 * MIB)
    assert slot.ring.growths == 0


def test_page_locked_memory_does_not_shrink():
    LOCKED.clear()
    slot = Slot()
    slot.batch(4 * MIB)
    slot.batch(MIB, PATIENCE)
    assert slot.allocated == 4 * MIB
    slot.batch(MIB, PATIENCE)
    assert slot.allocated == MIB
    slot.ring.lease(0).lock(*page_locking())
    assert [4 * MIB] == LOCKED and slot.allocated == slot.system_bytes == 4 * MIB
    slot.batch(MIB, 4 * PATIENCE)
    assert slot.allocated == 4 * MIB and slot.ring.shrinks == 1


def store_files(ring, workers, claims, ticket, sizes, stops_after=None):
    """Has all workers store the files of a batch, in turn; returns what each file holds, or None if they stop before."""
    rows = len(sizes) // len(workers)
    assert ring.take_free() == 0
    ring.publish(0, ticket, 0, 0, 0, len(sizes), [(True, None)] * sizes.shape[1])
    starts = [claim.next(0.0)[7] for claim in claims]
    for step in range(rows if stops_after is None else stops_after):
        for worker, start in zip(workers, starts, strict=True):
            row = start + step
            files = tuple(np.frombuffer(b"\xff\xd8" + bytes([row % 256]) * (size - 2), np.uint8) for size in sizes[row])
            assert worker.write(0, start // rows, row, files) == -1
    for number, worker in enumerate(workers):
        worker.finish(0, number, ticket, number + 1, DONE)


@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize(("fill", "together"), [(0.85, 0.0), (0.6, 0.4), (0.4, 0.6)])
def test_files_that_workers_store_for_gpus_lie_together_where_there_is_room(fill, together, outputs):
    capacity, batch_size, chunks, draws = 4 * MIB, 96, 6, np.random.default_rng(7)
    ring = make_ring(slots=1, chunks=chunks, outputs=outputs, batch_size=batch_size, capacity=capacity)
    workers = [_host.Ring.attach(ring.control_fd, ring.data_fd) for _ in range(chunks)]
    claims = [_host.Claimant([worker], owner + 1) for owner, worker in enumerate(workers)]
    mean = fill * capacity / batch_size / outputs
    apart, breaks, holes = outputs * batch_size - 1, [], []
    for ticket in range(1, 41):
        sizes = (draws.gamma(8, mean / 8, (batch_size, outputs)) + 4).astype(int)
        if ticket % 7 == 0:
            sizes[0] = 5 * mean  # what the first file is like says nothing of the others
        given_up = ticket % 9 == 0
        store_files(ring, workers, claims, ticket, sizes, 3 if given_up else None)
        lease = ring.lease(0)
        lease.lock(*page_locking())
        if given_up:
            del lease
            continue
        offsets = (
            np.frombuffer(ring.read(0, capacity)[3], np.uint64).reshape(outputs, batch_size, -1)[..., 0].astype(int)
        )
        for row in range(batch_size):
            for output in range(outputs):
                file = np.frombuffer(lease, np.uint8, sizes[row, output], offsets[output, row])
                assert file[:2].tolist() == [0xFF, 0xD8] and (file[2:] == row).all()
        del file, lease
        writers = np.argsort(offsets.ravel()) // (batch_size // chunks)  # an output of a chunk
        breaks.append(int((np.diff(writers) != 0).sum()))
        holes.append(ring.holes(0))
    assert breaks[0] == apart and holes[0] == 0, "nobody has locked the slot"
    assert np.mean(breaks[1:]) <= (1 - together) * apart
    # Holes are only where there is room: without them, no batch needs more than there is.
    assert ring.growths == 0 and ring.capacities() == [capacity]
    assert 0 <= min(holes) and max(holes) < 0.25 * capacity and all(ring.used(0) >= hole for hole in holes)


def test_a_process_that_crashes_does_not_dump_slots():
    ring = make_ring(stride=1 << 34)
    attached = _host.Ring.attach(ring.control_fd, ring.data_fd)
    flags, name = [], ""
    for line in pathlib.Path("/proc/self/smaps").read_text().splitlines():
        name = line if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line) else name
        if line.startswith("VmFlags:") and "memfd:jaxdali-data" in name:
            flags.append(line.split()[1:])
    # To dump a hole of a memory file, the kernel fills it: 16 GiB for each slot.
    assert len(flags) >= 2 and all("dd" in of_mapping for of_mapping in flags)
    del attached
