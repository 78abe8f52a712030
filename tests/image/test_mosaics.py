"""Sensor mosaics: by the CPU's call, and by its definition as XLA compiles it."""

from __future__ import annotations

import functools

import jax
import numpy as np
import pytest

from jaxdali import ConfigError, image
from jaxdali._device.image import mosaics


@pytest.mark.parametrize("algorithm", ["bilinear", "edgeaware", "gray"])
def test_the_call_makes_what_the_definition_does(algorithm):
    rng = np.random.default_rng(0)
    pixels = rng.integers(0, 1 << 16, (5, 9, 70)).astype(np.uint16)
    extents = np.int32([[9, 70], [5, 4], [2, 70], [9, 2], [0, 0]])
    positions = rng.integers(0, 2, (5, 2)).astype(np.int32)
    program = jax.jit(functools.partial(mosaics._nearest, algorithm=algorithm)).lower(pixels, extents, positions)
    assert "custom_call @jaxdali_demosaic_v1" in program.as_text()
    found = np.asarray(program.compile()(pixels, extents, positions))
    generic = jax.jit(functools.partial(mosaics._nearest_generically, algorithm=algorithm))
    np.testing.assert_array_equal(found, generic(pixels, extents, positions), strict=True)
    assert found[0].any() and not found[2:].any() and not found[1, 5:].any() and not found[1, :, 4:].any()


def test_mosaics_that_are_none():
    pixels = np.zeros((2, 8, 8, 1), np.uint16)
    for given, words in (
        ((pixels, (0, 0), None, "vng"), r"expected uint8\[N, H, W, 1\] for 'vng'"),
        ((pixels, (0, 0), None, "npp"), "algorithm is 'npp'"),
        ((pixels, (0, 0, 1), None, "gray"), "blue_position has shape"),
        ((np.repeat(pixels, 3, axis=3), (0, 0), None, "gray"), "expected uint8 or uint16"),
    ):
        array, position, shapes, algorithm = given
        with pytest.raises(ConfigError, match=words):
            image.debayer(array, position, shapes, algorithm=algorithm)
