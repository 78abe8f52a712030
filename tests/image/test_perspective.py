"""Perspectives, maps of positions and lenses: compared with NumPy, and for images of different sizes."""

from __future__ import annotations

import functools

import jax
import numpy as np
import pytest

from jaxdali import image
from jaxdali.errors import ConfigError
from jaxdali.image import affine

f32 = np.float32
SHAPES = np.int32([[17, 12, 2], [20, 21, 2], [9, 5, 2]])
MATRIX = f32([[1.1, 0.2, -2], [-0.1, 0.9, 1.5], [0.004, -0.003, 1]])


def pixels(dtype=np.uint8) -> np.ndarray:
    canvas = np.zeros((3, 20, 21, 2), dtype)
    rng = np.random.default_rng(0)
    for one, (height, width, _) in zip(canvas, SHAPES, strict=True):
        one[:height, :width] = rng.integers(1, 256, (height, width, 2))
    return canvas


@jax.jit
def seen(images, shapes):
    extents = shapes[:, :2]
    moves = np.ones((3, 20, 21, 2), f32) * f32([1, -2])
    places = np.mgrid[:20, :21].astype(f32)[:, None]
    return [
        image.warp_perspective(images, MATRIX, shapes=shapes, extents=extents, filter="cubic"),
        image.sphere(images, shapes),
        image.water(images, shapes, amplitude=(2, 3), frequency=(0.3, 0.2), filter="linear"),
        image.shaken(images, moves, shapes, fill=7),
        image.remap(images, places[1], places[0], shapes, extents=extents, pixel_origin="center"),
    ]


def test_images_on_a_canvas_are_seen_as_alone():
    images = pixels()
    found = [np.asarray(one) for one in seen(images, SHAPES)]
    for k, (height, width, _) in enumerate(SHAPES):
        alone = np.zeros_like(images)
        alone[:, :height, :width] = images[k, :height, :width]
        same = [np.asarray(one) for one in seen(alone, np.tile(SHAPES[k], (3, 1)))]
        for one, other in zip(found, same, strict=True):
            np.testing.assert_array_equal(one[k], other[0])
            assert not one[k, height:].any() and not one[k, :, width:].any()
        moved = np.full_like(images[k, :height, :width], 7)
        moved[2:, :-1] = images[k, : height - 2, 1:width]
        np.testing.assert_array_equal(found[3][k, :height, :width], moved)
    # Each pixel comes from its own position.
    np.testing.assert_array_equal(found[4], images)


def test_a_perspective_is_where_its_formula_says():
    images = np.zeros((1, 20, 21, 2), f32)
    images[0, ..., 1], images[0, ..., 0] = np.mgrid[:20, :21]
    found = np.asarray(image.warp_perspective(images, MATRIX, border="clamp", pixel_origin="center"))
    y, x = np.mgrid[:20, :21]
    u, v, w = np.einsum("ij,jhw->ihw", MATRIX.astype(float), np.stack([x, y, np.ones_like(x)]))
    np.testing.assert_allclose(found[0, ..., 0], np.clip(u / w, 0, 20), atol=1e-4)
    np.testing.assert_allclose(found[0, ..., 1], np.clip(v / w, 0, 19), atol=1e-4)
    run = jax.jit(functools.partial(image.warp_perspective, filter="nearest"), static_argnames="inverse_map")
    back = np.linalg.inv(MATRIX.astype(float)).astype(f32)
    same = np.asarray(run(images, MATRIX)) == np.asarray(run(images, back, inverse_map=False))
    assert same.mean() > 0.99


def test_a_map_of_volumes_and_its_inverse():
    rng = np.random.default_rng(5)
    matrix = (np.eye(3, 4) + rng.uniform(-0.4, 0.4, (6, 3, 4))).astype(f32)
    back = affine.combine(matrix, affine.inverted(matrix))
    np.testing.assert_allclose(back, np.broadcast_to(np.eye(3, 4), back.shape), atol=1e-5)
    np.testing.assert_array_equal(jax.jit(affine.inverted)(matrix), affine.inverted(matrix))


def test_volumes_are_turned_by_quarters_as_numpy_turns_them():
    rng = np.random.default_rng(6)
    volumes = rng.integers(1, 256, (2, 6, 8, 8, 1)).astype(np.uint8)
    shapes = np.int32([[5, 7, 6, 1], [6, 8, 8, 1]])
    degrees, axis = f32([90, -90]), f32([[0, 0, 2], [3, 0, 0]])
    extents = image.rotated_volume_extents(degrees, axis, shapes)
    np.testing.assert_array_equal(extents, [[5, 6, 7], [8, 6, 8]])
    turned = jax.jit(lambda *given: image.rotate_volumes(*given[:3], (8, 8, 8), given[3], extents=given[4]))
    found = np.asarray(turned(volumes, degrees, axis, shapes, extents))
    np.testing.assert_array_equal(found[0, :5, :6, :7], np.rot90(volumes[0, :5, :7, :6], -1, (1, 2)))
    np.testing.assert_array_equal(found[1, :8, :6, :8], np.rot90(volumes[1], 1, (0, 1)))
    assert not found[0, 5:].any() and not found[1, :, 6:].any()
    np.testing.assert_array_equal(jax.jit(image.rotated_volume_extents)(degrees, axis, shapes), extents)


def test_wrong_arguments():
    with pytest.raises(ConfigError, match=r"matrix has shape \(2, 3\) for 3 images"):
        image.warp_perspective(pixels(), np.eye(2, 3))
    with pytest.raises(ConfigError, match="border is 'mirror'"):
        image.warp_perspective(pixels(), MATRIX, border="mirror")
    with pytest.raises(ConfigError, match="pixel_origin is 'middle'"):
        image.warp_perspective(pixels(), MATRIX, pixel_origin="middle")
    with pytest.raises(ConfigError, match="map_x and map_y have shapes"):
        image.remap(pixels(), np.zeros((3, 4, 5)), np.zeros((3, 5, 4)))
    with pytest.raises(ConfigError, match=r"degrees have shape \(2,\) and axis \(3,\) for 1 volumes"):
        image.rotate_volumes(np.zeros((1, 2, 2, 2, 1)), f32([1, 2]), (0, 0, 1))
    with pytest.raises(ConfigError, match=r"moves have shape \(3, 2\)"):
        image.shaken(pixels(), np.zeros((3, 2)))
