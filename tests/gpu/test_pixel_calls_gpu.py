"""Warps, counts of levels and look-ups of levels on a GPU: bit for bit the results of the CPU's calls."""

from __future__ import annotations

import functools

import jax
import numpy as np
import pytest

from jaxdali._device.ffi import pixel_calls
from jaxdali._device.ffi.compat import local_gpus
from jaxdali._device.image.stencil import BORDERS

pytestmark = pytest.mark.gpu

SAMPLES = 5


def assert_the_same(function, *operands):
    """Compares a GPU and the CPU, and checks that not all results are zeros."""
    found, expected = (
        jax.device_get(jax.jit(function)(*jax.device_put(operands, device)))
        for device in (local_gpus()[0], jax.local_devices(backend="cpu")[0])
    )
    assert expected.any()
    np.testing.assert_array_equal(found, expected, strict=True)


def pixels(dtype: str, *shape: int) -> np.ndarray:
    numbers = np.random.default_rng(0).normal(100, 90, (SAMPLES, *shape))
    return (np.clip(numbers, 0, 255) if dtype == "uint8" else numbers).astype(dtype)


def extents(*largest: int) -> np.ndarray:
    """Returns the extents of each sample within a canvas: all of it for the first one, nothing for the last."""
    found = np.random.default_rng(1).integers(1, np.asarray(largest) + 1, (SAMPLES, len(largest)))
    found[0], found[-1] = largest, 0
    return found.astype(np.int32)


def maps(axes: int) -> np.ndarray:
    rng = np.random.default_rng(2)
    turned = np.eye(axes) + rng.normal(0, 0.4, (SAMPLES, axes, axes))
    return np.concatenate([turned, rng.normal(0, 20, (SAMPLES, axes, 1))], axis=2).astype(np.float32)


def places(axes: int, size: tuple[int, ...]) -> np.ndarray:
    found = np.random.default_rng(3).uniform(-30, 150, (axes, SAMPLES, *size)).astype(np.float32)
    found.reshape(-1)[:4] = np.nan, 1e12, -1e12, np.inf
    return found


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize("between", [0, 1, 2])
@pytest.mark.parametrize("size", [(90, 128), (61, 203)], ids=["words", "bytes"])
def test_images_of_bytes_are_warped(border, channels, between, size):
    """Rows of results that begin at words, and rows that do not."""
    images = pixels("uint8", 97, 131, channels)
    fill = np.arange(channels).astype(np.uint8 if between == 0 else np.float32) * 40
    settings = {"border": BORDERS.index(border), "between": between}
    for where in (maps(2), places(2, size)):
        assert_the_same(
            functools.partial(pixel_calls.warp, size=size, dtype=np.uint8, **settings),
            *(images, where, extents(97, 131), extents(*size), fill),
        )


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint16", "float32"])
@pytest.mark.parametrize("canvas", [(80, 70), (20, 31, 45)], ids=["images", "volumes"])
@pytest.mark.parametrize("between", [0, 1, 2])
def test_images_and_volumes_of_each_type_are_warped(dtype, canvas, between):
    axes = len(canvas)
    if (axes, between) == (3, 2):
        between = 1
    for channels in (2, 3):
        fill = np.full(channels, 7, dtype if between == 0 else np.float32)
        assert_the_same(
            functools.partial(
                pixel_calls.warp, size=canvas, dtype=dtype if between == 0 else np.float32, border=4, between=between
            ),
            *(pixels(dtype, *canvas, channels), maps(axes), extents(*canvas), extents(*canvas), fill),
        )


@pytest.mark.parametrize("channels", [1, 3, 6])
@pytest.mark.parametrize(("tiles", "many"), [((480, 640), (1, 1)), ((37, 23), (4, 5)), ((1, 1), (2, 3))])
def test_levels_are_counted(channels, tiles, many):
    assert_the_same(
        functools.partial(pixel_calls.count_levels, many=many),
        *(pixels("uint8", 131, 97, channels), extents(131, 97), np.int32([tiles])),
    )


@pytest.mark.parametrize("channels", [1, 3, 6])
@pytest.mark.parametrize("width", [128, 97])
def test_levels_are_looked_up(channels, width):
    tables = np.random.default_rng(4).integers(0, 256, (SAMPLES, channels, 256), np.uint8)
    assert_the_same(pixel_calls.look_up_levels, pixels("uint8", 131, width, channels), tables, extents(131, width))
