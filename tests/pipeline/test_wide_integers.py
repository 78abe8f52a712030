"""Numbers of 64 bits without x64: integers have DALI's values and types, or are an error; floats are warned of."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import node_graphs
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
    "power": (lambda x: cast(x) ** 3, lambda x: x**3),
    "shifted": (lambda x: cast(x) << 4, lambda x: x << 4),
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
        (lambda x: cast(x) ** 2, 2**16),
        (lambda x: cast(x) ** 3, -1291),
        (lambda x: cast(x) << 1, 2**30),
        (lambda x: cast(x) << 1, -(2**30) - 1),
        (lambda x: cast(x) << 40, 1),
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


def test_what_never_fits_is_refused():
    with pytest.raises(GraphError, match="integers of 64 bits, which JAX has only with jax_enable_x64"):
        computed(lambda x: ~cast(x, UINT64), 3)


def test_comparisons_and_floats():
    assert [bool(flag) for flag in computed(lambda x: cast(x) > np.int64(3), 5, 3)] == [True, False]
    assert [float(number) for number in computed(lambda x: cast(x) * np.float32(0.5), 5, 3)] == [2.5, 1.5]


def number(values: Any, dtype: Any) -> list[np.ndarray]:
    return list(np.asarray(values, dtype))


# What only moves numbers, or says something about them.
MOVED = {
    "add": lambda x: x + 1,
    "square": lambda x: x**2,
    "mixed": lambda x: x + fn.cast(x, dtype=types.UINT32),
    "stacked": lambda x: fn.stack(x, x.shape() + 3),
    "permuted": lambda x: fn.permute_batch(x, indices=[1, 0]),
    "flipped": lambda x: fn.flip(fn.reshape(fn.stack(x, x + 1), shape=[1, 2, 1], layout="HWC")),
    "cropped": lambda x: fn.crop(fn.reshape(fn.stack(x, x + 1), shape=[1, 2, 1], layout="HWC"), crop=(1, 1)),
    "turned": lambda x: fn.flip(fn.reshape(fn.stack(x, x + 1), shape=[1, 1, 2], layout="CHW")),
    "of Python": lambda x: fn.python_function(x, function=lambda one: one * 2) + 1,
    "passed to Python": lambda x: fn.python_function(x + 1, function=lambda one: one),
    "between Pythons": lambda x: fn.python_function(x + 1, function=lambda one: one[None]) * (x + 1),
}


def test_integers_of_a_source_stay_of_64_bits():
    def outputs(x: Any) -> list[Any]:
        return [make(x) for make in MOVED.values()]

    found = run(outputs, number([[40], [2]], np.int64))
    assert {name: out.dtype for name, out in zip(MOVED, found, strict=True)} == dict.fromkeys(MOVED, INT64)
    shown = [np.asarray(out.at(0)).ravel().tolist() for out in found]
    assert shown == [[41], [1600], [80], [40, 4], [2], [41, 40], [41], [41, 40], [81], [41], [41 * 41]]
    with pytest.raises(SourceDataError, match="more than the 32 bits"):
        run(lambda x: x * 3, number([2**30, 1], np.int64))
    images = number(np.ones((1, 2, 2, 1)), np.int64)
    (narrowed,) = run(lambda x: fn.cast(fn.flip(x), dtype=types.INT32), images, layouts=["HWC"])
    assert narrowed.dtype == types.INT32


def test_floats_that_are_computed_warn_once_and_others_keep_their_bits():
    third = number([[1 / 3], [2.0]], np.float64)

    def handed_out(x: Any) -> list[Any]:
        shape = x.shape(dtype=types.FLOAT64)
        return [x, fn.python_function(x, function=lambda one: one * 2), shape, fn.zeros_like(shape)]

    kept = run(handed_out, third, seed=2)
    assert [out.dtype for out in kept] == [types.FLOAT64] * 4
    assert [np.asarray(out.at(0)).tolist() for out in kept[:3]] == [[1 / 3], [2 / 3], [1.0]]

    rounded = float(np.float32(1 / 3))

    def computed_twice(x: Any) -> list[Any]:
        return [x * 2.0, fn.stack(x, x), x.shape(dtype=types.FLOAT64)]

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        made = run(computed_twice, third[:1])
    assert [out.dtype for out in made] == [types.FLOAT64] * 3
    assert [np.asarray(out.at(0)).tolist() for out in made[:2]] == [[2 * rounded], [[rounded], [rounded]]]
    (warned,) = said
    assert "FLOAT64 is computed in the 32 bits of FLOAT, first by operator `*`" in str(warned.message)
    assert warned.filename == node_graphs.__file__
