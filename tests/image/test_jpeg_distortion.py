"""JPEG's distortion of images: by the CPU's call, and by its definition as XLA compiles it. DALI's: tests/oracles."""

from __future__ import annotations

import importlib

import jax
import numpy as np
import pytest

from jaxdali import image
from jaxdali._device.ffi import cpu_calls

# The function of the same name hides the module.
module = importlib.import_module("jaxdali._device.image.jpeg_distortion")
SHAPES = np.int32([[35, 150, 3], [16, 16, 3], [33, 4, 3], [1, 97, 3], [0, 5, 3]])
QUALITY = np.int32([1, 50, 90, 100, 7])


def images() -> np.ndarray:
    """Draws noise, and steps between 0 and 255."""
    rng = np.random.default_rng(0)
    made = rng.integers(0, 256, (len(SHAPES), 35, 150, 3)).astype(np.uint8)
    made[0, :, 64:] = np.where(rng.random((35, 86, 1)) < 0.5, 0, 255)
    return made


def test_the_call_gives_the_same_bits():
    program = jax.jit(image.jpeg_distortion).lower(images(), QUALITY, SHAPES)
    assert "custom_call @jaxdali_jpeg_distortion_v1" in program.as_text()
    found = program.compile()(images(), QUALITY, SHAPES)
    generic = jax.jit(module._distorted_generically)
    np.testing.assert_array_equal(found, generic(images(), module._quantizers(QUALITY), SHAPES[:, :2]), strict=True)
    one = image.jpeg_distortion(images()[:1])
    np.testing.assert_array_equal(one[0], image.jpeg_distortion(images(), 50, np.tile(SHAPES[:1], (5, 1)))[0])


def test_numbers_that_lie_are_held():
    """Quantizers are clipped to 1 to 255, extents to the canvas."""
    lies = np.int32([0, -(2**31), 2**31 - 1, 256, 255])
    tables = np.broadcast_to(lies.reshape(-1, 1, 1, 1), (5, 2, 8, 8))
    far = np.int32([[-(2**31), 9], [2**31 - 1] * 2, [99, 150], [35, 2**31 - 1], [35, 150]])
    inside = np.clip(far, 0, [35, 150]).astype(np.int32)
    np.testing.assert_array_equal(
        cpu_calls.jpeg_distortion(images(), tables, far),
        cpu_calls.jpeg_distortion(images(), np.clip(tables, 1, 255).astype(np.int32), inside),
    )


@pytest.mark.parametrize(
    "shapes",
    [
        ((2, 8, 8, 3), (3, 2, 8, 8), (1, 2)),
        ((2, 8, 8, 3), (1, 2, 8, 7), (1, 2)),
        ((2, 8, 8, 1), (1, 2, 8, 8), (1, 2)),
        ((2, 8, 8, 3), (1, 2, 8, 8), (2, 3)),
    ],
)
def test_operands_that_contradict_each_other(shapes):
    made = [np.zeros(shape, dtype) for shape, dtype in zip(shapes, ("uint8", "int32", "int32"), strict=True)]
    with pytest.raises(jax.errors.JaxRuntimeError, match="jaxdali_jpeg_distortion_v1: shapes are not images"):
        jax.block_until_ready(cpu_calls.jpeg_distortion(*made))
