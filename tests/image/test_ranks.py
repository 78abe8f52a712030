"""The minimum, maximum and median of neighbours, compared with plain NumPy."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxdali import ConfigError
from jaxdali.image import dilate, erode, median_blur

PADS = {"reflect_101": "reflect", "reflect_1001": "symmetric", "wrap": "wrap", "clamp": "edge", "constant": "constant"}
SHAPES = np.int32([[9, 8, 2], [5, 8, 2], [9, 6, 2]])


def plain(pick, image, size, before, border, fill=0):
    """Applies `pick` to the window around each pixel of one image."""
    sides = [(before[k], size[k] - 1 - before[k]) for k in range(2)]
    fills = {"constant_values": fill} if border == "constant" else {}
    wide = np.pad(image, [*sides, (0, 0)], PADS[border], **fills)
    windows = np.lib.stride_tricks.sliding_window_view(wide, size, (0, 1))
    return pick(windows.reshape(*windows.shape[:3], -1), axis=-1)


def batch(dtype):
    rng = np.random.default_rng(3)
    images = rng.normal(0, 60, (3, 9, 8, 2)).astype(dtype) if dtype == np.float32 else None
    if images is None:
        images = rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, (3, 9, 8, 2), dtype, endpoint=True)
    for image, (height, width, _) in zip(images, SHAPES, strict=True):
        image[height:] = image[:, width:] = 0
    return images


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32])
def test_the_middle(dtype):
    images = batch(dtype)
    sizes = np.int32([[3, 3], [5, 1], [3, 5]])
    alike = jax.jit(lambda one: median_blur(one, (3, 5), SHAPES))(images)
    own = jax.jit(lambda one, size: median_blur(one, size, SHAPES))(images, sizes)
    for k, (height, width, _) in enumerate(SHAPES):
        image = images[k, :height, :width]
        for found, size in ((alike[k], (3, 5)), (own[k], tuple(sizes[k]))):
            wanted = plain(np.median, image, size, (size[0] // 2, size[1] // 2), "clamp").astype(dtype)
            np.testing.assert_array_equal(found[:height, :width], wanted)
            assert not np.any(found[height:]) and not np.any(found[:, width:])


@pytest.mark.parametrize("border", PADS)
def test_the_least_and_the_largest(border):
    images = batch(np.uint8)
    sizes, anchors = np.int32([[3, 2], [1, 4], [2, 3]]), np.int32([[-1, 0], [0, 3], [1, -1]])

    @jax.jit
    def both(images, sizes, anchors):
        options = {"shapes": jnp.asarray(SHAPES), "border": border}
        return [
            (one(images, (2, 3), (0, -1), iterations=2, **options), one(images, sizes, anchors, **options))
            for one in (dilate, erode)
        ]

    for (alike, own), pick, fill in zip(both(images, sizes, anchors), (np.max, np.min), (0, 255), strict=True):
        for k, (height, width, _) in enumerate(SHAPES):
            image = images[k, :height, :width]
            wanted = plain(pick, image, (3, 5), (0, 2), border, fill)
            np.testing.assert_array_equal(alike[k, :height, :width], wanted)
            before = np.where(anchors[k] < 0, sizes[k] // 2, anchors[k])
            wanted = plain(pick, image, tuple(sizes[k]), before, border, fill)
            np.testing.assert_array_equal(own[k, :height, :width], wanted)
            assert not np.any(own[k, height:]) and not np.any(alike[k, :, width:])


def test_what_is_out_of_range():
    images = jnp.zeros((1, 4, 4, 1), jnp.uint8)
    for wrong in (
        lambda: median_blur(images, 4),
        lambda: median_blur(images[0]),
        lambda: dilate(images, 0),
        lambda: dilate(images, 3, 3),
        lambda: erode(images, border="mirror"),
        lambda: erode(images, iterations=0),
    ):
        with pytest.raises(ConfigError, match="expected"):
            wrong()
