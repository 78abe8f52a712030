"""Sums of windows: by the CPU's call, and by their definition as XLA compiles it."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxdali import image
from jaxdali._device.ffi import cpu_calls
from jaxdali._device.image import stencil

CALL = "custom_call @jaxdali_correlate_v1"
SHAPES = np.int32([[11, 9], [4, 12], [1, 3]])
VOLUMES = np.int32([[5, 4, 6], [1, 5, 7], [3, 1, 1]])


def pixels(shapes: np.ndarray, *canvas: int, dtype="uint8") -> np.ndarray:
    made = np.zeros((len(shapes), *canvas), dtype)
    rng = np.random.default_rng(0)
    for one, shape in zip(made, shapes, strict=True):
        place = tuple(map(slice, shape))
        one[place] = rng.integers(0, 256, one[place].shape)
    return made


def weights(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).normal(size=shape).astype(np.float32)


def inside(found: np.ndarray, shapes: np.ndarray) -> list[np.ndarray]:
    return [one[tuple(map(slice, shape))] for one, shape in zip(np.asarray(found), shapes, strict=True)]


def both(*operands, size, shapes, border, fill=0.0, before):
    """Returns what the call makes, and what XLA compiles from the definition."""
    fixed = tuple(one if isinstance(one, int) else None for one in before)
    arrays = [*operands, np.ravel(np.float32(fill)), shapes, *(one for one in before if not isinstance(one, int))]
    settings = {"fixed": fixed, "size": size, "ragged": True, "border": border}
    by_call = jax.jit(functools.partial(stencil._weighed, **settings)).lower(*arrays)
    assert CALL in by_call.as_text()
    generic = jax.jit(functools.partial(stencil._weighed_generically, **settings))
    return [inside(made, shapes) for made in (by_call.compile()(*arrays), generic(*arrays))]


@pytest.mark.parametrize("border", stencil.BORDERS)
def test_the_call_gives_the_same_bits(border):
    before = [np.int32([0, 7, -3]), 2]
    images, kernels, fill = pixels(SHAPES, 12, 37, 2), weights(3, 4, 5), [3.5, -1, 0]
    for call, generic in zip(
        *both(images, kernels, size=(12, 37), shapes=SHAPES, border=border, fill=fill, before=before), strict=True
    ):
        np.testing.assert_array_equal(call, generic, strict=True)


@pytest.mark.parametrize("dtype", ["int16", "uint16", "float32"])
def test_the_call_gives_the_same_bits_of_volumes_of_each_type(dtype):
    volumes, kernels = pixels(VOLUMES, 5, 5, 7, 1, dtype=dtype), weights(1, 2, 3, 3)
    options = {"size": (5, 5, 7), "shapes": VOLUMES, "border": "reflect_101", "before": [0, 1, 1]}
    for call, generic in zip(*both(volumes, kernels, **options), strict=True):
        np.testing.assert_array_equal(call, generic, strict=True)


def test_filters_are_mapped_and_differentiated():
    images, kernel = pixels(SHAPES, 12, 13, 2).astype(np.float32), weights(3, 3)
    alone = image.correlate(images, kernel)
    mapped = jax.jit(jax.vmap(lambda one: image.correlate(one[None], kernel)[0]))(images)
    np.testing.assert_array_equal(mapped, alone)
    # The sum of all results is linear in the pixels, so the slope of each pixel is the sum of the weights.
    slope = jax.jit(jax.grad(lambda one: image.correlate(one, kernel, border="wrap").sum()))(jnp.asarray(images))
    np.testing.assert_allclose(slope, np.full_like(images, kernel.sum()), rtol=1e-4, atol=1e-5)


def test_extents_that_lie_are_read_within_the_canvas():
    images = pixels(SHAPES, 12, 13, 2)
    far = np.int32([[1, -(2**31), 2**31 - 1], [1, 2**31 - 1, -5], [1, 0, 0]])
    for border in range(len(stencil.BORDERS)):
        found, expected = (
            cpu_calls.correlate(
                images[:, None], weights(1, 1, 3, 3), extents, far, np.ones(1, np.float32), (1, 9, 9), border=border
            )
            for extents in (far, np.clip(far, 1, (1, 12, 13)))
        )
        np.testing.assert_array_equal(found, expected)
        assert found[2].any()


@pytest.mark.parametrize(
    ("shapes", "border", "message"),
    [
        (((3, 1, 4, 4, 2), (2, 1, 3, 3), (1, 3), (1, 3)), 0, "shapes are not weights"),
        (((3, 1, 4, 4, 2), (1, 1, 0, 3), (1, 3), (1, 3)), 0, "shapes are not weights"),
        (((3, 1, 4, 4, 2), (1, 1, 3, 3), (1, 2), (1, 3)), 0, "shapes are not weights"),
        (((3, 1, 4, 4, 2), (1, 1, 3, 3), (1, 3), (2, 3)), 0, "shapes are not weights"),
        (((3, 1, 4, 4, 2), (1, 1, 3, 3), (1, 3), (1, 3)), 5, "border is not 0 to 4"),
        (((3, 1, 4, 0, 2), (1, 1, 3, 3), (1, 3), (1, 3)), 0, "there are sums, and no pixels"),
        (((3, 4, 4, 2), (1, 1, 3, 3), (1, 3), (1, 3)), 0, "pixels are not uint8"),
    ],
)
def test_operands_that_contradict_each_other(shapes, border, message):
    made = [np.zeros(shape, dtype) for shape, dtype in zip(shapes, ("uint8", "float32", "int32", "int32"), strict=True)]
    with pytest.raises(jax.errors.JaxRuntimeError, match=f"jaxdali_correlate_v1: {message}"):
        jax.block_until_ready(cpu_calls.correlate(*made, np.zeros(1, np.float32), (1, 4, 4), border=border))


def test_remainders_are_those_of_integers():
    rng = np.random.default_rng(0)
    for largest in (3, 1000, 2**20, 2**30):
        period = rng.integers(1, largest, (5, 1)).astype(np.int32)
        place = rng.integers(-(2**30), 2**30 + 1, (5, 4096)).astype(np.int32) >> rng.integers(0, 30, 4096)
        # Near multiples, where quotients of floats fall on either side.
        place[:, :300] = place[:, :300] // period * period + rng.integers(-1, 2, 300) * (abs(place[:, :300]) < 2**29)
        place[:, 300:302] = -(2**30), 2**30
        np.testing.assert_array_equal(jax.jit(stencil._remainder)(place, period), place % period)
