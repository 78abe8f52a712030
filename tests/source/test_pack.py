"""Packed rows and bucketed batches have every token once, wherever a Loader starts."""

import itertools
import pickle

import jax
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali import ConfigError, Loader, SourceDataError, source
from jaxdali.source import BucketSampler, pack

LENGTHS = np.random.default_rng(0).integers(1, 17, 60)
TEXTS = [1000 * k + np.arange(size) for k, size in enumerate(LENGTHS)]


# Two sequences each, the second of which may be empty, and has an axis behind that of tokens.
SECOND = np.random.default_rng(1).integers(0, 10, 60)
PAIRS = [{"x": text, "y": 1.0 + np.arange(2 * n).reshape(n, 2)} for text, n in zip(TEXTS, SECOND.tolist(), strict=True)]
TOGETHER = {"x": 20, "y": 11}


def first_fit(sizes, room):
    """The rule itself, applied row by row."""
    rows, sizes = [], [np.array(size) for size in sizes]
    for number, size in enumerate(sizes):
        row = next((row for row in rows if np.all(sum(sizes[k] for k in row) + size <= room)), None)
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


def test_an_empty_list_says_nothing_of_its_type():
    row = pack([{"x": [1], "y": []}, {"x": [2], "y": [7, 8]}, {"x": [3], "y": []}], {"x": 4, "y": 3})[0]
    assert row["y"].tolist() == [7, 8, 0] and row["y"].dtype == row["x"].dtype == np.int64


def test_long_samples_are_cut():
    packed = pack(TEXTS, 6, split=True)
    pieces = [text[first : first + 6].tolist() for text in TEXTS for first in range(0, len(text), 6)]
    assert sorted(text for k in range(len(packed)) for text in unpacked(packed[k])) == sorted(pieces)


def sequences_of(row, name):
    """The sequences of a packed row, by the number of their sample."""
    segments, values = row[f"{name}_segment_ids"], row[name]
    assert not values[segments == 0].any()
    for number in np.unique(segments[segments > 0]):
        where = segments == number
        np.testing.assert_array_equal(row[f"{name}_positions"][where], np.arange(where.sum()))
        yield number, values[where].tolist()


@pytest.mark.parametrize("options", [{}, {"lengths": {"y": SECOND, "x": LENGTHS}}, {"seed": 5}, {"truncate": True}])
def test_several_sequences_go_to_the_first_row_that_has_room_for_all(options):
    rooms = {"x": 8, "y": 11} if options.get("truncate") else TOGETHER
    packed = pack(PAIRS, rooms, **options)
    cut = [{name: value[: rooms[name]].tolist() for name, value in pair.items()} for pair in PAIRS]
    sizes = [[len(pair["x"]), len(pair["y"])] for pair in cut]
    if "seed" not in options:
        expected = first_fit(sizes, np.array([*rooms.values()]))
        assert len(packed) == len(expected)
    found = []
    for index in range(len(packed)):
        row = packed[index]
        assert {name: value.shape for name, value in row.items() if "_" not in name} == {
            "x": (rooms["x"],),
            "y": (11, 2),
        }
        second = dict(sequences_of(row, "y"))
        found.append([{"x": values, "y": second.get(number, [])} for number, values in sequences_of(row, "x")])
        if "seed" not in options:
            assert found[-1] == [cut[k] for k in expected[index]]
    assert sorted(map(str, itertools.chain(*found))) == sorted(map(str, cut))


def test_what_is_too_long_is_dropped():
    packed = pack(TEXTS, 6, truncate=True)
    assert sorted(text for k in range(len(packed)) for text in unpacked(packed[k])) == sorted(
        t[:6].tolist() for t in TEXTS
    )


def test_a_state_knows_how_samples_were_packed():
    def made(*given, **options):
        return Loader(pack(*given, **options), batch_size=2, workers=0)

    state = made(PAIRS, TOGETHER).get_state()
    made(PAIRS, TOGETHER, lengths={"x": LENGTHS, "y": SECOND}).set_state(state)
    wide = {name: 100 * room for name, room in TOGETHER.items()}
    assert len(pack(PAIRS, wide)) == len(pack(PAIRS, {**wide, "y": 1200})) == 1
    with pytest.raises(ConfigError, match=r"taken with data\.pieces="):
        Loader(pack(PAIRS, wide), batch_size=1).set_state(
            Loader(pack(PAIRS, {**wide, "y": 1200}), batch_size=1).get_state()
        )
    cut = made(PAIRS, {"x": 8, "y": 11}, truncate=True)
    for other in (made(PAIRS, {**TOGETHER, "y": 12}), made(PAIRS, TOGETHER, seed=1), cut):
        with pytest.raises(ConfigError, match="the state does not fit this Loader: it was taken with"):
            other.set_state(state)


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
        (lambda: pack(TEXTS, 20, split=True, truncate=True), ConfigError, "split=True keeps what truncate=True drops"),
        (lambda: pack(PAIRS, TOGETHER, split=True), ConfigError, "split=True is for one sequence.*truncate=True"),
        (lambda: pack(PAIRS, {}), ConfigError, "length is an empty dict"),
        (lambda: pack(PAIRS, {"x": 30, "y": 0}), ConfigError, r"length\['y'\] must be an integer, at least 1"),
        (
            lambda: pack(PAIRS, {"x": 40}),
            SourceDataError,
            r"dicts of the arrays 'x', which length= names .*; sample 0 is",
        ),
        (
            lambda: pack(PAIRS, {"x": 40, "y": 3}),
            ConfigError,
            "has 9 tokens in 'y', more than the 3 of a row.*truncate=",
        ),
        (lambda: pack(PAIRS, TOGETHER, lengths=[1] * 60), ConfigError, "lengths must be a dict of those of 'x', 'y'"),
        (lambda: pack(PAIRS, TOGETHER, lengths={"x": [1] * 60, "y": [1]}), ConfigError, "one per sample, 60, got 1"),
        (lambda: pack([{"x": [], "y": []}], TOGETHER, lengths={"x": [0], "y": [0]}), ConfigError, "sample 0 has none"),
        (lambda: pack([np.zeros(0)], 3), ConfigError, "samples of at least one token"),
        (lambda: pack([np.zeros(())], 3), SourceDataError, r"sample 0 is {'ids': \(\)}"),
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
        # What one row's array cannot hold as it is: NumPy would cut floats and texts, wrap numbers, and repeat rows.
        (lambda: pack([[1, 2], [0.5, 1.0]], 9)[0], SourceDataError, r"sample 1 has float64\[2\] in 'ids'.*int64\[2\]"),
        (lambda: pack([np.uint8([1]), np.array([300])], 9)[0], SourceDataError, r"int64\[1\] in 'ids'.*uint8\[1\]"),
        (lambda: pack([np.ones((2, 3)), np.ones((1, 2))], 9)[0], SourceDataError, r"float64\[1, 2\] .*float64\[2, 3\]"),
        (lambda: pack([np.ones((3, 3)), np.ones(3)], 9)[0], SourceDataError, r"sample 1 has float64\[3\] in 'ids'"),
        (lambda: pack([(np.ones(2), np.ones(2))], 9), SourceDataError, "'ids': 'tuple'.*convert them with source.map"),
        (lambda: pack([((np.ones(2), np.ones(3)), 1)], {"x": 9}), SourceDataError, "'ids': 'tuple'"),
        (lambda: pack([{"x": [[1], [1, 2]]}], 9), SourceDataError, "'x': 'list'.*convert them with source.map"),
        (lambda: pack([{"x": [1], "y": 3}], {"x": 9, "y": 2}), SourceDataError, r"a number, .* an array of one"),
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
