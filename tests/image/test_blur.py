"""Gaussian blur compared with NumPy."""

from __future__ import annotations

import functools

import jax
import numpy as np
import pytest

from jaxdali import image
from jaxdali._device.image.exponential import exponential
from jaxdali.errors import ConfigError

SHAPES = np.int32([[11, 9, 2], [4, 12, 2], [1, 3, 2]])


def pixels() -> np.ndarray:
    canvas = np.zeros((3, 12, 13, 2), np.uint8)
    rng = np.random.default_rng(0)
    for one, (height, width, _) in zip(canvas, SHAPES, strict=True):
        one[:height, :width] = rng.integers(0, 256, (height, width, 2))
    return canvas


def blurred(one: np.ndarray, sigma: float) -> np.ndarray:
    radius = int(np.ceil(3 * sigma))
    taps = np.arange(-radius, radius + 1)
    weights = np.exp(-(taps**2) / (2 * sigma**2))
    found = one.astype(np.float64)
    for axis in (0, 1):
        padded = np.pad(found, [(radius, radius) if k == axis else (0, 0) for k in range(3)], mode="reflect")
        found = np.apply_along_axis(np.convolve, axis, padded, weights / weights.sum(), mode="valid")
    return found


@pytest.mark.parametrize("max_radius", [None, 6])
def test_blurred_pixels_are_those_of_numpy(max_radius):
    sigma = np.float32([0.6, 1.9, 1.0])
    run = jax.jit(functools.partial(image.gaussian_blur, max_radius=max_radius, dtype=np.float32))
    found = np.asarray(run(pixels(), sigma, shapes=SHAPES))
    for own, one, shape, each in zip(found, pixels(), SHAPES, sigma, strict=True):
        inside = own[: shape[0], : shape[1]]
        np.testing.assert_allclose(inside, blurred(one[: shape[0], : shape[1]], float(each)), atol=1e-3)
        assert np.count_nonzero(own) == np.count_nonzero(inside)


def test_exponentials_are_the_same_in_numpy_and_compiled():
    x = -np.random.default_rng(1).uniform(0, 90, 10_000).astype(np.float32)
    np.testing.assert_array_equal(jax.jit(exponential)(x), exponential(x))
    np.testing.assert_allclose(exponential(x)[x > -87], np.exp(x.astype(np.float64))[x > -87], rtol=3e-7)


def test_wrong_windows():
    with pytest.raises(ConfigError, match="one of them above 0, and odd windows"):
        image.gaussian_blur(pixels())
    with pytest.raises(ConfigError, match="odd windows"):
        image.gaussian_blur(pixels(), window_size=4)
    with pytest.raises(ConfigError, match=r"sigma has shape \(2,\) for 3 images"):
        image.gaussian_blur(pixels(), np.ones(2))
