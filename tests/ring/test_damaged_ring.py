"""Shared memory may contain anything, because a worker can write anywhere in it: then either samples are within the
ring, or an error says what is wrong.
"""

from __future__ import annotations

import json

import damage_programs
import numpy as np
import pytest
from damage_programs import CLOSING, FORGERIES, Control, of_ring
from processes import run_program, start_program
from ring_programs import make_ring

from jaxdali._feed import _host
from jaxdali._feed.ring.slot_reader import RECORD
from jaxdali._feed.ring.worker_loop import DONE

MIB = 1 << 20


def complete(outputs: int = 1, encoded: bool = False, ragged: bool = False):
    """Returns a ring whose slot 0 is a complete batch of four samples, the slot, and its control block."""
    ring = make_ring(slots=2, chunks=1, outputs=outputs)
    slot = ring.take_free()
    ring.publish(slot, 1, 0, 0, 0, 4, [(encoded, None)] * outputs)
    _, _, chunk, ticket, *_ = _host.Claimant([ring], 1).next(0.0)
    for sample in range(4):
        size = 3 + sample % 2 if ragged else 3
        value = b"\xff\xd8\xff\xe0" if encoded else np.full((size, 2), sample, np.int32)
        assert ring.write(slot, chunk, sample, (value,) * outputs) == -1
    ring.finish(slot, chunk, ticket, 1, DONE)
    return ring, slot, of_ring(ring)


# READING


def test_what_the_ring_wrote_is_read():
    ring, slot, _ = complete()
    # Samples in the tail are not dense, so there is no dense layout (None).
    assert ring.read(slot, MIB)[:3] == (4, 256, [None])
    rows = np.frombuffer(ring.read(slot, MIB)[3], RECORD)
    assert rows["offset"].tolist() == [0, 64, 128, 192] and rows["dims"][:, :3].tolist() == [[3, 2, 0]] * 4


@pytest.mark.parametrize("sample", [0, 3])
@pytest.mark.parametrize(
    "forged",
    [
        {"offset": MIB},
        {"offset": 1 << 63},
        {"offset": 2**64 - 24},
        {"offset": 1 << 33},
        {"offset": 2},
        {"offset": 512 - 16},
        {"size_bytes": 1 << 62},
        {"size_bytes": 23},
        {"size_bytes": 0},
        {"dtype": 12},
        {"dtype": 255},
        {"dtype": 3},
        {"ndim": 9},
        {"ndim": 255},
        {"ndim": 1},
        {"flags": 1},
        {"flags": 0xFFFF},
        {"dims": (-3, -2)},
        {"dims": (1 << 40, 2)},
        {"dims": (1 << 62, 2)},
        {"dims": (1 << 62, 4), "size_bytes": 0},
        {"dims": (0, 1 << 63 - 1), "size_bytes": 0},
        {"dims": (1 << 40, 2), "size_bytes": 8 << 40},
    ],
    ids=str,
)
@pytest.mark.parametrize("ragged", [False, True])
def test_a_record_that_is_no_sample_of_the_slot_is_named(ragged, forged, sample):
    ring, slot, control = complete(outputs=2, ragged=ragged)
    record = control.records(slot)[1, sample]
    for field, value in forged.items():
        if field == "dims":
            record["dims"][: len(value)] = value
        else:
            record[field] = value
    with pytest.raises(_host.RingDamaged, match=f"sample {sample} of output 1 in slot 0 says") as raised:
        ring.read(slot, MIB)
    assert (raised.value.slot, raised.value.output, raised.value.sample) == (slot, 1, sample)


NO_PIXELS = [
    {"flags": 1, "ndim": 3, "size_bytes": 5, "dims": [1, 1, 5, *[0] * (_host.MAX_DIMS - 3)]},
    {"flags": 1, "ndim": 3, "size_bytes": 4, "dtype": 2, "dims": [1, 1, 1, *[0] * (_host.MAX_DIMS - 3)]},
]


@pytest.mark.parametrize(
    "forged", [{"flags": 1}, {"flags": 6 << 4}, {"dtype": 1}, {"offset": 8}, {"ndim": 2}, *NO_PIXELS], ids=str
)
def test_a_record_of_a_file_is_checked_as_one(forged):
    ring, slot, control = complete(encoded=True)
    assert np.frombuffer(ring.read(slot, MIB)[3], RECORD)["flags"].tolist() == [0] * 4
    for field, value in forged.items():
        control.records(slot)[0, 2][field] = value
    with pytest.raises(_host.RingDamaged, match="sample 2 of output 0"):
        ring.read(slot, MIB)


def test_a_dense_batch_ends_where_the_slot_does():
    ring = make_ring(slots=1, chunks=1)
    slot = ring.take_free()
    ring.publish(slot, 1, 0, 0, 0, 4, [(False, (0, [16]))])
    for sample in range(4):
        ring.write(slot, 0, sample, (np.full(16, sample, np.uint8),))
    assert ring.read(slot, MIB) == (4, 64, [(0, 0, (16,))], b"")
    records = of_ring(ring).records(slot)[0]
    records["offset"] += np.uint64(16)
    with pytest.raises(_host.RingDamaged, match=r"sample 3 of output 0 .* at 64"):
        ring.read(slot, MIB)


@pytest.mark.parametrize(("samples", "good"), [(4, True), (2, True), (0, True), (5, False), (2**32 - 1, False)])
def test_there_are_no_more_samples_than_were_asked_for(samples, good):
    ring, slot, control = complete()
    control.slot(slot, "samples", samples)
    if good:
        assert ring.read(slot, MIB)[0] == samples
    else:
        with pytest.raises(_host.RingDamaged, match=f"says that it has {samples} samples, expected 4"):
            ring.read(slot, MIB)


@pytest.mark.parametrize("tail", [0, 128, 2**64 - 1])
def test_all_samples_lie_in_what_was_laid_out(tail):
    ring, slot, control = complete()
    control.slot(slot, "tail", tail)
    if tail > 256:  # before it died, a worker may have reserved memory beyond the slot
        assert ring.read(slot, MIB)[1] == MIB
    else:
        with pytest.raises(_host.RingDamaged, match=f"in the {tail} bytes that were written"):
            ring.read(slot, MIB)


@pytest.mark.parametrize("capacity", [0, 3 * MIB, 1 << 35, 1 << 50, 2**64 - 1])
def test_a_slot_cannot_show_more_than_it_has(capacity):
    ring, slot, control = complete()
    control.slot(slot, "capacity", capacity)
    assert ring.capacities() == [MIB, MIB] and ring.lease(slot).capacity == MIB
    with pytest.raises(_host.RingDamaged, match=f"slot 0 says that it shows {capacity} bytes"):
        ring.show(slot, MIB)
    ring.show(slot, 2 * MIB)  # which corrects the damaged value
    assert ring.capacities() == [2 * MIB, MIB]


# WORDS AND EVENTS


@pytest.mark.parametrize(("ticket", "state"), [(1, 0), (1, 6), (1, 15), (2, 3), (0, 3)])
def test_a_word_of_another_batch_is_noticed(ticket, state):
    ring, slot, control = complete()
    control.word(slot, 0, ticket, 1, state)
    with pytest.raises(_host.RingDamaged, match="the word of chunk 0 in slot 0"):
        ring.state(slot)
    assert ring.retire(slot) or state == 2


def test_only_the_owner_closes_a_ring():
    ring = make_ring()
    slot = ring.take_free()
    ring.publish(slot, 1, 0, 0, 0, 4, [(False, None)])
    of_ring(ring).header(CLOSING, "I", 1)
    assert not ring.closing
    with pytest.raises(_host.RingDamaged, match="it was closed, and not by its owner"):
        ring.wait(slot, 0.0)
    assert ring.wait(slot, 0.0) == 0
    ring.close()
    assert ring.wait(slot, 0.0) == 0 and ring.closing


def test_a_plan_does_not_lead_out_of_the_slot():
    ring = make_ring(slots=1, chunks=1)
    slot = ring.take_free()
    ring.publish(slot, 1, 0, 0, 0, 4, [(False, (0, [16]))])
    control = of_ring(ring)
    plans = damage_programs.HEADER + damage_programs.round_up(damage_programs.SLOT_HEADER + 12)
    for offset in (1 << 50, 2**64 - 64, (1 << 30) - 32):
        control.header(plans, "Q", offset)
        with pytest.raises(_host.RingDamaged, match="the plan of output 0 does not lie in slot 0"):
            ring.write(slot, 0, 3, (np.zeros(16, np.uint8),))


@pytest.mark.parametrize("offset", [(8, "I", 1 << 20), (20, "I", 1 << 30), (24, "Q", 1 << 50)], ids=str)
def test_a_ring_that_is_larger_than_its_memory_is_not_attached(offset):
    ring = make_ring()
    of_ring(ring).header(*offset)
    with pytest.raises(_host.RingDamaged, match="larger than its memory"):
        _host.Ring.attach(ring.control_fd, ring.data_fd)


# PIPELINES


def right(first: int, count: int) -> list:
    return [
        [[index] * (2 + index % 2) for index in range(4 * batch, 4 * batch + 4)]
        for batch in range(first, first + count)
    ]


@pytest.mark.parametrize("what", FORGERIES)
def test_what_a_worker_forges_ends_in_an_error_that_names_it_or_in_right_samples(what):
    with start_program(damage_programs.forged, what) as process:
        output, errors = process.communicate(timeout=120)  # workers print there how they died
    assert process.returncode == 0, errors
    result = json.loads(output.splitlines()[-1])
    for found, expected in zip(result[:5], right(0, 5), strict=True):
        if found != expected:
            name, text = found
            assert name == "WorkerError" and "damaged the ring's memory" in text
            assert "output 'numbers'" in text
            assert "worker 0 (pid " in text or what == "closing", "any of them may have closed it"
    assert result[5:] == right(0, 2), "after reset all is well"
    if what in ("capacity", "words", "failed", "slot samples"):
        assert result[:5] != right(0, 5), "this cannot go unnoticed"


def test_the_parent_does_not_hand_out_memory_of_its_own():
    result = run_program(damage_programs.secret_of_the_parent)
    assert not result["leaked"]
    assert result["texts"] and all("worker 0 (pid " in text for text in result["texts"])


def test_the_layout_is_that_of_the_ring():
    """The other tests here write at the intended places only if this holds."""
    ring, slot, control = complete(outputs=2)
    assert (control.slots, control.chunks, control.outputs, control.batch_size) == (2, 1, 2, 4)
    assert isinstance(control, Control) and control.records(slot).tobytes() == ring.records(slot)
    control.slot(slot, "tail", 77)
    assert ring.used(slot) == 77
