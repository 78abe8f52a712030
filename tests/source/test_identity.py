"""What tells data and orders apart, for the states of Loaders."""

import pickle
import shutil

import front_sources
import numpy as np
import pytest
from front_sources import Rows
from hypothesis import given
from hypothesis import strategies as st
from webdataset_files import write_tar

from jaxdali import ConfigError, ConfigTypeError, source
from jaxdali._feed.source.digests import digest_of, stratified
from jaxdali._feed.source.source_identity import identity_of_data, identity_of_order


class Other(Rows):
    """Another class of data."""


class Versioned(Rows):
    def __init__(self, length, version):
        super().__init__(length)
        self.version = version

    def source_identity(self):
        return {"version": self.version}


class Moved:
    """A sampler whose order is another one at a single position."""

    def __init__(self, length, at=None):
        self.length, self.at = length, at

    def __len__(self):
        return self.length

    def indices(self, epoch, positions):
        return np.where(np.asarray(positions) == self.at, 7, positions)


A, B = Rows(40), Other(40)
X = np.arange(40)

# Data that differ from those of every other line.
DATA = {
    "rows": A,
    "more rows": Rows(41),
    "other rows": B,
    "version 1": Versioned(40, 1),
    "version 2": Versioned(40, 2),
    "arrays": source.Arrays(x=X),
    "arrays in another order": source.Arrays(x=X[::-1]),
    "arrays of another type": source.Arrays(x=X.astype(np.int32)),
    "arrays of another name": source.Arrays(y=X),
    "concat": source.concat(A, B),
    "concat the other way": source.concat(B, A),
    "mix": source.mix(A, B, weights=[1, 2]),
    "mix, other weights": source.mix(A, B, weights=[1, 2.0001]),
    "mix, weights of the epoch": source.mix(A, B, weights=lambda epoch: [1, 2]),
    "mix, other weights in a late epoch": source.mix(A, B, weights=lambda epoch: [1, 2 + (epoch == 255)]),
    "mix, weights of some epochs": source.mix(A, B, weights=lambda epoch: ([[1, 2]] * 9)[epoch]),
    "mix, other length": source.mix(A, B, weights=[1, 2], length=81),
    "first half": source.subset(A, slice(0, 20)),
    "second half": source.subset(A, slice(20, 40)),
    "every other": source.subset(A, slice(0, 40, 2)),
    "a list of the first half": source.subset(A, list(range(20))),
    "subset, two exchanged": source.subset(A, [1, 0, *range(2, 20)]),
    "filter": source.filter(source.Arrays(x=X), lambda sample: sample["x"] % 2 == 0),
    "another filter": source.filter(source.Arrays(x=X), lambda sample: sample["x"] % 2 == 1),
    "repeat": source.repeat(A, 2),
    "map with a version": source.map(A, abs, version=1),
    "map with another version": source.map(A, abs, version=2),
    "two maps with versions": source.map(source.map(A, abs, version=1), abs, version=2),
    "map in a mix": source.mix(source.map(A, abs, version=1), B, weights=[1, 2]),
    "pack": source.pack([X[:5], X[:3], X[:7]], 8),
    "pack in another order": source.pack([X[:5], X[:3], X[:7]], 8, seed=4),
    "a stream": source.Iterable(lambda: iter(A)),
    "a stream of shards": source.Iterable(lambda shard_id, num_shards: iter(A), shards=2),
    "a stream of batches": source.Iterable(lambda: iter([{"x": X}]), batched=True),
}
SAMPLERS = {
    "weights": source.WeightedSampler(np.ones(40)),
    "other weights": source.WeightedSampler(np.where(X == 7, 1.001, 1.0)),
    "last weight": source.WeightedSampler(np.where(X == 39, 1.001, 1.0)),
    "another seed": source.WeightedSampler(np.ones(40), seed=1),
    "another length": source.WeightedSampler(np.ones(40), length=39),
    "buckets": source.BucketSampler([*range(1, 41)], 4, (20, 40)),
    "other widths": source.BucketSampler([*range(1, 41)], 4, (10, 40)),
    "other lengths": source.BucketSampler([*range(2, 41), 40], 4, (20, 40)),
    "groups": source.RowGroupSampler(np.arange(0, 41, 8)),
    "some of groups": source.GroupSampler(np.arange(0, 41, 8)),
    "some of other groups": source.GroupSampler([0, 7, 16, 24, 32, 40]),
    "more of groups": source.GroupSampler(np.arange(0, 41, 8), take=2),
    "some of groups, another seed": source.GroupSampler(np.arange(0, 41, 8), seed=1),
    "other groups": source.RowGroupSampler(np.arange(0, 41, 4)),
    "together": source.RowGroupSampler(np.arange(0, 41, 8), together=2),
    "plain": Moved(40),
    "first moved": Moved(40, 0),
    "last moved": Moved(40, 39),
}


@pytest.mark.parametrize(("cases", "identity"), [(DATA, identity_of_data), (SAMPLERS, identity_of_order)])
def test_what_differs_is_told_apart_and_copies_are_not(cases, identity):
    found = {name: identity(case) for name, case in cases.items()}
    texts = {name: repr(value) for name, value in found.items()}
    assert len(set(texts.values())) == len(texts), [
        name for name in texts if list(texts.values()).count(texts[name]) > 1
    ]
    for name, case in cases.items():
        try:
            copy = pickle.loads(pickle.dumps(case))
        except (AttributeError, pickle.PicklingError):  # of a lambda
            continue
        assert identity(copy) == found[name], name


def test_functions_of_map_count_only_with_a_version():
    assert identity_of_data(source.map(A, abs)) == identity_of_data(source.map(A, lambda x: x)) == identity_of_data(A)
    assert identity_of_data(source.map(source.map(A, abs, version="a"), abs)) == identity_of_data(
        source.map(A, str, version="a")
    )
    with pytest.raises(ConfigError, match="the version must be a string or an integer"):
        source.map(A, abs, version=1.5)


def test_computed_floats_do_not_count():
    """Machines may differ in their last bits."""
    assert identity_of_data(source.Arrays(x=X / 3)) == identity_of_data(source.Arrays(x=X / 3 + 1e-9))


def test_an_identity_that_json_cannot_hold_is_refused():
    with pytest.raises(ConfigTypeError, match=r"Versioned.source_identity\(\) must return what JSON can hold"):
        identity_of_data(Versioned(4, {1, 2}))


def test_files_may_be_elsewhere(tmp_path):
    for root in ("a", "b/deeper"):
        for folder in ("a", "b"):
            (tmp_path / root / "train" / folder).mkdir(parents=True)
            for k in range(2):
                (tmp_path / root / "train" / folder / f"{k}.jpg").write_bytes(front_sources.FILES[k])
        write_tar(tmp_path / root / "one.tar", {f"{k}.txt": b"x" * k for k in range(1, 9)})
        for k in range(3):
            np.save(tmp_path / root / f"{k}.npy", np.arange(4))
    makers = {
        "images": lambda root: source.ImageFolder(root / "train"),
        "archive": lambda root: source.WebDataset([root / "one.tar"], ["txt"]),
        "arrays": lambda root: source.NumpyFiles([root / f"{k}.npy" for k in range(3)]),
    }
    a, b = tmp_path / "a", tmp_path / "b" / "deeper"
    for make in makers.values():
        assert identity_of_data(make(a)) == identity_of_data(make(b))
    before = identity_of_data(makers["images"](a))
    first = sorted((a / "train").glob("*/*.jpg"))[0]
    shutil.move(first, first.with_name("zz.jpg"))
    assert identity_of_data(makers["images"](a)) != before


@given(st.integers(1, 10**12))
def test_positions_are_stratified(length):
    positions = stratified(length)
    assert positions[0] == 0 and positions[-1] == length - 1 and (np.diff(positions) > 0).all()
    if length <= 4098:
        assert len(positions) == length
    else:
        assert 4096 <= len(positions) <= 4098
        assert np.diff(positions).max() <= 2 * -(-length // 4096)


@pytest.mark.parametrize("size", [1 << 10, 1 << 20, 1 << 22])
def test_a_changed_number_changes_the_digest(size):
    array = np.arange(size, dtype=np.int64)
    before = digest_of(array)
    for at in (0, 777, size - 1):
        changed = array.copy()
        changed[at] += 1
        assert digest_of(changed) != before
