"""A limit for one item of a stream: neither a slow batch nor resuming exceeds it, and what is stuck is named."""

from __future__ import annotations

import socket

import pytest
import slow_streams
from processes import run_program

from jaxdali._feed import _host
from jaxdali._feed.processes.hang_watch import Watch
from jaxdali._feed.processes.items import ItemTeller, item_of, read_item
from jaxdali._feed.processes.messages import MessageReader, offer_message, send_message
from jaxdali._feed.processes.worker_state import Member
from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.served_source import ServedSource
from jaxdali._feed.source.source_kinds import Source

ROWS = 4


class Alone(Source):
    alone, outputs, description = True, 1, "a stream"


def test_a_slow_stream_comes_and_an_item_that_is_stuck_is_named():
    result = run_program(slow_streams.read, timeout_s=120)
    assert result["seen"] == list(range(slow_streams.ROWS))
    assert "made no progress for 1 s (worker_timeout_s)" in result["stuck"]
    assert f"sample {slow_streams.STUCK}, iteration 1" in result["stuck"]
    assert f"has been in item {slow_streams.STUCK} of the stream for" in result["line"]


def test_a_stream_may_take_any_time_to_resume_but_not_for_one_item():
    result = run_program(slow_streams.resume, timeout_s=120)
    assert result["first"] == 2 * slow_streams.ROWS
    assert f"and read item {slow_streams.STUCK} of the stream" in result["stuck"]
    assert f"sample {slow_streams.STUCK}, iteration 2" in result["stuck"]
    assert f"has been in item {slow_streams.STUCK} of the stream for" in result["line"]


@pytest.fixture
def reading():
    """A worker's teller, which sends at most one message unless it must; the parent's reader; and the source."""
    ring = _host.Ring.create(slots=2, chunks=1, outputs=1, batch_size=ROWS, capacity=4096, stride=1 << 20)
    ours, theirs = socket.socketpair()
    served = ServedSource(ring, Alone(), [Column(name="data")])
    slot = ring.take_free()
    ring.publish(slot, 7, 0, 5, 20, ROWS, [(False, None)], 0)
    claim = _host.Claimant([ring], 1, [False]).next(0.0)
    teller = ItemTeller(0, served, theirs, 1000.0)
    teller._every_s = 1000.0
    teller.begin(claim)
    with ours, theirs:
        yield teller, MessageReader(ours), served, slot, claim
    ring.close()


def names(reading, index: int, count: int, shard: int | None = None) -> list[str | None]:
    """Reads items, and returns what the parent calls each of them while it is read."""
    teller, reader, served, slot, _ = reading
    read, found = None, []

    def items():
        nonlocal read
        for _ in range(count):
            for message in reader.read():
                read = read_item(message, [served])
            item = item_of(read, served, slot, 0)
            found.append(None if item is None else item[1])
            yield 0

    assert list(teller.items(items(), index, shard)) == [0] * count
    return found


def test_items_of_a_batch_need_no_message(reading):
    _, reader, served, slot, _ = reading
    assert names(reading, 20, 3) == [None] * 3
    assert served.ring.chunk_info(slot)[0][4] == 3 and reader.read() == []


def test_other_items_are_named_until_the_positions_of_the_chunk_end(reading):
    assert names(reading, 0, 6) == [
        *(f"item {k} of the stream" for k in range(ROWS)),
        *[f"item {ROWS} or a later one of the stream"] * 2,
    ]


def test_items_of_shards_are_named(reading):
    assert names(reading, 20, 2, 0) == ["item 20 of shard 0 of the stream", "item 21 of shard 0 of the stream"]
    assert names(reading, 30, 1, 1) == ["item 30 of shard 1 of the stream"]


def test_after_the_last_item_the_position_is_that_of_the_rows(reading):
    teller, reader, served, slot, _ = reading
    names(reading, 0, 2)
    teller.done()
    read = [read_item(message, [served]) for message in reader.read()]
    assert item_of(read[-1], served, slot, 0) is None and served.ring.chunk_info(slot)[0][4] == 0


def test_a_message_about_no_source_or_another_batch_is_about_nothing(reading):
    _, _, served, slot, _ = reading
    message = {"source_index": 1, "slot": slot, "ticket": 7, "item": 3, "shard": None}
    assert read_item(message, [served]) is None
    for other in ({"ticket": 6}, {"slot": 1 - slot}):
        assert item_of(read_item({**message, "source_index": 0, **other}, [served]), served, slot, 0) is None


def test_a_worker_that_tells_of_items_makes_progress(reading):
    _, _, served, slot, _ = reading
    watch, now = Watch([served], 1, 5.0), [0.0]
    watch._clock = lambda: now[0]
    assert served.source.item_limit_s == 5.0
    member = Member(began_loading=True, loaded=True)
    message = {"source_index": 0, "slot": slot, "ticket": 7, "item": 3, "shard": None}
    for _ in range(4):
        now[0] += 4.0
        member.reads = read_item(message, [served])
        assert watch.hung({0: member}, [0]) == {}
    now[0] += 5.1
    assert "made no progress for 5 s" in watch.hung({0: member}, [0])[0]


def test_an_offered_message_waits_for_nobody_and_arrives_whole_or_not_at_all():
    ours, theirs = socket.socketpair()
    message = {"type": "item", "source_index": 0, "slot": 0, "ticket": 1, "item": 5, "shard": None}
    with ours, theirs:
        sent = 0
        while offer_message(theirs, message):
            sent += 1
        reader = MessageReader(ours)
        assert reader.read() == [message] * sent
        send_message(theirs, {"type": "ready"})
        assert reader.read() == [{"type": "ready"}]
