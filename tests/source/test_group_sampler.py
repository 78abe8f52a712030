"""`source.GroupSampler`: which samples of each group come, as functions of (seed, epoch, position)."""

import json
import pickle

import jax
import numpy as np
import pytest
from front_sources import Rows
from hypothesis import given
from hypothesis import strategies as st
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali import ConfigError, Loader
from jaxdali.source import GroupSampler


def visits(sampler, epoch):
    return sampler.indices(epoch, np.arange(len(sampler))).reshape(-1, sampler.take)


SIZES = st.lists(st.integers(0, 9), min_size=1, max_size=12).filter(any)


@given(SIZES, st.integers(1, 20), st.integers(0, 1 << 63), st.integers(0, 3))
def test_an_epoch_visits_each_group_once_and_takes_each_sample_equally_often(sizes, take, seed, epoch):
    groups = np.cumsum([0, *sizes])
    sampler = GroupSampler(groups, take, seed)
    found = visits(sampler, epoch)
    assert found.dtype == np.int64 and len(sampler) == sampler.length == take * np.count_nonzero(sizes)
    visited = np.searchsorted(groups, found[:, 0], "right") - 1
    assert sorted(visited) == np.flatnonzero(sizes).tolist()
    for group, samples in zip(visited, found, strict=True):
        counts = np.bincount(samples - groups[group], minlength=sizes[group])
        assert len(counts) == sizes[group] and np.ptp(counts) <= 1 and counts.sum() == take
        for first in range(0, take, sizes[group]):  # all of them, before one comes again
            turn = samples[first : first + sizes[group]]
            assert len({*turn.tolist()}) == len(turn)
    places = np.random.default_rng(0).integers(0, len(sampler), 30)
    for some in (places, places.reshape(5, 6), places[:1], places[0]):  # as those of the other samplers do
        np.testing.assert_array_equal(sampler.indices(epoch, some), found.reshape(-1)[some], strict=True)


def test_large_groups_and_whole_ones_are_permuted():
    sampler = GroupSampler([0, 1000, 2000, 3000], take=1000, seed=2)
    assert sorted(sampler.indices(1, np.arange(3000)).tolist()) == [*range(3000)]


@pytest.mark.parametrize("take", [1, 2])
def test_draws_are_even_and_differ_by_epoch_group_and_seed(take):
    sampler = GroupSampler([0, 5, 10, 15, 20], take=take)
    epochs = [visits(sampler, epoch) for epoch in range(4000)]
    counts = np.bincount(np.concatenate(epochs).reshape(-1), minlength=20)
    # Five standard deviations of a binomial draw.
    np.testing.assert_allclose(counts, take * 800, atol=5 * np.sqrt(4000 * 0.2 * 0.8 * take))
    orders = np.stack([epoch[:, 0] // 5 for epoch in epochs])
    assert len(np.unique(orders, axis=0)) == 24, "each order of four groups"
    firsts = np.stack([epoch[np.argsort(epoch[:, 0] // 5), 0] % 5 for epoch in epochs])
    assert len(np.unique(firsts[:, :3], axis=0)) == 5**3, "what one group gives says nothing of the others"
    assert (visits(GroupSampler([0, 5, 10, 15, 20], take, seed=1), 0) != epochs[0]).any()
    assert sampler.indices(0, []).tolist() == []


def make(parts=0, **options):
    if parts:
        options["sharding"] = NamedSharding(Mesh(np.array(jax.devices("cpu")[:parts]), "x"), PartitionSpec("x"))
    sampler = GroupSampler([0, 4, 6, 6, 13, 20], take=3, seed=5)
    return Loader(Rows(20), batch_size=8, sampler=sampler, epochs=3, **{"workers": 0, **options})


@pytest.mark.parametrize(("parts", "workers"), [(0, 2), (2, 0), (4, 0)])
def test_a_loader_resumes_it_anywhere(parts, workers):
    first = make()
    straight, records = [], [first.get_state()]
    for batch in first:
        straight.append(np.asarray(batch)[:, 0].tolist())
        records.append(json.loads(json.dumps(first.get_state())))
    assert len(straight) == 6 and straight[0] != straight[2]
    with make(parts, workers=workers) as loader:
        for step in (4, 1, 0):
            loader.set_state(records[step])
            assert [np.asarray(batch)[:, 0].tolist() for batch in loader] == straight[step:]


def test_it_is_copied_and_refused_by_value():
    sampler = GroupSampler([0, 4, 6], 2)
    np.testing.assert_array_equal(visits(pickle.loads(pickle.dumps(sampler)), 3), visits(sampler, 3))
    assert repr(sampler) == "GroupSampler(2 groups, take=2, seed=0)" and sampler.samples == 6
    for wrong in ([], [0], [1, 2], [0, 3, 2], [0, 0], [0.0, 2.0], [[0, 2]], "ab", [[0], [1, 2]]):
        with pytest.raises(
            ConfigError, match=r"GroupSampler expects where each group begins, .* as VideoClips\.groups"
        ):
            GroupSampler(wrong)
    for arguments, words in (({"take": 0}, "take must be an integer, at least 1"), ({"seed": -1}, "seed must be")):
        with pytest.raises(ConfigError, match=words):
            GroupSampler([0, 2], **arguments)
    with pytest.raises(ConfigError, match="position 4 is outside"):
        sampler.indices(0, [4])
    with pytest.raises(ConfigError, match="was made for 6 samples, but the data have 7"):
        Loader(Rows(7), sampler=sampler, batch_size=2, workers=0)
