"""The ring alone: who gets which chunk, the states of slots, and where samples are placed."""

from __future__ import annotations

import os

import numpy as np
import pytest
import ring_programs
from hypothesis import given
from hypothesis import strategies as st
from processes import run_program
from ring_programs import make_ring

from jaxdali._feed import _host
from jaxdali._feed.ring.slot_reader import RECORD
from jaxdali._feed.ring.worker_loop import DONE, EXHAUSTED, FAILED
from jaxdali.types import DALIDataType, from_numpy_type, to_numpy_type

MIB = 1 << 20
PENDING, SLOT_DONE, SLOT_FAILED, SLOT_EXHAUSTED = range(4)
LOOSE = [(False, None)]


def publish(ring, ticket=1, samples=4, plans=LOOSE) -> int:
    slot = ring.take_free()
    ring.publish(slot, ticket, 5, 6, 100, samples, plans)
    return slot


def claim(ring, owner=1):
    claimed = _host.Claimant([ring], owner).next(0.0)
    return claimed and claimed[1:]


def finish(ring, claimed, state=DONE, owner=1) -> None:
    slot, chunk, ticket = claimed[:3]
    ring.finish(slot, chunk, ticket, owner, state)


def records(ring, slot, batch_size=4, outputs=1):
    return np.frombuffer(ring.records(slot), RECORD).reshape(outputs, batch_size)


def bytes_at(ring, slot, record) -> bytes:
    start = int(record["offset"])
    return bytes(memoryview(ring.lease(slot))[start : start + int(record["size_bytes"])])


def written(value, plans=LOOSE):
    """Returns a ring, a fresh slot, and the record of `value` as its sample 0."""
    ring = make_ring(batch_size=1, chunks=1)
    slot = publish(ring, samples=1, plans=plans)
    assert ring.write(slot, 0, 0, (value,)) == -1
    return ring, slot, records(ring, slot, 1)[0, 0]


# CLAIMS


def test_the_oldest_ticket_is_claimed_first_and_its_chunks_in_order():
    ring = make_ring(slots=3)
    slots = {ticket: publish(ring, ticket) for ticket in (8, 3, 5)}
    claims = [claim(ring) for _ in range(6)]
    assert [(c[2], c[1]) for c in claims] == [(t, chunk) for t in (3, 5, 8) for chunk in (0, 1)]
    assert [c[0] for c in claims] == [slots[c[2]] for c in claims]
    assert claims[0][3:] == (5, 6, 100, 0, 2)  # epoch, iteration, first sample, range
    assert claim(ring) is None


@given(samples=st.integers(1, 200), chunks=st.integers(1, 40))
def test_chunks_are_contiguous_larger_ones_first_and_cover_the_batch(samples, chunks):
    ring = make_ring(slots=1, chunks=chunks, batch_size=samples)
    publish(ring, samples=samples)
    ranges = []
    while (claimed := claim(ring)) is not None:
        ranges.append(claimed[-2:])
    sizes = [stop - start for start, stop in ranges]
    assert len(ranges) == min(samples, chunks)
    assert [start for start, _ in ranges] + [samples] == [0] + [stop for _, stop in ranges]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] - sizes[-1] <= 1


def test_a_batch_of_five_is_cut_as_in_dali():
    ring = make_ring(slots=1, batch_size=5)
    publish(ring, samples=5)
    assert [claim(ring)[-2:] for _ in range(2)] == [(0, 3), (3, 5)]


@pytest.mark.parametrize("kind", ["processes", "threads"])
def test_several_claimants_get_each_chunk_exactly_once(kind):
    result = run_program(ring_programs.race, kind)
    pairs = sorted((ticket, chunk) for _, ticket, chunk in result["claims"])
    batches, chunks = range(1, ring_programs.BATCHES + 1), range(ring_programs.CHUNKS)
    assert pairs == [(ticket, chunk) for ticket in batches for chunk in chunks]
    assert result["good"] and result["free"] == ring_programs.SLOTS


def test_a_claim_waits_for_work_no_longer_than_asked_and_ends_with_the_ring():
    ring = make_ring()
    claimant = _host.Claimant([ring], 1)
    assert claimant.next(0.01) is None and not ring.closing
    ring.close()
    publish(ring)
    assert claimant.next() is None and ring.closing


def test_owners_take_their_own_chunks_first_and_wait_before_they_take_others_of_kept_rings():
    ring = make_ring(chunks=2)
    for ticket in (1, 2):
        publish(ring, ticket)
    assert claim(ring, owner=2)[1:3] == (1, 1)
    kept = _host.Claimant([ring], 1, [True])
    assert [kept.next(0.0)[2:4] for _ in range(2)] == [(0, 1), (0, 2)]
    assert kept.next(0.0) is None  # what is left belongs to the other owner
    assert kept.next(5.0)[2:4] == (1, 2)  # who does not claim it in time


def test_what_one_owner_must_do_is_claimed_in_order_while_it_is_published():
    seen, published = ring_programs.order_of_claims(200)
    assert seen == published


# STATES


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ([None, None, None], PENDING),
        ([DONE, DONE, None], PENDING),
        ([None, FAILED, EXHAUSTED], PENDING),
        ([DONE, DONE, DONE], SLOT_DONE),
        ([DONE, FAILED, EXHAUSTED], SLOT_FAILED),
        ([DONE, EXHAUSTED, FAILED], SLOT_EXHAUSTED),
        ([FAILED, None, None], SLOT_FAILED),
        ([DONE, EXHAUSTED, None], SLOT_EXHAUSTED),
    ],
)
def test_the_first_chunk_that_is_not_done_decides(states, expected):
    ring = make_ring(slots=1, chunks=3)
    slot = publish(ring)
    for claimed, state in zip([claim(ring) for _ in states], states, strict=True):
        if state is not None:
            finish(ring, claimed, state)
    assert ring.state(slot) == ring.wait(slot, 0.0) == expected


def test_only_the_holder_finishes_a_chunk_and_only_once():
    ring = make_ring(slots=1, chunks=1)
    slot = publish(ring, ticket=4)
    with pytest.raises(RuntimeError, match="does not hold"):
        ring.finish(slot, 0, 4, 1, DONE)
    claimed = claim(ring, owner=1)
    for ticket, owner in ((4, 2), (3, 1)):
        with pytest.raises(RuntimeError, match="does not hold"):
            ring.finish(slot, 0, ticket, owner, DONE)
    assert ring.owned_by(1) == [(slot, 0)] and ring.owned_by(2) == []
    finish(ring, claimed)
    with pytest.raises(RuntimeError, match="does not hold"):
        finish(ring, claimed)
    assert ring.state(slot) == SLOT_DONE and ring.owned_by(1) == []


def test_retire_takes_back_what_nobody_has_started_and_waits_for_the_rest():
    ring = make_ring(slots=1)
    slot = publish(ring)
    held = claim(ring)
    assert not ring.retire(slot)
    assert claim(ring) is None  # the other chunk was retired
    finish(ring, held)
    assert ring.retire(slot)


def test_a_released_slot_comes_back_with_another_generation_and_a_copy_does_not_hold_it():
    ring = make_ring(slots=1)
    slot = publish(ring)
    assert ring.take_free() == -1 and ring.free_slots == 0
    lease = ring.lease(slot)
    view, copy = memoryview(lease), lease.copy(64)
    generation = lease.generation
    del lease
    assert view.readonly and ring.free_slots == 0
    del view
    assert ring.free_slots == 1 and bytes(memoryview(copy)[:64]) == bytes(64)
    assert ring.lease(ring.take_free()).generation > generation


# PLACES


def test_a_planned_batch_is_dense_and_what_does_not_fit_the_plan_goes_to_the_tail():
    ring = make_ring(slots=1, chunks=1, outputs=2)
    plans = [(False, (from_numpy_type(np.int16), [3])), (False, (from_numpy_type(np.uint8), []))]
    slot = publish(ring, plans=plans)
    other = [np.zeros(3, np.int32), np.zeros(2, np.int16), np.zeros((1, 3), np.int16)]
    for sample, value in enumerate([np.arange(3, dtype=np.int16), *other]):
        ring.write(slot, 0, sample, (value, np.uint8(sample)))
    rows = records(ring, slot, outputs=2)
    # The first output is at 0, the second at the next multiple of 64; then comes the tail, in units of 64.
    assert rows["offset"].tolist() == [[0, 128, 192, 256], [64, 65, 66, 67]]
    assert ring.used(slot) == 320
    assert [row["dims"][: row["ndim"]].tolist() for row in rows[0]] == [[3], [3], [2], [1, 3]]
    assert bytes_at(ring, slot, rows[0, 0]) == np.arange(3, dtype=np.int16).tobytes()


def test_a_slot_grows_in_place_by_classes_also_for_one_large_sample():
    ring = make_ring()
    assert ring.capacities() == [MIB, MIB]
    slot = publish(ring)
    small, large = np.arange(1000), np.arange(5 * MIB, dtype=np.uint8)
    ring.write(slot, 0, 0, (small,))
    before = ring.lease(slot)
    view = np.frombuffer(before, np.int64, 1000)
    ring.write(slot, 0, 1, (large,))
    assert ring.capacities()[slot] == 8 * MIB and ring.capacities()[1 - slot] == MIB
    after = ring.lease(slot)
    assert after.address == before.address and after.capacity == 8 * MIB
    np.testing.assert_array_equal(view, small)
    assert bytes_at(ring, slot, records(ring, slot)[0, 1]) == large.tobytes()


@pytest.mark.parametrize(("asked", "capacity"), [(0, 1), (1, 1), (MIB, 1), (MIB + 1, 2), (5 * MIB, 8)])
def test_capacities_come_in_powers_of_two_from_one_mebibyte(asked, capacity):
    assert make_ring(slots=1, capacity=asked).capacities() == [capacity * MIB]


def test_a_batch_beyond_the_address_space_of_a_slot_says_so():
    ring = make_ring(slots=1, stride=2 * MIB)
    slot = publish(ring)
    with pytest.raises(RuntimeError, match=r"needs 4194304 bytes, but a slot has .* 2097152"):
        ring.write(slot, 0, 0, (np.zeros(3 * MIB, np.uint8),))


# VALUES

NATIVE = [to_numpy_type(code) for code in DALIDataType if 0 <= code <= DALIDataType.BOOL]


@pytest.mark.parametrize("dtype", NATIVE, ids=lambda dtype: dtype.__name__)
def test_native_types_are_read_as_they_are(dtype):
    value = np.array([[0, 1, 2], [3, 1, 0]]).astype(dtype)
    ring, slot, record = written(value)
    assert record["dtype"] == from_numpy_type(dtype)
    assert record["dims"][: record["ndim"]].tolist() == [2, 3]
    assert bytes_at(ring, slot, record) == value.tobytes()


BASE = np.arange(24, dtype=np.int32).reshape(2, 3, 4)


@pytest.mark.parametrize(
    "value",
    [
        BASE.T,
        BASE[:, ::-1, ::2],
        np.broadcast_to(np.float32(3), (2, 3)),
        np.array(7, np.uint16),
        np.int8(-7),
        np.zeros((3, 0, 2), np.float16),
        np.zeros((1,) * 8, bool),
        memoryview(b"abc"),
        bytearray(b"abc"),
        b"",
    ],
    ids=["F", "strided", "stride 0", "0-d", "scalar", "empty", "8-d", "view", "bytes", "b''"],
)
def test_any_strides_and_ranks(value):
    files = isinstance(value, bytes | bytearray)
    expected = np.frombuffer(value, "B") if files else np.array(value)
    ring, slot, record = written(value)
    assert tuple(record["dims"][: record["ndim"]]) == expected.shape
    assert record["dtype"] == from_numpy_type(expected.dtype)
    assert bytes_at(ring, slot, record) == expected.tobytes()


@pytest.mark.parametrize(
    "value",
    [
        np.zeros(2, ">i4"),
        np.zeros(2, ">f8"),
        np.zeros(2, np.complex64),
        np.zeros(2, np.longdouble),
        np.array([None]),
        np.array(["a"]),
        np.zeros(2, [("a", "i4")]),
        np.zeros(2, "M8[s]"),
        np.zeros((1,) * 9),
        "text",
        3,
        [1, 2],
    ],
    ids=str,
)
def test_foreign_values_are_refused_at_their_output(value):
    ring = make_ring(outputs=2, batch_size=1, chunks=1)
    slot = publish(ring, samples=1, plans=LOOSE * 2)
    assert ring.write(slot, 0, 0, (np.int32(1), value)) == 1
    assert not ring.write_output(slot, 0, 1, value)
    assert ring.chunk_info(slot)[0][4] == 0  # the chunk is still at this sample


@pytest.mark.parametrize("value", [3, -(2**63), 2**63 - 1, True, False, 0.1, float("inf")], ids=str)
def test_numbers_of_python_are_taken_where_they_are_wanted(value):
    ring = make_ring(outputs=2, batch_size=1, chunks=1)
    slot = publish(ring, samples=1, plans=LOOSE * 2)
    assert ring.write(slot, 0, 0, (value, np.int32(1)), numbers=True) == -1
    expected, record = np.asarray(value), records(ring, slot, 1, 2)[0, 0]
    assert (int(record["dtype"]), int(record["ndim"])) == (int(from_numpy_type(expected.dtype)), 0)
    assert bytes_at(ring, slot, record) == expected.tobytes()


@pytest.mark.parametrize("value", ["3", None, [3], 2**63, -(2**63) - 1, 1j], ids=str)
def test_no_other_value_passes_for_a_number(value):
    ring = make_ring(batch_size=1, chunks=1)
    slot = publish(ring, samples=1, plans=LOOSE)
    assert ring.write(slot, 0, 0, (value,), numbers=True) == 0
    encoded = publish(ring, samples=1, plans=[(True, None)])
    assert ring.write(encoded, 0, 0, (3,), numbers=True) == 0


@pytest.mark.parametrize(
    ("value", "taken"),
    [
        (b"\xff\xd8\xff\xe0", True),
        (np.frombuffer(b"\xff\xd8", np.uint8), True),
        (b"\x89PNG", False),
        (b"", False),
        (np.full(3, 0xD8FF, np.uint16), False),
        (np.array([[0xFF, 0xD8]], np.uint8), False),
    ],
)
def test_an_encoded_output_takes_only_jpeg_by_itself(value, taken):
    ring = make_ring(batch_size=1, chunks=1)
    slot = publish(ring, samples=1, plans=[(True, None)])
    assert ring.write(slot, 0, 0, (value,)) == (-1 if taken else 0)
    # With RECORD_SEEN somebody has looked at it, and it is kept as it is.
    assert ring.write_output(slot, 0, 0, value, _host.RECORD_SEEN)
    assert records(ring, slot, 1)[0, 0]["flags"] == _host.RECORD_SEEN


@pytest.mark.parametrize("arguments", [(2, 0, 0), (0, 0, 4)])
def test_there_is_no_other_slot_or_sample(arguments):
    ring = make_ring()
    publish(ring)
    with pytest.raises(IndexError):
        ring.write(*arguments, (np.int32(1),))
    with pytest.raises(IndexError):
        ring.write(0, 0, 0, (np.int32(1), np.int32(2)))


# MEMORY


def test_the_memory_has_no_name_and_cannot_shrink():
    ring = make_ring()
    for fd in (ring.control_fd, ring.data_fd):
        assert os.readlink(f"/proc/self/fd/{fd}").startswith("/memfd:jaxdali-")
        with pytest.raises(PermissionError):
            os.ftruncate(fd, os.fstat(fd).st_size - 1)
        assert not os.get_inheritable(fd)


def test_only_a_ring_can_be_attached():
    ring = make_ring()
    with pytest.raises(RuntimeError, match="does not hold a ring"):
        _host.Ring.attach(ring.data_fd, ring.control_fd)


def test_address_space_is_taken_sparingly_where_it_is_limited():
    # Each of the two rings may take half of what is left, and JAX comes after them.
    extra_bytes = 6 * run_program(ring_programs.address_space_of_jax)
    assert extra_bytes < 64 << 30  # two slots of 16 GiB, mapped twice, would not fit
    result = run_program(ring_programs.limited_address_space, extra_bytes)
    assert result == {method: [[8, 9, 10, 11]] * 2 for method in ("fork", "spawn")}


def test_a_batch_that_is_done_again_may_have_all_its_samples_again():
    ring = make_ring(slots=1, chunks=1)
    slot = publish(ring)
    claim(ring, owner=1)
    ring.set_samples(slot, 2)
    assert ring.reopen(slot, 0, 1)
    assert claim(ring, owner=2)[-2:] == (0, 4)


def test_a_result_is_kept_only_if_there_is_one():
    ring, kept = make_ring(slots=2), []
    _host.append_result(kept, ring.take_free)
    _host.append_result(kept, divmod, 7, 4)
    assert kept == [0, (1, 3)] and ring.free_slots == 1
    with pytest.raises(StopIteration):
        _host.append_result(kept, next, iter(()))
    with pytest.raises(TypeError):
        _host.append_result((), ring.take_free)
    assert kept == [0, (1, 3)] and ring.free_slots == 1
