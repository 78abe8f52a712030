import image_reference as reference
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxdali._device.image.image_normalize import normalize
from jaxdali.errors import ConfigError

MEAN, STD = np.array([123.68, 116.28, 103.53]), np.array([58.395, 57.12, 57.375])
IMAGES = np.random.default_rng(0).integers(0, 256, (3, 9, 11, 3)).astype(np.uint8)
JITTED = jax.jit(normalize, static_argnames=("dtype", "output_layout"))


# From DALI 2.4.0 on a CPU: crop_mirror_normalize with MEAN and STD.
def test_known_values_of_dali():
    images = np.array([0, 1, 128, 255], np.uint8)[None, None, :, None] * np.ones(3, np.uint8)
    got = normalize(images, MEAN, STD, output_layout="CHW")
    expected = np.array(
        [
            [-2.1179895, -2.1008646, 0.07397893, 2.2488227],
            [-2.0357144, -2.0182073, 0.2051821, 2.4285715],
            [-1.8044444, -1.7870152, 0.4264924, 2.6399999],
        ],
        np.float32,
    )
    np.testing.assert_array_equal(got[0, :, 0], expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, jnp.bfloat16, np.int8, np.uint8])
@pytest.mark.parametrize("layout", ["HWC", "CHW"])
@pytest.mark.parametrize(("scale", "shift"), [(1.0, 0.0), (64.0, 0.3), (-1.7, 128.0)])
def test_equals_numpy_bit_for_bit(dtype, layout, scale, shift):
    options = {"scale": scale, "shift": shift, "dtype": dtype, "output_layout": layout}
    expected = reference.normalize(IMAGES, MEAN, STD, **options)
    for call in (normalize, JITTED):
        got = call(IMAGES, MEAN, STD, **options)
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, expected)
    static = jax.jit(lambda images: normalize(images, MEAN.tolist(), STD.tolist(), **options))
    np.testing.assert_array_equal(static(IMAGES), expected)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_any_statistics(seed):
    rng = np.random.default_rng(seed)
    for shape in ((), (1,), (3,), (3, 3), (3, 1)):
        mean = rng.uniform(-300, 300, shape).astype(np.float32)
        std = rng.uniform(0.1, 100, shape).astype(np.float32)
        scale, shift = rng.uniform(0.1, 3, 2).astype(np.float32)
        expected = reference.normalize(IMAGES, mean, std, scale=scale, shift=shift)
        got = JITTED(IMAGES, mean, std, scale=scale, shift=shift)
        np.testing.assert_array_equal(got, expected)
        close = (IMAGES - mean.reshape(mean.shape[:1] * (mean.ndim == 2) + (1, 1, -1))) / std.reshape(
            std.shape[:1] * (std.ndim == 2) + (1, 1, -1)
        ) * scale + shift
        # Five float32 roundings, relative to the largest intermediate value.
        np.testing.assert_allclose(got, close, rtol=0, atol=5 * 2**-23 * np.abs(close).max())


def test_inside_a_larger_program():
    rng = np.random.default_rng(3)
    a, b, c = rng.uniform(0.3, 2.5, (3, 2, 8, 8, 3)).astype(np.float32)
    m, s = rng.uniform(0.3, 2.5, (2, 3)).astype(np.float32)
    program = jax.jit(lambda a, b, c, m, s: normalize(a * b, m * s, s, shift=m[0] * s[0]) + c)
    expected = reference.normalize(a * b, m * s, s, shift=m[0] * s[0]) + c
    np.testing.assert_array_equal(program(a, b, c, m, s), expected)


@pytest.mark.parametrize("std", [0, [1, 0, 1], [1.0, 1e-60, 1.0], np.zeros((3, 3))])
def test_a_zero_std_is_refused(std):
    with pytest.raises(ConfigError, match="standard deviation of 0"):
        normalize(IMAGES, 0, std)


def test_a_traced_zero_std_divides():
    assert np.isinf(JITTED(IMAGES, -1.0, jnp.zeros(3))).all()


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1, 2], 1), {}, r"mean has shape \(2,\)"),
        ((1, np.ones((2, 3))), {}, r"std has shape \(2, 3\)"),
        ((1, 1), {"scale": [1, 2]}, r"scale has shape \(2,\)"),
        ((1, 1), {"output_layout": "NCHW"}, "expected 'HWC' or 'CHW'"),
        ((1, 1), {"dtype": np.complex64}, "expected a NumPy or JAX dtype"),
    ],
)
def test_wrong_arguments(arguments, options, message):
    with pytest.raises(ConfigError, match=message):
        normalize(IMAGES, *arguments, **options)


def test_a_single_image_is_refused():
    with pytest.raises(ConfigError, match=r"image\[None\]"):
        normalize(IMAGES[0], 0, 1)
