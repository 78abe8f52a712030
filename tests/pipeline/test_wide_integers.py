"""Arithmetic with 64-bit integers without x64: DALI's values and types, or an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from node_graphs import run

from jaxdali import GraphError, SourceDataError, fn, math, types

INT64, UINT64 = types.INT64, types.UINT64


def cast(node: Any, dtype: Any = INT64) -> Any:
    return fn.cast(node, dtype=dtype)


def computed(expression: Callable[[Any], Any], *numbers: int) -> Any:
    """Returns the results of an expression for samples with these numbers."""
    (output,) = run(expression, np.array(numbers, np.int32))
    return [np.asarray(output.at(sample)) for sample in range(len(numbers))]


EXPRESSIONS = {
    "add": (lambda x: cast(x) + 1, lambda x: x + 1),
    "sub": (lambda x: cast(x) - cast(x) * 2, lambda x: -x),
    "mul": (lambda x: cast(x) * -3, lambda x: x * -3),
    "div": (lambda x: cast(x) // 2, lambda x: np.trunc(x / 2).astype(np.int64)),
    "minus": (lambda x: -cast(x), lambda x: -x),
    "min": (lambda x: math.min(cast(x), 5), lambda x: np.minimum(x, 5)),
    "abs": (lambda x: math.abs(cast(x)), np.abs),
    "constant": (lambda x: x * np.int64(2), lambda x: x * 2),
    "mixed": (lambda x: cast(x) + fn.cast(x * x, dtype=types.UINT32), lambda x: x + x * x),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_what_fits_is_of_64_bits(name: str):
    expression, expected = EXPRESSIONS[name]
    found = computed(expression, 1000, -7, 0)
    assert [np.asarray(number).dtype for number in found] == [np.int64] * 3
    assert [int(number) for number in found] == expected(np.array([1000, -7, 0])).tolist()


@pytest.mark.parametrize(
    ("expression", "number"),
    [
        (lambda x: cast(x) * 100000, 100000),
        (lambda x: cast(x) + 1, 2**31 - 1),
        (lambda x: cast(x) - 2, -(2**31)),
        (lambda x: -cast(x), -(2**31)),
        (lambda x: math.abs(cast(x)), -(2**31)),
        (lambda x: cast(x) * np.int64(-1), -(2**31)),
        (lambda x: cast(x) // np.int64(-1), -(2**31)),
        (lambda x: -cast(x, UINT64), 50000),
        (lambda x: cast(x, UINT64) * cast(x, UINT64), 70000),
        (lambda x: x * np.int64(2), 2**31 - 1),
        (lambda x: fn.cast(cast(x) * 100000, dtype=types.FLOAT), 50000),
    ],
)
def test_what_does_not_fit_is_an_error(expression: Callable[[Any], Any], number: int):
    with pytest.raises(SourceDataError, match="more than the 32 bits that JAX has without jax_enable_x64"):
        computed(expression, 1, number)


def test_powers_of_them_are_refused():
    with pytest.raises(GraphError, match="integers of 64 bits, which JAX has only with jax_enable_x64"):
        computed(lambda x: cast(x) ** 2, 3)


def test_comparisons_and_floats():
    assert [bool(flag) for flag in computed(lambda x: cast(x) > np.int64(3), 5, 3)] == [True, False]
    assert [float(number) for number in computed(lambda x: cast(x) * np.float32(0.5), 5, 3)] == [2.5, 1.5]
