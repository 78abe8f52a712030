import image_reference as reference
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxdali._device.image.color import brightness_contrast, default_contrast_center
from jaxdali.errors import ConfigError

LEVELS = np.arange(256, dtype=np.uint8)
DTYPES = [np.uint8, np.int16, np.int32, jnp.bfloat16, np.float32]
# Subnormal numbers and products near overflow are outside of the promise (jaxdali/_device/image/exact_arithmetic.py).
PARAMETERS = st.floats(-4, 4, width=32, allow_subnormal=False).filter(lambda value: value == 0 or abs(value) > 1e-6)


# From DALI 2.4.0 on a CPU.
@pytest.mark.parametrize(
    ("parameters", "dtype", "expected"),
    [
        ({"contrast": 1.5}, np.uint8, [0, 0, 11, 86, 128, 191, 255]),
        (
            {"brightness": 1.1, "brightness_shift": 0.1, "contrast": 2.7183},
            np.uint8,
            [0, 0, 0, 83, 166, 255, 255],
        ),
        (
            {
                "brightness": 0.77,
                "brightness_shift": -0.33,
                "contrast": 0.37,
                "contrast_center": 100.3,
            },
            np.int16,
            [-10764, -10764, -10750, -10736, -10728, -10716, -10692],
        ),
        ({"brightness": 1.3}, np.float32, [0, 1.3, 65, 130, 166.4, 220.99998474121094, 331.5]),
    ],
)
def test_known_values_of_dali(parameters, dtype, expected):
    images = np.array([[0, 1, 50, 100, 128, 170, 255]], np.uint8)
    got = brightness_contrast(images, dtype=dtype, **parameters)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got[0], np.asarray(expected, dtype))


@given(PARAMETERS, PARAMETERS, PARAMETERS, st.floats(0, 255, width=32, allow_subnormal=False))
@settings(max_examples=60, deadline=None)
def test_equals_numpy_bit_for_bit(brightness, shift, contrast, center):
    parameters = (brightness, shift, contrast, center)
    expected = reference.brightness_contrast(LEVELS[None], *parameters, dtype=np.float32)
    traced = jax.jit(brightness_contrast, static_argnames="dtype")
    for call in (brightness_contrast, traced):
        got = call(LEVELS[None], *parameters, dtype=np.float32)
        np.testing.assert_array_equal(got, expected)
        np.testing.assert_array_equal(
            call(LEVELS[None], *parameters),
            reference.brightness_contrast(LEVELS[None], *parameters),
        )


@pytest.mark.parametrize("target", DTYPES)
@pytest.mark.parametrize("source", DTYPES)
def test_every_pair_of_dtypes(source, target):
    rng = np.random.default_rng(1)
    images = reference.round_to_dtype(rng.uniform(-40000, 70000, (3, 5, 7, 2)), source)
    parameters = rng.uniform(0.3, 2.5, (4, 3)).astype(np.float32)
    brightness, shift, contrast, center = parameters
    got = jax.jit(brightness_contrast, static_argnames="dtype")(
        images, brightness, shift, contrast, center * 30, dtype=target
    )
    expected = reference.brightness_contrast(images, brightness, shift, contrast, center * 30, dtype=target)
    assert got.dtype == target
    np.testing.assert_array_equal(got, expected)
    got = brightness_contrast(images, 1.1, dtype=target)  # the default centre of `source`
    np.testing.assert_array_equal(got, reference.brightness_contrast(images, 1.1, dtype=target))


def test_a_parameter_a_sample_and_scalars_mix():
    images = np.stack([LEVELS, LEVELS[::-1]]).reshape(2, 16, 16, 1)
    got = brightness_contrast(images, 1.2, [0.1, -0.1], np.float32([1.5, 0.5]), jnp.float32(90))
    for k in (0, 1):
        single = brightness_contrast(images[k : k + 1], 1.2, [0.1, -0.1][k], [1.5, 0.5][k], contrast_center=90)
        np.testing.assert_array_equal(got[k : k + 1], single)


def test_inside_a_larger_program():
    """Products before the call and sums after it are not contracted with the formula."""
    rng = np.random.default_rng(2)
    a, b, c = rng.uniform(0.3, 2.5, (3, 4, 1000)).astype(np.float32)
    slope, center = rng.uniform(0.3, 2.5, (2, 4)).astype(np.float32)

    @jax.jit
    def program(a, b, c, slope, center):
        out = brightness_contrast(a * b, 1.3, 0.2, slope * slope, center * slope)
        return out + c

    expected = reference.brightness_contrast(a * b, 1.3, 0.2, slope * slope, center * slope) + c
    np.testing.assert_array_equal(program(a, b, c, slope, center), expected)


@pytest.mark.parametrize("shape", [(256,), (4, 64), (2, 8, 16), (2, 4, 4, 8), (2, 2, 2, 2, 16)])
def test_any_rank(shape):
    images = LEVELS.reshape(shape)
    got = brightness_contrast(images, contrast=1.7)
    assert got.shape == shape
    np.testing.assert_array_equal(got.reshape(1, -1), reference.brightness_contrast(LEVELS[None], contrast=1.7))


def test_defaults_change_nothing():
    np.testing.assert_array_equal(brightness_contrast(LEVELS[None]), LEVELS[None])


@pytest.mark.parametrize(
    ("dtype", "center"),
    [
        (np.uint8, 128),
        (np.int16, 16384),
        (np.uint16, 32768),
        (np.float32, 0.5),
        (jnp.bfloat16, 0.5),
    ],
)
def test_default_center(dtype, center):
    assert default_contrast_center(dtype) == center
    images = np.ones((1, 4), dtype)
    np.testing.assert_array_equal(
        brightness_contrast(images, contrast=0.5, dtype=np.float32),
        np.float32([[center + 0.5 * (1 - center)] * 4]),
    )


@pytest.mark.parametrize("name", ["brightness", "brightness_shift", "contrast", "contrast_center"])
def test_wrong_shape_names_the_parameter(name):
    images = np.zeros((3, 4, 4, 3), np.uint8)
    with pytest.raises(ConfigError, match=rf"^{name} has shape \(2,\) for 3 images"):
        brightness_contrast(images, **{name: np.ones(2)})


def test_wrong_images():
    with pytest.raises(ConfigError, match="bool has no brightness"):
        brightness_contrast(np.zeros((1, 2), np.bool_))
    with pytest.raises(ConfigError, match="bool has no brightness"):
        brightness_contrast(np.zeros((1, 2), np.uint8), dtype=np.bool_)
    with pytest.raises(ConfigError, match="a scalar"):
        brightness_contrast(np.uint8(3))
