"""`source.Arrays`: rows of whole arrays."""

import re

import numpy as np
import pytest

from jaxdali import ConfigError, Loader
from jaxdali.errors import ConfigTypeError
from jaxdali.source import Arrays

X, Y = np.arange(24.0).reshape(8, 3), np.arange(8)


def test_rows_are_views():
    data = Arrays(x=X, y=Y)
    assert len(data) == 8 and repr(data) == "Arrays(x=float64[8, 3], y=int64[8])"
    row = data[np.int64(3)]
    assert list(row) == ["x", "y"] and row["y"] == 3 and np.shares_memory(row["x"], X)
    with pytest.raises(IndexError):
        data[8]


@pytest.mark.parametrize("workers", [0, 1])
def test_a_loader_reads_them(workers):
    with Loader(Arrays(x=X, y=Y), batch_size=4, epochs=1, workers=workers) as loader:
        for step, batch in loader.enumerate():
            np.testing.assert_array_equal(batch["x"], X[4 * step : 4 * step + 4])
            np.testing.assert_array_equal(batch["y"], Y[4 * step : 4 * step + 4])


@pytest.mark.parametrize(
    ("arrays", "error", "words"),
    [
        ({}, ConfigError, "wants arrays by name"),
        ({"x": [1, 2]}, ConfigTypeError, r"x must be a NumPy array, got list; np.asarray\(x\)"),
        ({"x": np.array(3)}, ConfigError, "x must be an array [n, ...] of numbers or bools, got int64[]"),
        ({"x": np.array(["a"])}, ConfigError, "of numbers or bools, got <U1"),
        ({"x": X, "y": Y[:3]}, ConfigError, "the same number of rows, got 8 of x, 3 of y"),
    ],
)
def test_refused(arrays, error, words):
    with pytest.raises(error, match=words if "\\" in words else re.escape(words)):
        Arrays(**arrays)
