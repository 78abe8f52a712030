"""Packed rows and bucketed batches have every token once, wherever a Loader starts."""

import pickle

import jax
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali import ConfigError, Loader, SourceDataError, source
from jaxdali.source import BucketSampler, pack

LENGTHS = np.random.default_rng(0).integers(1, 17, 60)
TEXTS = [1000 * k + np.arange(size) for k, size in enumerate(LENGTHS)]


def first_fit(sizes, room):
    """The rule itself, applied row by row."""
    rows = []
    for number, size in enumerate(sizes):
        row = next((row for row in rows if sum(sizes[k] for k in row) + size <= room), None)
        if row is None:
            rows.append(row := [])
        row.append(number)
    return rows


def unpacked(row):
    for number in range(1, row["segment_ids"].max() + 1):
        where = row["segment_ids"] == number
        np.testing.assert_array_equal(row["positions"][where], np.arange(where.sum()))
        yield row["ids"][where].tolist()
    assert not row["ids"][row["segment_ids"] == 0].any()


def test_rows_are_those_of_first_fit():
    packed = pack(TEXTS, 20)
    expected = first_fit(LENGTHS.tolist(), 20)
    assert len(packed) == len(expected) < 40
    for row, samples in enumerate(expected):
        assert list(unpacked(packed[row])) == [TEXTS[k].tolist() for k in samples]
    again = pack([{"ids": text, "weight": text / 2} for text in TEXTS], 20, lengths=LENGTHS)
    np.testing.assert_array_equal(again[3]["ids"], packed[3]["ids"])
    np.testing.assert_array_equal(again[3]["weight"], packed[3]["ids"] / 2)
    others = pack(TEXTS, 20, seed=1)
    assert sorted(text for k in range(len(others)) for text in unpacked(others[k])) == [t.tolist() for t in TEXTS]
    assert any(not np.array_equal(others[k]["ids"], packed[k]["ids"]) for k in range(len(packed)))


def test_long_samples_are_cut():
    packed = pack(TEXTS, 6, split=True)
    pieces = [text[first : first + 6].tolist() for text in TEXTS for first in range(0, len(text), 6)]
    assert sorted(text for k in range(len(packed)) for text in unpacked(packed[k])) == sorted(pieces)


def test_a_loader_goes_on_with_them_on_other_devices():
    data = source.map(pack(TEXTS, 32), lambda row: {**row, "n": row["segment_ids"].max()})
    options = {"batch_size": 4, "shuffle": True, "seed": 2, "epochs": 2, "workers": 0}
    whole = [jax.tree.map(np.asarray, batch) for batch in Loader(data, **options)]
    sharding = NamedSharding(Mesh(np.array(jax.devices("cpu")[:4]), "x"), PartitionSpec("x"))
    loader = Loader(data, sharding=sharding, **options)
    loader.seek(2)
    assert len(whole) > 4
    for batch, expected in zip(loader, whole[2:], strict=True):
        jax.tree.map(np.testing.assert_array_equal, batch, expected)


@pytest.mark.parametrize("seed", [0, 7])
def test_buckets(seed):
    sampler = BucketSampler(LENGTHS, 4, (4, 8, 16), seed)
    data = [{"ids": text, "k": k} for k, text in enumerate(TEXTS)]
    loader = Loader(data, batch_size=4, sampler=sampler, ragged={"ids": (4, 8, 16)}, epochs=2, workers=0)
    batches = [(batch["k"].tolist(), batch["ids"][0].shape[1]) for batch in loader]
    for epoch in range(2):
        assert sorted(k for batch, _ in batches[15 * epoch :][:15] for k in batch) == list(range(60))
    widths = [np.searchsorted((4, 8, 16), LENGTHS[batch]) for batch, _ in batches]
    assert sum(len(set(of_batch)) > 1 for of_batch in widths) <= 2 * 2, "only what is left mixes buckets"
    assert all(width == (4, 8, 16)[of_batch.max()] for of_batch, (_, width) in zip(widths, batches, strict=True))
    assert batches[:15] != batches[15:] and {width for _, width in batches} == {4, 8, 16}
    for step in range(30):
        again = pickle.loads(pickle.dumps(sampler)).indices(step // 15, np.arange(4) + step % 15 * 4)
        assert again.tolist() == batches[step][0]


def test_fewer_samples_than_a_batch():
    sampler = BucketSampler([3, 1, 2], 4, (2, 4))
    assert sorted(sampler.indices(0, range(3)).tolist()) == [0, 1, 2]


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: pack(TEXTS, 10), ConfigError, "has 16 tokens, more than the 10 of a row.*split=True"),
        (lambda: pack(TEXTS, 20, lengths=[1, 2]), ConfigError, "lengths must be one per sample, 60, got 2"),
        (lambda: pack([np.zeros(0)], 3), ConfigError, "samples of at least one token"),
        (lambda: pack([np.zeros((2, 2))], 3), SourceDataError, r"sample 0 is {'ids': \(2, 2\)}"),
        (
            lambda: pack([{"a": np.ones(2), "b": np.ones(3)}], 3),
            SourceDataError,
            "or dicts of such arrays of one length",
        ),
        (
            lambda: pack([np.ones(2)], 9, lengths=[4])[0],
            SourceDataError,
            "has 2 tokens in 'ids', but had 4 when it was packed",
        ),
        (
            lambda: pack([np.ones(5)], 9, lengths=[4])[0],
            SourceDataError,
            "has 5 tokens in 'ids', but had 4 when it was packed",
        ),
        (
            lambda: pack([{"a": np.ones(2)}, np.ones(2)], 9)[0],
            SourceDataError,
            r"sample 1 has \['ids'\], another .* \['a'\]",
        ),
        (lambda: BucketSampler(LENGTHS, 4, (4, 8)), ConfigError, "a length of 16, more than the last of the widths, 8"),
        (lambda: BucketSampler(LENGTHS, 4, (8, 4)), ConfigError, "widths must be ascending integers"),
        (lambda: BucketSampler([1.5], 4, (8,)), ConfigError, "expects the length of each sample, got float64"),
        (
            lambda: Loader(TEXTS, batch_size=8, sampler=BucketSampler(LENGTHS, 4, (16,)), ragged=[()]),
            ConfigError,
            "makes batches of 4 samples, and batch_size=8",
        ),
    ],
)
def test_refused(make, error, words):
    with pytest.raises(error, match=words):
        make()
