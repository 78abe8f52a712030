"""A GPU draws the same as the CPU, bit for bit, for a million keys; resized images are the same, too."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from jaxdali._device.ffi.compat import local_gpus
from jaxdali.image import resize
from jaxdali.random import coin_flip, resized_crop_window, sample_keys, uniform

pytestmark = pytest.mark.gpu

KEYS = 1_000_000


def on_both(function, *operands):
    results = []
    for device in (local_gpus()[0], jax.local_devices(backend="cpu")[0]):
        placed = jax.device_put(operands, device)
        results.append(jax.device_get(jax.jit(function)(*placed)))
    return results


def test_a_million_windows_and_draws():
    sizes = np.random.default_rng(0).integers(1, 4000, (KEYS, 3), np.int32)
    keys = jax.random.key_data(sample_keys(7, 3, 1, np.arange(KEYS)))

    def draw(data, sizes):
        keys = jax.random.wrap_key_data(data, impl="threefry2x32")
        return (
            resized_crop_window(keys, sizes),
            resized_crop_window(keys, sizes, area=(0.3, 0.4), aspect_ratio=(1.9, 2.1), attempts=3),
            uniform(keys, minval=-1.5, maxval=7.25),
            coin_flip(keys, 0.3),
        )

    for found, expected in zip(*on_both(draw, keys, sizes), strict=True):
        assert found.shape[0] == KEYS and len(np.unique(found)) > 1
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("size", [(224, 224), (37, 911)])
def test_resized_images(size):
    images = np.random.default_rng(1).integers(0, 256, (4, 375, 500, 3), np.uint8)
    found, expected = on_both(lambda x: resize(x, size, dtype=np.float32), images)
    np.testing.assert_array_equal(found, expected)
