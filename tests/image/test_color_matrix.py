"""Hue, saturation and colour spaces as mixtures of channels."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from jaxdali import image
from jaxdali._device.image.color_matrix import hue_matrix
from jaxdali._device.image.trigonometry import sine_and_cosine
from jaxdali.errors import ConfigError


def test_sine_and_cosine_are_the_same_in_numpy_and_compiled():
    angles = np.random.default_rng(0).uniform(-1000, 1000, 10_000).astype(np.float32)
    host = sine_and_cosine(angles)
    compiled = jax.jit(sine_and_cosine)(angles)
    for ours, theirs, exact in zip(host, compiled, (np.sin, np.cos), strict=True):
        assert ours.dtype == np.float32
        np.testing.assert_array_equal(ours, theirs)
        np.testing.assert_allclose(ours, exact(np.deg2rad(angles.astype(np.float64))), atol=2e-7)


def test_quarters_of_a_turn_are_exact():
    sine, cosine = sine_and_cosine(np.float32([0, 90, 180, 270, 360, -90, 720 + 180]))
    np.testing.assert_array_equal(sine, [0, 1, 0, -1, 0, -1, 0])
    np.testing.assert_array_equal(cosine, [1, 0, -1, 0, 1, 0, -1])


def test_numbers_and_numbers_a_sample_are_the_same():
    images = np.random.default_rng(1).integers(0, 256, (3, 5, 4, 3)).astype(np.uint8)
    one = image.color_twist(images, 1.1, 0.8, 33.0, 1.4)
    each = jax.jit(image.color_twist)(images, *(np.full(3, value, np.float32) for value in (1.1, 0.8, 33.0, 1.4)))
    np.testing.assert_array_equal(one, each)
    np.testing.assert_array_equal(image.color_twist(images), images)
    np.testing.assert_array_equal(image.hsv(images), images)
    assert image.hsv(images.astype(np.float32), 10).dtype == np.uint8


def test_recipes_mix_the_same():
    images = np.random.default_rng(2).integers(0, 256, (2, 7, 9, 3)).astype(np.uint8)
    found = image.open(images).mix(hue_matrix(2, np.float32([10, -50]), 1.5)).array()
    np.testing.assert_array_equal(found, image.hsv(images, np.float32([10, -50]), 1.5))


# From DALI 2.4.0 on a CPU.
@pytest.mark.parametrize(
    ("pixel", "expected"),
    [
        ((255, 0, 0), (81, 90, 240)),
        ((0, 255, 0), (145, 54, 34)),
        ((0, 0, 255), (41, 240, 110)),
        ((0, 0, 0), (16, 128, 128)),
        ((255, 255, 255), (235, 128, 128)),
    ],
)
def test_known_colours(pixel, expected):
    images = np.uint8(pixel).reshape(1, 1, 1, 3)
    made = image.convert_color_space(images, "RGB", "YCbCr")
    np.testing.assert_array_equal(made.reshape(3), expected)
    back = image.convert_color_space(made, "YCbCr", "BGR")
    np.testing.assert_allclose(back.reshape(3).astype(int), pixel[::-1], atol=2)


def test_wrong_arguments():
    images = np.zeros((2, 4, 4, 3), np.uint8)
    with pytest.raises(ConfigError, match=r"hue has shape \(3,\) for 2 images"):
        image.hsv(images, np.ones(3))
    with pytest.raises(ConfigError, match="expected three channels"):
        image.color_twist(images[..., :2])
    with pytest.raises(ConfigError, match="expected two of them, got 'RGB' and 'RGB'"):
        image.convert_color_space(images, "RGB", "RGB")
    with pytest.raises(ConfigError, match=r"GRAY expects uint8\[N, ..., 1\]"):
        image.convert_color_space(images, "GRAY", "RGB")
