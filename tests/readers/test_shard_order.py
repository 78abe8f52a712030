"""Streams of shards: which sample comes when, position by position."""

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxdali import ConfigError
from jaxdali._dali.readers.shard_order import ShardOrder, shard_bounds


def batches(order, count):
    size = order.batch_size
    return [tuple(order.indices(size * k, size).tolist()) for k in range(count)]


@st.composite
def orders(draw, **fixed):
    length = draw(st.integers(1, 40))
    num_shards = draw(st.integers(1, min(length, 7)))
    order = draw(st.sampled_from(["", "random_shuffle", "shuffle_after_epoch"]))
    arguments = {
        "length": length,
        "batch_size": draw(st.integers(1, 9)),
        "shard_id": draw(st.integers(0, num_shards - 1)),
        "num_shards": num_shards,
        "stick_to_shard": order != "shuffle_after_epoch" and draw(st.booleans()),
        "pad_last_batch": draw(st.booleans()),
        "seed": draw(st.integers(0, 2**64 - 1)),
    }
    if order:
        arguments[order] = True
    return ShardOrder(**{**arguments, **fixed})


def test_sizes_of_shards_are_dalis():
    assert [shard_bounds(k, 4, 13) for k in range(4)] == [(0, 3), (3, 6), (6, 9), (9, 13)]
    rotated = [[shard_bounds((k + epoch) % 4, 4, 13) for epoch in range(4)] for k in range(4)]
    assert [[stop - start for start, stop in shard] for shard in rotated] == [
        [3, 3, 3, 4],
        [3, 3, 4, 3],
        [3, 4, 3, 3],
        [4, 3, 3, 3],
    ]


@given(st.integers(1, 2**62), st.integers(1, 10**7))
def test_sizes_are_exact_for_any_number_of_samples(length, num_shards):
    ends = [shard_bounds(k, num_shards, length) for k in (0, num_shards // 2, num_shards - 1)]
    assert ends[0][0] == 0 and ends[-1][1] == length
    assert all(stop - start in (length // num_shards, -(-length // num_shards)) for start, stop in ends)


def test_a_stream_of_billions_is_as_exact_as_a_small_one():
    length, shards = 5_000_000_003, 7
    order = ShardOrder(length=length, batch_size=3, shard_id=6, num_shards=shards)
    start, _ = shard_bounds(6, shards, length)
    assert order.indices(length - start - 1, 3).tolist() == [length - 1, 0, 1]
    assert order.indices(10**8 * length + 5, 2).tolist() == [start + 5, start + 6]
    shuffled = dataclasses.replace(order, random_shuffle=True, seed=4)
    assert shuffled.indices(10**8 * length + 5, 1)[0] != start + 5
    assert 0 <= shuffled.indices(10**8 * length + 5, 1)[0] < length


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, [(0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (10, 11), (12, 0), (1, 2)]),
        (
            {"shard_id": 1, "num_shards": 4, "pad_last_batch": True},
            [(3, 4), (5, 5), (6, 7), (8, 8), (9, 10), (11, 12), (0, 1), (2, 2)],
        ),
        ({"num_shards": 4, "stick_to_shard": True}, [(0, 1), (2, 0), (1, 2)]),
        ({"shard_id": 3, "num_shards": 4}, [(9, 10), (11, 12), (0, 1)]),
    ],
    ids=str,
)
def test_streams_are_dalis(arguments, expected):
    assert batches(ShardOrder(length=13, batch_size=2, **arguments), len(expected)) == expected


@given(orders(), st.integers(0, 200), st.integers(0, 60))
def test_any_place_can_be_asked_for(order, first, count):
    whole = order.identities(0, first + count)
    np.testing.assert_array_equal(order.identities(first, count), whole[first:])
    np.testing.assert_array_equal(order.indices(first, count), whole[first:] % order.length)


@given(orders(stick_to_shard=False, pad_last_batch=True))
def test_padded_shards_share_each_epoch_and_repeat_their_last_sample(order):
    largest = -(-order.length // order.num_shards)
    taken = -(-largest // order.batch_size) * order.batch_size
    for epoch in range(2 * order.num_shards):
        seen = []
        for shard_id in range(order.num_shards):
            one = dataclasses.replace(order, shard_id=shard_id)
            shard = shard_id if order.sticks else (shard_id + epoch) % order.num_shards
            start, stop = shard_bounds(shard, order.num_shards, order.length)
            got = one.indices(epoch * taken, taken).tolist()
            seen += got[: stop - start]
            assert set(got[stop - start :]) <= {got[stop - start - 1]}
        assert sorted(seen) == list(range(order.length))


@given(orders(stick_to_shard=False, pad_last_batch=False, shuffle_after_epoch=False))
def test_without_gaps_every_pass_has_every_sample_once(order):
    start, _ = shard_bounds(order.shard_id, order.num_shards, order.length)
    for turn in range(3):
        first = turn * order.length + (order.length - start) % order.length
        assert sorted(order.indices(first, order.length).tolist()) == list(range(order.length))


@given(orders(pad_last_batch=False))
def test_who_sticks_to_a_shard_reads_as_much_again_and_again(order):
    """The same samples, unless the data are shuffled before they are cut; then together all shards have all samples."""
    if not order.sticks:
        order = dataclasses.replace(order, stick_to_shard=True)
    shards = [dataclasses.replace(order, shard_id=k) for k in range(order.num_shards)]
    sizes = [stop - start for start, stop in (shard_bounds(k, len(shards), order.length) for k in range(len(shards)))]
    for turn in range(3):
        visits = [one.indices(turn * size, size).tolist() for one, size in zip(shards, sizes, strict=True)]
        assert sorted(itertools.chain(*visits)) == list(range(order.length))
        if not order.shuffle_after_epoch:
            assert sorted(visits[0]) == sorted(shards[0].indices(0, sizes[0]).tolist())


@given(orders(stick_to_shard=False))
def test_no_two_samples_of_all_shards_have_one_identity(order):
    """At no time: a sample that comes again has new random numbers, also in another shard."""
    shards = [dataclasses.replace(order, shard_id=k) for k in range(order.num_shards)]
    seen = {}
    for number, shard in enumerate(shards):
        position = 0
        for visit in range(2 * len(shards)):
            which = number if order.sticks else (number + visit) % len(shards)
            start, stop = shard_bounds(which, len(shards), order.length)
            found = shard.identities(position, stop - start).tolist()
            indices = shard.indices(position, stop - start).tolist()
            for identity, index in zip(found, indices, strict=True):
                assert identity == visit * order.length + index
                assert seen.setdefault(identity, (number, visit)) == (number, visit)
            largest = -(-order.length // len(shards))
            whole = -(-largest // order.batch_size) * order.batch_size
            position += whole if order.pad_last_batch else stop - start


def test_orders_differ_between_passes_and_seeds_and_are_not_the_identity():
    order = ShardOrder(length=100, batch_size=10, random_shuffle=True, seed=1)
    passes = [tuple(order.indices(100 * k, 100).tolist()) for k in range(4)]
    passes.append(tuple(dataclasses.replace(order, seed=2).indices(0, 100).tolist()))
    passes.append(tuple(range(100)))
    assert len(set(passes)) == len(passes)


def test_shuffle_after_epoch_cuts_one_order_into_disjoint_shards():
    def shard(k, pad):
        return ShardOrder(
            length=24, batch_size=4, shard_id=k, num_shards=3, pad_last_batch=pad, shuffle_after_epoch=True, seed=9
        )

    for pad in (False, True):
        first = [shard(k, pad).indices(0, 8).tolist() for k in range(3)]
        assert sorted(itertools.chain(*first)) == list(range(24))
        assert list(itertools.chain(*first)) != list(range(24))
    second = [shard(k, True).indices(8, 8).tolist() for k in range(3)]
    assert sorted(itertools.chain(*second)) == list(range(24)) and second != first


def test_random_shuffle_mixes_the_shards_and_each_of_them():
    def visits(shard, seed):
        order = ShardOrder(
            length=400, batch_size=10, shard_id=shard, num_shards=4, stick_to_shard=True, random_shuffle=True, seed=seed
        )
        return [order.indices(100 * k, 100).tolist() for k in range(3)]

    first = visits(0, 1)
    assert len({tuple(visit) for visit in first}) == 3 and len({frozenset(visit) for visit in first}) == 1
    # Samples come from all over the data. The set must not depend on the seed, else processes with different seeds
    # overlap.
    assert min(first[0]) < 40 and max(first[0]) > 360
    assert set(visits(0, 2)[0]) == set(first[0]) and visits(0, 2)[0] != first[0]
    assert sorted(itertools.chain(*(visits(k, k)[0] for k in range(4)))) == list(range(400))


def test_numbers_of_numpy_are_numbers():
    plain = ShardOrder(length=3_000_000, batch_size=2, shard_id=999, num_shards=1000, random_shuffle=True, seed=7)
    numpys = ShardOrder(
        length=np.int64(3_000_000),
        batch_size=np.int8(2),
        shard_id=np.int32(999),
        num_shards=np.int32(1000),
        random_shuffle=True,
        seed=np.int64(7),
    )
    np.testing.assert_array_equal(plain.identities(10, 9), numpys.identities(10, 9))
    assert (plain.indices(0, 9) != dataclasses.replace(plain, seed=8).indices(0, 9)).any()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"num_shards": 2, "shard_id": 2}, "num_shards needs to be greater than shard_id"),
        ({"num_shards": 14}, "needs to be at least equal to the requested number of shards"),
        ({"random_shuffle": True, "shuffle_after_epoch": True}, "random_shuffle cannot be both true"),
        ({"stick_to_shard": True, "shuffle_after_epoch": True}, "stick_to_shard cannot be both true"),
        ({"num_shards": 0}, "num_shards must be an integer, at least 1"),
        ({"shard_id": -1}, "shard_id must be an integer, at least 0"),
    ],
    ids=str,
)
def test_refused(arguments, words):
    with pytest.raises(ConfigError, match=words):
        ShardOrder(length=13, batch_size=2, **arguments)
