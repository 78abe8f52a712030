import image_reference as reference
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxdali._device.image.convert import round_to_dtype
from jaxdali.errors import ConfigError

INTEGERS = [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32]
FLOATS = [np.float16, jnp.bfloat16, np.float32]


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (-1.5, np.int8, -2),
        (-0.5, np.int8, -1),
        (0.5, np.int8, 1),
        (2.5, np.int8, 3),
        (127.5, np.int8, 127),
        (np.inf, np.int8, 127),
        (-np.inf, np.int8, -128),
        (np.nan, np.int8, 0),
        (254.5, np.uint8, 255),
        (-0.5, np.uint8, 0),
        (3e9, np.int32, 2**31 - 1),
        (-3e9, np.int32, -(2**31)),
        (2147483520.0, np.int32, 2147483520),
        (5e9, np.uint32, 2**32 - 1),
        (4294967040.0, np.uint32, 4294967040),
        (np.nan, np.int32, 0),
        (8388607.5, np.int32, 8388608),
        (16777215.0, np.int32, 16777215),
        (0.4, np.bool_, False),
        (-0.5, np.bool_, True),
        (-5.0, np.bool_, True),
        (np.nan, np.bool_, True),
        (-np.inf, np.bool_, True),
    ],
)
def test_known_values_of_dali(value, dtype, expected):
    got = round_to_dtype(np.float32(value), dtype)
    assert got.dtype == dtype
    assert got.item() == expected
    assert reference.round_to_dtype(np.float32(value), dtype) == expected


@pytest.mark.parametrize("jitted", [False, True])
def test_one_ulp_around_every_half(jitted):
    halves = np.concatenate([np.arange(0.5, 300), 2.0 ** np.arange(9, 23) - 0.5]).astype(np.float32)
    zero = np.float32(0)
    x = np.concatenate([np.nextafter(halves, zero), halves, np.nextafter(halves, 2 * halves)])
    x = np.concatenate([x, -x])
    assert x[0] == np.float32(0.49999997)
    convert = jax.jit(round_to_dtype, static_argnums=1) if jitted else round_to_dtype
    expected = np.where(np.abs(x) % 1 >= 0.5, np.ceil(np.abs(x)), np.floor(np.abs(x))) * np.sign(x)
    np.testing.assert_array_equal(convert(x, np.int32), expected.astype(np.int32))


@pytest.mark.parametrize("source", [np.float16, jnp.bfloat16])
@pytest.mark.parametrize("target", [*INTEGERS, np.bool_])
def test_every_half_precision_number(source, target):
    x = np.arange(1 << 16, dtype=np.uint16).view(source)
    np.testing.assert_array_equal(round_to_dtype(x, target), reference.round_to_dtype(x, target))


@given(st.lists(st.integers(0, 2**32 - 1), min_size=64, max_size=64))
@settings(max_examples=40, deadline=None)
def test_any_float32(bits):
    x = np.asarray(bits, np.uint32).view(np.float32)
    for target in [*INTEGERS, np.bool_]:
        got = round_to_dtype(x, target)
        np.testing.assert_array_equal(got, reference.round_to_dtype(x, target))


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_any_integer_saturates(data):
    source, target = data.draw(st.tuples(st.sampled_from(INTEGERS), st.sampled_from(INTEGERS)))
    info = np.iinfo(source)
    values = st.integers(int(info.min), int(info.max))
    x = np.asarray(data.draw(st.lists(values, min_size=32, max_size=32)), source)
    want = np.iinfo(target)
    expected = np.asarray([min(max(int(v), int(want.min)), int(want.max)) for v in x], target)
    np.testing.assert_array_equal(round_to_dtype(x, target), expected)


def test_integer_and_bool():
    np.testing.assert_array_equal(round_to_dtype(np.array([-5, 0, 300], np.int32), np.bool_), [True, False, True])
    for target in [*INTEGERS, *FLOATS]:
        got = round_to_dtype(np.array([True, False]), target)
        assert got.dtype == target
        np.testing.assert_array_equal(got, [1, 0])


@pytest.mark.parametrize("target", FLOATS)
def test_to_floating_is_the_nearest(target):
    x = np.array([0.1, 1 / 3, 65519.0, 70000.0, -1e30], np.float32)
    with np.errstate(over="ignore"):
        expected = x.astype(target)
    got = round_to_dtype(x, target)
    assert got.dtype == target
    np.testing.assert_array_equal(got, expected)
    np.testing.assert_array_equal(round_to_dtype(np.uint8([255]), target), [255])


def test_same_dtype_is_the_same_array():
    x = jnp.arange(3, dtype=jnp.int16)
    assert round_to_dtype(x, np.int16) is x


def test_64_bits_need_x64():
    with pytest.raises(ConfigError, match="jax_enable_x64"):
        round_to_dtype(np.float32([1]), np.int64)
    with jax.enable_x64(True):
        x = np.array([0.49999999999999994, 0.5, -1.5, 1e300, -1e300, np.nan, 2.0**53 + 2])
        for target in (np.int64, np.uint64, np.int32, np.uint8):
            got = round_to_dtype(x, target)
            np.testing.assert_array_equal(got, reference.round_to_dtype(x, target))


@pytest.mark.parametrize("dtype", ["int4", "complex64", "nonsense", None, object])
def test_other_dtypes_are_refused(dtype):
    with pytest.raises(ConfigError, match="expected a NumPy or JAX dtype among bool"):
        round_to_dtype(np.float32([1]), dtype)


def test_complex_input_is_refused():
    with pytest.raises(ConfigError, match="x has dtype"):
        round_to_dtype(np.complex64([1]), np.uint8)
