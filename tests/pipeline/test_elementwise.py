"""Types and values of arithmetic, compared with DALI 2.4.0 (support/dali_arithmetic.py) and NumPy in float64."""

import zlib

import dali_arithmetic as dali
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxdali import GraphError
from jaxdali._dali.operators.arithmetic.elementwise import compute
from jaxdali._dali.operators.arithmetic.promotion import result_type

NAMES = list(dali.NAMES)


@pytest.mark.parametrize("kinds", dali.TYPES, ids="-".join)
def test_types(kinds):
    rows = [row.split() for row in dali.TYPES[kinds].strip().splitlines()]
    assert [len(row) for row in rows] == [len(NAMES)] * len(NAMES)
    for kind in kinds:
        for left, row in zip(NAMES, rows, strict=True):
            for right, expected in zip(NAMES, row, strict=True):
                types = dali.NAMES[left], dali.NAMES[right]
                if expected == "-":
                    with pytest.raises(GraphError, match="Inputs to"):
                        result_type(kind, *types)
                else:
                    assert result_type(kind, *types) == dali.NAMES[expected], (kind, left, right)


def test_types_of_three_and_of_one():
    assert result_type("clamp", np.uint8, np.int8, np.uint16) == np.int32
    assert result_type("clamp", np.uint32, np.int8, np.uint8) == np.int64
    assert result_type("clamp", np.uint8, np.uint32, np.float32) == np.float32
    for kind, of_uint8 in {
        "minus": np.uint8,
        "abs": np.uint8,
        "bitnot": np.uint8,
        "fabs": np.float32,
        "exp": np.float32,
    }.items():
        assert result_type(kind, np.uint8) == of_uint8
    assert result_type("exp", np.float64) == np.float64
    assert result_type("bitnot", np.bool_) == np.bool_
    for kind in ("minus", "abs", "exp"):
        with pytest.raises(
            GraphError, match=f"Input to arithmetic operator `{'-' if kind == 'minus' else kind}`.*boolean"
        ):
            result_type(kind, np.bool_)
    with pytest.raises(GraphError, match="bitwise operator `~` must be of integral type, got float32"):
        result_type("bitnot", np.float32)


def test_half_precision_is_a_float():
    assert result_type("add", np.float16, np.uint8) == np.float16
    assert result_type("fdiv", np.float16, np.int32) == np.float16
    assert result_type("mul", np.float16, np.float32) == np.float32


@pytest.mark.parametrize("kind", dali.CHECKSUMS)
def test_integers_to_the_bit(kind):
    wanted = dict(zip(dali.PAIRS, dali.CHECKSUMS[kind].split(), strict=True))
    pairs = {pair: dali.operands(kind, *pair) for pair, checksum in wanted.items() if checksum != "-"}
    with jax.enable_x64(True):
        results = jax.jit(lambda given: [compute(kind, a, b) for a, b in given])(list(pairs.values()))
        found = {
            pair: f"{zlib.crc32(np.asarray(result).tobytes()):08x}" for pair, result in zip(pairs, results, strict=True)
        }
    assert found == {pair: wanted[pair] for pair in pairs}


FLOATS = np.array(
    [0, -0.0, 1, -1, 2.5, -0.75, 3, 100, -7, 0.1, 1e30, -1e30, 1e-30, np.inf, -np.inf, np.nan], np.float32
)


@pytest.mark.parametrize(
    ("kind", "formula"),
    [
        *(("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("fdiv", np.divide), ("div", np.divide)),
        *(("mod", np.fmod), ("lt", np.less), ("geq", np.greater_equal), ("neq", np.not_equal)),
        ("min", lambda a, b: np.where(a < b, a, b)),
        ("max", lambda a, b: np.where(a > b, a, b)),
    ],
)
def test_floats_to_the_bit(kind, formula):
    a, b = np.repeat(FLOATS, len(FLOATS)), np.tile(FLOATS, len(FLOATS))
    with np.errstate(all="ignore"):
        expected = formula(a, b)
        expected = np.where(abs(expected) < 1.2e-38, 0, expected) if kind == "mul" else expected
    np.testing.assert_array_equal(jax.jit(lambda a, b: compute(kind, a, b))(a, b), expected)


def test_quotients_by_a_constant_are_rounded_once():
    numbers = np.arange(256, dtype=np.uint8)
    for divisor in (np.int32(255), np.float32(49), np.float32(0.3)):
        found = jax.jit(lambda x, divisor=divisor: compute("fdiv", x, divisor))(numbers)
        np.testing.assert_array_equal(found, numbers.astype(np.float32) / np.float32(divisor))


def test_a_product_is_rounded_before_it_is_added_to():
    rng = np.random.default_rng(0)
    a, b, c = rng.uniform(-1, 1, (3, 2000)).astype(np.float32)
    found = jax.jit(lambda a, b, c: compute("add", compute("mul", a, b), c))(a, b, c)
    np.testing.assert_array_equal(found, a * b + c)


def test_halves_are_rounded_after_each_operation():
    rng = np.random.default_rng(0)
    a, b, c = rng.uniform(-1, 1, (3, 2000)).astype(np.float16)
    found = jax.jit(lambda a, b, c: compute("add", compute("mul", a, b), c))(a, b, c)
    np.testing.assert_array_equal(found, a * b + c)
    assert found.dtype == jnp.float16


def test_nothing_times_false_is_nothing():
    found = jax.jit(lambda a, b: compute("mul", a, b))(FLOATS, np.zeros(len(FLOATS), bool))
    np.testing.assert_array_equal(found, np.where(np.isfinite(FLOATS), 0, np.nan).astype(np.float32))


FUNCTIONS = {
    **{
        name: getattr(np, name) for name in ("sqrt", "exp", "log", "log2", "log10", "sin", "cos", "tan", "cbrt", "fabs")
    },
    **{name: getattr(np, name) for name in ("floor", "ceil", "sinh", "cosh", "tanh")},
    **{f"a{name}": getattr(np, f"arc{name}") for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    "rsqrt": lambda x: 1 / np.sqrt(x),
}


def test_functions_within_one_unit():
    rng = np.random.default_rng(0)
    x = np.concatenate([FLOATS, rng.uniform(-1, 1, 300), rng.uniform(-80, 80, 300), np.exp(rng.uniform(-60, 60, 300))])
    x = x.astype(np.float32)
    found = jax.jit(lambda x: {name: compute(name, x) for name in FUNCTIONS})(x)
    for name, function in FUNCTIONS.items():
        with np.errstate(all="ignore"):
            expected = function(x.astype(np.float64)).astype(np.float32)
        assert found[name].dtype == np.float32
        np.testing.assert_array_max_ulp(*(np.where(np.isfinite(y), y, 0) for y in (found[name], expected)), maxulp=1)
        np.testing.assert_array_equal(np.isnan(found[name]), np.isnan(expected), name)
        np.testing.assert_array_equal(np.isinf(found[name]), np.isinf(expected), name)


def test_powers_within_one_unit():
    rng = np.random.default_rng(0)
    a, b = np.exp(rng.uniform(-5, 5, 500)).astype(np.float32), rng.uniform(-8, 8, 500).astype(np.float32)
    integers = rng.integers(-9, 9, 500).astype(np.int32)
    found = jax.jit(
        lambda a, b, c: [compute("pow", a, b), compute("fpow", c, b), compute("atan2", c, b), compute("pow", a, c)]
    )
    for result, (x, y, function) in zip(
        found(a, b, abs(integers) + 1),
        [
            (a, b, np.power),
            (abs(integers) + 1, b, np.power),
            (abs(integers) + 1, b, np.arctan2),
            (a, abs(integers) + 1, np.power),
        ],
        strict=True,
    ):
        expected = function(x.astype(np.float64), y.astype(np.float64)).astype(np.float32)
        np.testing.assert_array_max_ulp(np.asarray(result), expected, maxulp=1)


def test_clamp():
    x, low = np.array([1, np.nan, 3, np.nan], np.float32), np.array([np.nan, 2, 5, 0], np.float32)
    np.testing.assert_array_equal(compute("clamp", x, low, np.float32(4)), np.array([1, np.nan, 4, np.nan], np.float32))
    found = compute("clamp", np.uint8([1, 3, 200]), np.int32(5), np.int32(2))
    assert (found.tolist(), found.dtype) == ([2, 2, 2], np.int32)


def test_results_of_64_bits_want_x64():
    with pytest.raises(
        GraphError, match="from uint32 and int32 DALI makes int64, which JAX has only with jax_enable_x64"
    ):
        compute("add", np.zeros(2, np.uint32), np.zeros(2, np.int32))
    # A comparison does not need that type.
    a, b = np.array([2**32 - 1, 3, 0], np.uint32), np.array([-1, 3, -5], np.int32)
    assert compute("eq", a, b).tolist() == [False, True, False]
    assert compute("lt", b, a).tolist() == [True, False, True]
    assert compute("geq", a, b).tolist() == [True, True, True]


def test_negative_integers_compare_with_floats():
    # DALI 2.4.0 treats the float as unsigned here, and claims that -1 is not -1.0.
    a, b = np.array([-1, -1, -8], np.int8), np.array([-1.0, -7.0, -7.0], np.float32)
    assert compute("eq", a, b).tolist() == [True, False, False]
    assert compute("lt", a, b).tolist() == [False, False, True]
