"""`source.Arrays`: rows of whole arrays."""

import mmap
import os
import re

import numpy as np
import pytest
from processes import children

from jaxdali import ConfigError, Loader, WorkerError
from jaxdali._feed.source.structure import Structure
from jaxdali._loader.default_workers import use_default_workers
from jaxdali.errors import ConfigTypeError
from jaxdali.source import Arrays, map, repeat, subset

X, Y = np.arange(24.0).reshape(8, 3), np.arange(8)


def test_rows_are_views():
    data = Arrays(x=X, y=Y)
    assert len(data) == 8 and repr(data) == "Arrays(x=float64[8, 3], y=int64[8])"
    row = data[np.int64(3)]
    assert list(row) == ["x", "y"] and row["y"] == 3 and np.shares_memory(row["x"], X)
    with pytest.raises(IndexError):
        data[8]
    with pytest.raises(ValueError, match="read-only"):  # else a later epoch would see the change
        row["x"] += 1
    assert X.flags.writeable


def test_a_file_that_is_cut_off_meanwhile_ends_a_worker_at_the_first_row_that_is_missing(tmp_path):
    path, rows = tmp_path / "rows.npy", 4096
    np.save(path, np.zeros((rows, 16), np.int64))
    head = path.stat().st_size - 128 * rows
    data = Arrays(x=np.load(path, mmap_mode="r"))
    with Loader(data, batch_size=512, workers=1, worker_restarts=0, epochs=1) as loader:
        steps = iter(loader)
        next(steps)
        os.truncate(path, head + 3003 * 128)
        with pytest.raises(WorkerError, match="SIGBUS") as caught:
            list(steps)
    page = mmap.PAGESIZE
    assert caught.value.sample_index == (-(-(head + 3003 * 128) // page) * page - head) // 128


@pytest.mark.parametrize("workers", [0, 1])
def test_a_loader_reads_them(workers):
    with Loader(Arrays(x=X, y=Y), batch_size=4, epochs=1, workers=workers) as loader:
        batches = list(loader)
    assert len(batches) == -(-len(X) // 4)
    for step, batch in enumerate(batches):
        np.testing.assert_array_equal(batch["x"], X[4 * step : 4 * step + 4])
        np.testing.assert_array_equal(batch["y"], Y[4 * step : 4 * step + 4])


@pytest.mark.parametrize(
    ("data", "rows"),
    [
        (subset(Arrays(x=X, y=Y), slice(6, 0, -2)), [6, 4, 2]),
        (subset(repeat(Arrays(x=X, y=Y), 2), [9, 0, 9, 15, 3]), [1, 0, 1, 7, 3]),
        (repeat(subset(Arrays(x=X, y=Y), Y % 3 == 1), 2), [1, 4, 7, 1, 4, 7]),
    ],
    ids=["slice", "subset of repeat", "repeat of subset"],
)
def test_some_of_the_rows_are_written_past_python_too(data, rows):
    loader = Loader(data, batch_size=4, epochs=1, last_batch="mask")
    source = loader._step_runner._builder.source
    assert source.direct() is not None and use_default_workers(loader._step_runner._builder) == 0
    found = [(batch, np.asarray(loader.mask(step))) for step, batch in enumerate(loader)]
    np.testing.assert_array_equal(np.concatenate([batch["x"][mask] for batch, mask in found]), X[rows])
    np.testing.assert_array_equal(np.concatenate([batch["y"][mask] for batch, mask in found]), rows)
    assert [data[index]["y"] for index in range(len(data))] == rows


class Doubled(Arrays):
    def __getitem__(self, index):
        return {name: row * 2 for name, row in super().__getitem__(index).items()}


class Listed:
    """A sampler that returns the given indices."""

    def __init__(self, indices):
        self.drawn = np.asarray(indices)

    def __len__(self):
        return len(self.drawn)

    def indices(self, epoch, positions):
        return self.drawn[positions]


def direct(data):
    return data.direct(Structure(data[0]))


NUMBERS = np.arange(7 * 4 * 6).reshape(7, 4, 6)
ROWS = {
    **{name: NUMBERS.astype(name) for name in "? b B h H i I q f e d".split()},
    "every other": np.repeat(NUMBERS, 2, axis=0)[::2].astype(np.float32),
    "backward": NUMBERS[::-1].astype(np.int16),
    "few columns": NUMBERS.astype(np.int32)[:, :1],
    "empty": np.zeros((7, 3, 0), np.float32),
    "read only": np.broadcast_to(np.float32(3), (7, 1)),
    "scalars": NUMBERS[:, 0, 1].astype(np.int32),
}


@pytest.mark.parametrize("workers", [0, 1])
def test_rows_that_are_written_past_python_are_the_same(workers, tmp_path):
    np.save(tmp_path / "a.npy", np.arange(35, dtype=np.float32).reshape(7, 5))
    arrays = ROWS | {"on disk": np.load(tmp_path / "a.npy", mmap_mode="r")}
    data, options = Arrays(**arrays), {"batch_size": 3, "shuffle": True, "seed": 2, "epochs": 2, "workers": workers}
    assert direct(data) is not None
    with Loader(data, **options) as past, Loader(map(data, dict), **{**options, "workers": 0}) as through:
        for ours, python in zip(past, through, strict=True):
            assert list(ours) == list(python) == list(arrays)
            for name, row in ours.items():
                assert row.dtype == python[name].dtype, name
                np.testing.assert_array_equal(row, python[name], name)


def test_python_is_not_asked(monkeypatch):
    loader = Loader(Arrays(y=Y, x=X), batch_size=3, epochs=1, workers=0)

    def refuse(self, index):
        raise AssertionError("asked")

    monkeypatch.setattr(Arrays, "__getitem__", refuse)
    found = [(batch["x"][:, 0].tolist(), batch["y"].tolist()) for batch in loader]
    assert found == [([0, 3, 6], [0, 1, 2]), ([9, 12, 15], [3, 4, 5]), ([18, 21, 18], [6, 7, 6])]


@pytest.mark.parametrize(
    "array",
    [NUMBERS.astype(np.int32)[:, :, ::2], np.asfortranarray(NUMBERS.astype(np.int32)), NUMBERS.astype(">i4")],
    ids=["pieces", "columns first", "byte order"],
)
def test_other_rows_are_pythons(array):
    data = Arrays(x=array)
    assert direct(data) is None
    batches = [batch["x"] for batch in Loader(data, batch_size=7, epochs=1, workers=0)]
    np.testing.assert_array_equal(batches[0], NUMBERS if array.shape == NUMBERS.shape else NUMBERS[:, :, ::2])


def test_rows_that_are_copied_together():
    """More rows than are copied at once, small and large ones."""
    rng = np.random.default_rng(0)
    arrays = {
        "number": np.arange(1000),
        "three": rng.integers(0, 256, (1000, 3), np.uint8),
        "wide": np.broadcast_to(np.arange(1000, dtype=np.float32)[:, None], (1000, 501)).copy(),
    }
    drawn = rng.permutation(1000)
    large = np.zeros((5, 40, 1000), np.int16) + np.arange(5, dtype=np.int16)[:, None, None]
    for data, indices in [(arrays, drawn), ({"large": large}, np.array([3, 0, 4, 1, 2]))]:
        source, size = Arrays(**data), min(len(indices), 200)
        loader = Loader(source, batch_size=size, sampler=Listed(indices), epochs=1, workers=0)
        for step, batch in enumerate(loader):
            for name, array in data.items():
                np.testing.assert_array_equal(batch[name], array[indices[size * step : size * (step + 1)]], name)
        assert size * (step + 1) == len(indices)


def test_what_samples_become_is_not_passed_by():
    data = Doubled(x=X.astype(np.float32), y=Y)
    assert direct(data) is None
    np.testing.assert_array_equal(next(iter(Loader(data, batch_size=8, workers=0)))["x"], 2 * X)
    batch = next(iter(Loader(Arrays(x=X, y=Y), batch_size=8, workers=0, host=("y",))))
    assert batch["y"].dtype == object and batch["y"].tolist() == Y.tolist()
    assert batch["x"].shape == (8, 3)


def test_indices_that_a_sampler_draws():
    data = Arrays(x=X, y=Y)
    steps = Loader(data, batch_size=4, sampler=Listed([3, -1, 0, 7]), workers=0).enumerate()
    with pytest.raises(ConfigError, match="Listed, returned the index -1; expected indices of samples, from 0 on"):
        next(steps)
    steps = Loader(data, batch_size=4, sampler=Listed([3, 1, 8, 7]), workers=0).enumerate()
    with pytest.raises(IndexError, match="index 8 is out of bounds") as caught:
        next(steps)
    assert any("sample 2" in note for note in caught.value.__notes__)


@pytest.mark.parametrize(
    ("arrays", "error", "words"),
    [
        ({}, ConfigError, "expects arrays by name"),
        ({"x": [1, 2]}, ConfigTypeError, r"x must be a NumPy array, got list; np.asarray\(x\)"),
        ({"x": np.array(3)}, ConfigError, "x must be an array [n, ...] of numbers or bools, got int64[]"),
        ({"x": np.array(["a"])}, ConfigError, "of numbers or bools, got <U1"),
        ({"x": np.ma.masked_array([1, 2], [0, 1])}, ConfigError, "x is a masked array, but batches have no masks"),
        ({"x": X, "y": Y[:3]}, ConfigError, "the same number of rows, got 8 of x, 3 of y"),
    ],
)
def test_refused(arrays, error, words):
    with pytest.raises(error, match=words if "\\" in words else re.escape(words)):
        Arrays(**arrays)


def test_small_batches_take_no_workers_unless_they_are_asked_for(tmp_path):
    np.save(tmp_path / "a.npy", NUMBERS)
    mapped = np.load(tmp_path / "a.npy", mmap_mode="r")
    rows = np.zeros((1024, 1024), np.uint8)
    wanted = [
        (False, Arrays(x=NUMBERS, y=Y[:7]), 7, None),
        (False, Arrays(x=rows), 1024, None),
        (True, Arrays(x=NUMBERS), 7, 1),
        (True, Arrays(x=np.concatenate([rows, rows])), 1025, None),
        (True, Arrays(x=mapped), 7, None),
        (True, Arrays(x=np.asarray(mapped)[1:]), 6, None),
        (True, Doubled(x=NUMBERS), 7, None),
    ]
    for has_workers, data, batch_size, workers in wanted:
        with Loader(data, batch_size=batch_size, workers=workers, epochs=1) as loader:
            before = set(children())
            loader.start()
            assert bool(set(children()) - before) == has_workers, (data, batch_size)
