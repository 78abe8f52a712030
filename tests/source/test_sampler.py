import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxdali._feed.source.sampler import Permutation, SequentialSampler, ShardSampler, ShuffleSampler
from jaxdali.errors import ConfigError


def chi_square_excess(observed, expected):
    """Returns by how many standard deviations the chi-square statistic is above its mean."""
    statistic = ((observed - expected) ** 2 / expected).sum()
    freedom = observed.size - 1
    return (statistic - freedom) / np.sqrt(2 * freedom)


class TestPermutation:
    def test_every_length_to_2000_is_one_to_one(self):
        for length in range(2001):
            positions = np.arange(length)
            order = Permutation(length, length ^ 0x5EED)
            indices = order(positions)
            assert indices.dtype == np.int64
            np.testing.assert_array_equal(np.sort(indices), positions)
            np.testing.assert_array_equal(order.inverse(indices), positions)

    @given(st.integers(1, 2**62), st.integers(0, 2**128 - 1), st.data())
    @settings(max_examples=100, deadline=None)
    def test_any_length_and_key(self, length, key, data):
        positions = data.draw(st.lists(st.integers(0, length - 1), min_size=1, max_size=20))
        order = Permutation(length, key)
        indices = order(positions)
        assert indices.min() >= 0 and indices.max() < length
        assert len(set(indices.tolist())) == len(set(positions))
        np.testing.assert_array_equal(order.inverse(indices), positions)
        np.testing.assert_array_equal(order(order.inverse(positions)), positions)

    def test_a_position_depends_on_nothing_around_it(self):
        for length in (100, 10_000):
            order = Permutation(length, 3)
            whole = order(np.arange(length))
            for position in (0, 1, 57, length - 1):
                assert order(position) == whole[position]
            shuffled = np.random.default_rng(0).integers(0, length, (4, 5))
            np.testing.assert_array_equal(order(shuffled), whole[shuffled])
            np.testing.assert_array_equal(order(shuffled.astype(np.uint8)), whole[shuffled % 256])

    @pytest.mark.parametrize("length", [256, 257, 5000])
    def test_a_part_is_that_of_the_whole(self, length):
        order = Permutation(length, 7)
        whole = order(np.arange(length))
        for first, stop, stride in (
            (0, 32, 1),
            (length - 20, length, 1),
            (length // 3, length, 9),
            (0, length, length - 1),
        ):
            np.testing.assert_array_equal(order(np.arange(first, stop, stride)), whole[first:stop:stride])
        asked = order(np.arange(3))
        asked[:] = -1  # the caller may change the result
        np.testing.assert_array_equal(order(np.arange(3)), whole[:3])

    def test_golden(self):
        """These orders must never change: a resumed run must continue with the order that it started with."""
        assert Permutation(10, 7)(np.arange(10)).tolist() == [8, 6, 4, 0, 7, 1, 2, 5, 9, 3]
        far = Permutation(2**40, 7)([0, 1, 2**40 - 1])
        assert far.tolist() == [345349247175, 215241740786, 386161994916]
        assert Permutation(300, 2**127)([0, 1, 299]).tolist() == [203, 287, 187]

    @pytest.mark.parametrize("length", [257, 512, 513, 10_000, 2**33 + 1, 2**62])
    def test_the_network_is_as_it_is_written_down(self, length):
        order = Permutation(length, 11)
        keys, bits, all_bits = order.round_keys.tolist(), (length - 1).bit_length(), (1 << 64) - 1
        low_bits = (bits + 1) // 2

        def mixed(word, key, bits):
            word = (word + key) & all_bits
            word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & all_bits
            word = (word ^ word >> 27) * 0x94D049BB133111EB & all_bits
            return (word ^ word >> 31) & ((1 << bits) - 1)

        def moved(value):
            low, high = value & ((1 << low_bits) - 1), value >> low_bits
            for k in range(0, 8, 2):
                high ^= mixed(low, keys[k], bits - low_bits)
                low ^= mixed(high, keys[k + 1], low_bits)
            value = high << low_bits | low
            return value if value < length else moved(value)

        positions = [0, 1, 7, length // 2, length - 1]
        assert order(np.array(positions)).tolist() == [moved(position) for position in positions]

    @pytest.mark.parametrize("length", [2, 5, 16, 100, 257, 1000])
    def test_the_first_element_is_uniform_over_keys(self, length):
        often = 40 if length <= 100 else 10
        first = np.array([int(Permutation(length, key)(0)) for key in range(often * length)])
        assert chi_square_excess(np.bincount(first, minlength=length), often) < 4

    @pytest.mark.parametrize("length", [3, 4, 5])
    def test_every_order_comes_equally_often(self, length):
        orders = int(np.prod(np.arange(1, length + 1)))
        seen = {}
        for key in range(100 * orders):
            order = tuple(Permutation(length, key)(np.arange(length)))
            seen[order] = seen.get(order, 0) + 1
        assert len(seen) == orders
        assert chi_square_excess(np.array(list(seen.values())), 100) < 4

    @pytest.mark.parametrize("length", [300, 4096])
    def test_the_second_element_does_not_follow_the_first(self, length):
        pairs = np.array([Permutation(length, key)([0, 1]) for key in range(8000)])
        distance = (pairs[:, 1] - pairs[:, 0]) % length
        bins = np.bincount(distance * 16 // length, minlength=16)
        assert chi_square_excess(bins, 8000 / 16) < 5

    @pytest.mark.parametrize("length", [1000, 2**17, 10**6])
    def test_neighbours_are_uncorrelated(self, length):
        count = min(length, 100_000)
        indices = Permutation(length, 11)(np.arange(count))
        limit = 5 / np.sqrt(count)
        assert abs(np.corrcoef(indices[:-1], indices[1:])[0, 1]) < limit
        assert abs(np.corrcoef(indices, np.arange(count))[0, 1]) < limit

    @pytest.mark.parametrize(
        ("length", "key", "message"),
        [
            (-1, 0, "length is -1; expected 0 to"),
            (2**62 + 1, 0, "length is"),
            (2.5, 0, "length is 2.5; expected an integer"),
            (3, -1, "key is -1"),
            (3, 2**128, "key is"),
            (3, "a", "key is 'a'"),
        ],
    )
    def test_wrong_arguments(self, length, key, message):
        with pytest.raises(ConfigError, match=message):
            Permutation(length, key)

    @pytest.mark.parametrize("length", [10, 1000])
    @pytest.mark.parametrize(
        ("positions", "message"),
        [
            ([-1], "position -1 is outside of an epoch"),
            ([0, 1000], "position 1000 is outside of an epoch"),
            ([0.0], "positions have dtype float64"),
        ],
    )
    def test_wrong_positions(self, length, positions, message):
        order = Permutation(length, 0)
        for function in (order, order.inverse):
            with pytest.raises(ConfigError, match=message):
                function(positions)

    def test_an_empty_epoch(self):
        assert Permutation(0, 0)([]).shape == (0,)
        with pytest.raises(ConfigError, match="outside of an epoch of 0 samples"):
            Permutation(0, 0)([0])


class TestShuffleSampler:
    def test_each_epoch_is_another_whole_order(self):
        sampler = ShuffleSampler(500, seed=1)
        positions = np.arange(500)
        epochs = [sampler.indices(epoch, positions) for epoch in range(20)]
        for indices in epochs:
            np.testing.assert_array_equal(np.sort(indices), positions)
        agreements = [(a == b).sum() for k, a in enumerate(epochs) for b in epochs[:k]]
        # Two random orders agree at one position on average.
        assert abs(np.mean(agreements) - 1) < 0.4
        assert max(agreements) < 10

    def test_seeds_and_epochs_do_not_meet(self):
        positions = np.arange(50)
        orders = {
            tuple(ShuffleSampler(50, seed).indices(epoch, positions))
            for seed in (0, 1, 2, 2**63, 2**64 - 1)
            for epoch in (0, 1, 2, 2**32, 2**63)
        }
        assert len(orders) == 25

    def test_permutation_is_the_order(self):
        sampler = ShuffleSampler(1000, 3)
        positions = [5, 0, 999]
        np.testing.assert_array_equal(sampler.permutation(4)(positions), sampler.indices(4, positions))
        assert sampler.permutation(4).key == (3 << 64) | 4

    def test_the_other_process_computes_the_same(self):
        sampler = ShuffleSampler(2**40, 2**63 + 5)
        expected = sampler.indices(3, [0, 1, 2**39])
        program = (
            "import pickle, sys; sampler = pickle.loads(sys.stdin.buffer.read());"
            "print(*sampler.indices(3, [0, 1, 2**39])); assert 'jax' not in sys.modules"
        )
        result = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(sampler), capture_output=True)
        assert [int(index) for index in result.stdout.split()] == expected.tolist(), result.stderr

    def test_wrong_arguments(self):
        with pytest.raises(ConfigError, match="seed is -1"):
            ShuffleSampler(3, -1)
        with pytest.raises(ConfigError, match="epoch is -1"):
            ShuffleSampler(3, 0).indices(-1, [0])
        with pytest.raises(ConfigError, match=r"epoch is 0\.5"):
            ShuffleSampler(3, 0).indices(0.5, [0])
        with pytest.raises(ConfigError, match="position 3"):
            ShuffleSampler(3, 0).indices(0, [3])


class TestSequentialSampler:
    def test_keeps_the_order(self):
        sampler = SequentialSampler(10)
        got = sampler.indices(5, np.array([3, 9, 0], np.uint16))
        assert got.dtype == np.int64
        assert got.tolist() == [3, 9, 0]
        assert sampler.indices(0, []).tolist() == []

    def test_wrong_arguments(self):
        with pytest.raises(ConfigError, match="position 10 is outside of an epoch of 10 samples"):
            SequentialSampler(10).indices(0, [10])
        with pytest.raises(ConfigError, match="epoch is -1"):
            SequentialSampler(10).indices(-1, [0])
        with pytest.raises(ConfigError, match="length is -1"):
            SequentialSampler(-1)


@pytest.mark.parametrize("sampler", [SequentialSampler(7), ShuffleSampler(7, 3), Permutation(7, 3)])
def test_values(sampler):
    assert len(sampler) == sampler.length == 7
    assert pickle.loads(pickle.dumps(sampler)) == sampler
    with pytest.raises(AttributeError):
        sampler.length = 8


def test_numpy_integers_are_integers():
    assert ShuffleSampler(np.int64(7), np.uint8(3)) == ShuffleSampler(7, 3)


class TestShardSampler:
    def test_sizes_are_dalis(self):
        parts = [ShardSampler(SequentialSampler(13), k, 4) for k in range(4)]
        assert [part.bounds(0) for part in parts] == [(0, 3), (3, 6), (6, 9), (9, 13)]
        assert [len(part) for part in parts] == [3, 3, 3, 4]

    @given(st.integers(1, 400), st.data(), st.booleans(), st.integers(0, 7))
    @settings(max_examples=60, deadline=None)
    def test_the_parts_of_an_epoch_are_the_epoch(self, length, data, rotate, epoch):
        shards = data.draw(st.integers(1, length))
        whole = ShuffleSampler(length, 5)
        parts = [ShardSampler(whole, k, shards, rotate) for k in range(shards)]
        seen = []
        for part in parts:
            start, stop = part.bounds(epoch)
            seen.append(part.indices(epoch, np.arange(stop - start)))
        if rotate:  # shard k has what shard k + epoch has without rotation
            seen = [seen[(k - epoch) % shards] for k in range(shards)]
        np.testing.assert_array_equal(np.concatenate(seen), whole.indices(epoch, np.arange(length)))

    def test_bounds_of_billions_are_exact(self):
        part = ShardSampler(SequentialSampler(2**62), 6, 7)
        assert part.bounds(0) == (6 * 2**62 // 7, 2**62)
        assert part.indices(0, [len(part) - 1]).tolist() == [2**62 - 1]

    @pytest.mark.parametrize(
        ("shard", "shards", "words"),
        [
            (4, 4, "num_shards needs to be greater than shard_id"),
            (0, 14, "needs to be at least equal"),
            (-1, 2, "negative"),
        ],
    )
    def test_refused(self, shard, shards, words):
        with pytest.raises(ConfigError, match=words):
            ShardSampler(SequentialSampler(13), shard, shards)

    def test_a_position_outside_of_the_shard(self):
        with pytest.raises(ConfigError, match="outside"):
            ShardSampler(SequentialSampler(13), 0, 4).indices(0, [3])
