"""Rows that are made in one ring and stored in another one."""

from __future__ import annotations

import numpy as np
import pytest

from jaxdali._feed import _host
from jaxdali._feed.ring.feed_options import STRIDE
from jaxdali._feed.ring.file_decoders import DONE as BATCH_DONE

ROWS, OUTPUTS = 6, 4
DONE = _host.WORD_STATES.index("done")
# Numbers of one shape, arrays of several, files, and files that others are to decode.
ENCODED = (False, False, True, True)


def make_ring(chunks: int = 1) -> _host.Ring:
    return _host.Ring.create(1, chunks, OUTPUTS, ROWS, 0, STRIDE)


def publish(ring: _host.Ring, dense: bool = False) -> tuple[int, _host.Claimant]:
    slot = ring.take_free()
    plans = [(encoded, (3, (2,)) if dense and number == 0 else None) for number, encoded in enumerate(ENCODED)]
    ring.publish(slot, 1, 0, 0, 0, ROWS, plans)
    return slot, _host.Claimant([ring], 1)


def write(ring: _host.Ring, slot: int, row: int) -> None:
    draws = np.random.default_rng(row)
    ring.write_output(slot, row, 0, np.array([row, row + 7], np.uint64))
    ring.write_output(slot, row, 1, draws.random((row % 3, 5), np.float32))
    ring.write_output(slot, row, 2, draws.integers(0, 255, 30 + row, np.uint8), _host.RECORD_SEEN)
    ring.write_output(slot, row, 3, draws.integers(0, 255, 9, np.uint8), _host.RECORD_SEEN | _host.RECORD_RAW)


def contents(ring: _host.Ring, slot: int) -> list[bytes]:
    """What was stored for each output and row, in bytes, with the records' types, shapes and flags."""
    ring.show(slot, ring.used(slot))
    *_, layouts, records = ring.read(slot, ring.capacities()[slot])
    data = bytes(memoryview(ring.lease(slot)))
    found = []
    for output in range(OUTPUTS):
        for row in range(ROWS):
            if (layout := layouts[output]) is not None:
                kind, offset, shape = layout
                size = int(np.prod(shape)) * (8 if kind == 3 else 4)
                found.append(bytes([kind, *shape]) + data[offset + size * row :][:size])
                continue
            record = records[(output * ROWS + row) * _host.RECORD_SIZE :][: _host.RECORD_SIZE]
            offset, size = np.frombuffer(record, np.uint64, 2).tolist()
            found.append(record[16:20] + data[offset : offset + size])
    return found


@pytest.mark.parametrize("dense", [False, True], ids=["anywhere", "planned"])
def test_rows_are_stored_as_if_they_had_been_made_there(dense: bool) -> None:
    made, target = make_ring(), make_ring(chunks=2)
    publish(made)
    slot, claims = publish(target, dense)
    for _ in range(2):
        _, _, chunk, ticket, *_, start, stop = claims.next(0.0)
        for row in range(start, stop):
            write(made, 0, row)
        made.show(0, made.used(0))
        target.unpack_rows(slot, start, stop, made.pack_rows(0, start, stop), memoryview(made.lease(0)))
        target.finish(slot, chunk, ticket, 1, DONE)
        made = make_ring()
        publish(made)
    assert target.state(slot) == BATCH_DONE
    assert target.raw(slot) == ROWS

    direct = make_ring(chunks=2)
    slot, claims = publish(direct, dense)
    for row in range(ROWS):
        write(direct, slot, row)
    while (claim := claims.next(0.0)) is not None:
        direct.finish(slot, claim[2], claim[3], 1, DONE)
    assert contents(target, 0) == contents(direct, 0)


def test_whole_batches_and_empty_ones() -> None:
    for count in (4, 0):
        made, target = (_host.Ring.create(1, 1, 1, ROWS, 0, STRIDE) for _ in range(2))
        for ring in (made, target):
            ring.publish(ring.take_free(), 1, 0, 0, 0, ROWS, [(False, None)])
        batch = np.arange(count * 3, dtype=np.float32).reshape(count, 3)
        assert made.write_batch(0, 0, batch)
        made.set_samples(0, count)
        made.show(0, made.used(0))
        target.unpack_rows(0, 0, made.samples(0), made.pack_rows(0, 0, count), memoryview(made.lease(0)))
        target.set_samples(0, count)
        claim = _host.Claimant([target], 1).next(0.0)
        assert claim is not None
        target.finish(0, 0, 1, 1, DONE)
        target.show(0, target.used(0))
        samples, _, (layout,), _ = target.read(0, target.capacities()[0])
        assert samples == count
        if count:
            assert layout is not None and layout[2] == (3,)
            data = np.frombuffer(memoryview(target.lease(0)), np.float32)[layout[1] // 4 :]
            np.testing.assert_array_equal(data[: count * 3].reshape(count, 3), batch)


def test_what_is_not_of_these_rows_is_refused() -> None:
    made, target = make_ring(), make_ring()
    for ring in (made, target):
        publish(ring)
    for row in range(ROWS):
        write(made, 0, row)
    made.show(0, made.used(0))
    records, data = made.pack_rows(0, 0, ROWS), bytes(memoryview(made.lease(0)))[: made.used(0)]
    far = bytearray(records)
    far[:8] = (1 << 62).to_bytes(8, "little")
    kind = bytearray(records)
    kind[16] = 250
    many = bytearray(records)
    many[22:24] = b"\xff\xff"
    for wrong in (records[:-1], records + records[:88], far, kind, many):
        with pytest.raises(ValueError, match="not of these rows"):
            target.unpack_rows(0, 0, ROWS, bytes(wrong), data)
    with pytest.raises(ValueError, match="not of these rows"):
        target.unpack_rows(0, 0, ROWS, records, data[:-64])
    with pytest.raises(IndexError, match="no such rows"):
        target.unpack_rows(0, 0, ROWS + 1, records, data)
    with pytest.raises(TypeError, match="no contiguous buffer"):
        target.unpack_rows(0, 0, ROWS, records, np.zeros((8, 8), np.uint8)[:, ::2])
