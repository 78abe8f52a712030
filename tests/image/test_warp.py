"""Affine maps, and images moved by them, compared with NumPy step by step."""

from __future__ import annotations

import functools

import jax
import numpy as np
import pytest

from jaxdali import image
from jaxdali._device.image.warp import largest_rotated, rotated_extents
from jaxdali.errors import ConfigError
from jaxdali.image import affine

f32 = np.float32
SHAPES = np.int32([[17, 12, 2], [20, 21, 2], [9, 5, 2]])


def pixels() -> np.ndarray:
    canvas = np.zeros((3, 20, 21, 2), np.uint8)
    rng = np.random.default_rng(0)
    for one, (height, width, _) in zip(canvas, SHAPES, strict=True):
        one[:height, :width] = rng.integers(0, 256, (height, width, 2))
    return canvas


def bilinear(one: np.ndarray, matrix: np.ndarray, size: tuple[int, int], fill: float | None) -> np.ndarray:
    """Moves one image, one pixel at a time."""
    found = np.zeros((*size, one.shape[2]), f32)

    def at(y: int, x: int) -> np.ndarray:
        inside = 0 <= y < one.shape[0] and 0 <= x < one.shape[1]
        if fill is not None and not inside:
            return np.full(one.shape[2], fill, f32)
        return one[min(max(y, 0), one.shape[0] - 1), min(max(x, 0), one.shape[1] - 1)].astype(f32)

    for row, column in np.ndindex(size):
        point = f32(column) + f32(0.5), f32(row) + f32(0.5)
        x, y = ((m[0] * point[0] + m[1] * point[1]) + m[2] - f32(0.5) for m in matrix.astype(f32))
        left, above = int(np.floor(x)), int(np.floor(y))
        rows = []
        for k in (above, above + 1):
            one_of, other = at(k, left), at(k, left + 1)
            rows.append(one_of + (x - f32(left)) * (other - one_of))
        found[row, column] = rows[0] + (y - f32(above)) * (rows[1] - rows[0])
    return found


@pytest.mark.parametrize("fill", [None, 40.0])
def test_warped_pixels_are_those_of_numpy(fill):
    rng = np.random.default_rng(1)
    matrix = (np.eye(2, 3) + rng.uniform(-0.4, 0.4, (3, 2, 3))).astype(f32)
    matrix[:, :, 2] *= 10
    run = jax.jit(functools.partial(image.warp_affine, size=(15, 18), fill=fill, dtype=f32))
    found = run(pixels(), matrix, shapes=SHAPES)
    for own, one, shape, each in zip(found, pixels(), SHAPES, matrix, strict=True):
        np.testing.assert_array_equal(own, bilinear(one[: shape[0], : shape[1]], each, (15, 18), fill))


def test_quarters_of_a_turn_are_pixels_turned():
    images = pixels()
    extents = rotated_extents(f32(90), SHAPES)
    np.testing.assert_array_equal(extents, SHAPES[:, 1::-1])
    turned = jax.jit(lambda *given: image.rotate(given[0], 90, (21, 20), *given[1:], extents=extents))(images, SHAPES)
    for own, one, shape in zip(np.asarray(turned), images, SHAPES, strict=True):
        np.testing.assert_array_equal(own[: shape[1], : shape[0]], np.rot90(one[: shape[0], : shape[1]]))
        assert not own[shape[1] :].any() and not own[:, shape[0] :].any()


def test_extents_are_the_same_in_numpy_and_compiled_and_bounded():
    rng = np.random.default_rng(2)
    extents = rng.integers(1, 3000, (500, 2)).astype(np.int32)
    angles = rng.uniform(-720, 720, 500).astype(f32)
    found = rotated_extents(angles, extents)
    np.testing.assert_array_equal(jax.jit(rotated_extents)(angles, extents), found)
    assert (found <= largest_rotated(extents)).all() and (found.min(axis=1) >= extents.min(axis=1) - 1).all()


def test_a_map_and_its_inverse():
    matrix = affine.combine(affine.rotation(30, np.float32([3, 4])), affine.translation(np.float32([1, -2])))
    back = affine.combine(matrix, affine.inverted(matrix))
    np.testing.assert_allclose(back, np.eye(2, 3), atol=1e-5)
    images = pixels()
    run = jax.jit(image.warp_affine, static_argnames="inverse_map")
    np.testing.assert_array_equal(run(images, matrix, inverse_map=False), run(images, affine.inverted(matrix)))


def test_maps_of_numpy_and_of_jax_are_the_same():
    rng = np.random.default_rng(3)
    vectors = rng.uniform(-3, 3, (4, 2)).astype(f32)

    def made(vectors, angles):
        first = affine.shear(vectors, vectors[..., ::-1])
        second = affine.crop(vectors, vectors + 1, vectors * 2, vectors - 1, absolute=True)
        return affine.combine(first, second, affine.rotation(angles, vectors), affine.shear_of_angles(vectors))

    found = made(vectors, vectors[:, 0] * 50)
    assert found.shape == (4, 2, 3)
    np.testing.assert_array_equal(jax.jit(made)(vectors, vectors[:, 0] * 50), found)


def test_wrong_arguments():
    with pytest.raises(ConfigError, match=r"matrix has shape \(3, 2\) for 3 images"):
        image.warp_affine(pixels(), np.ones((3, 2)))
    with pytest.raises(ConfigError, match=r"degrees have shape \(2,\) for 3 images"):
        image.rotate(pixels(), np.ones(2))
    with pytest.raises(ConfigError, match="filter is 'cubic'"):
        image.rotate(pixels(), 3, filter="cubic")
    with pytest.raises(ConfigError, match="2 and 3 dimensions"):
        affine.combine(affine.translation([1, 2]), affine.translation([1, 2, 3]))


def test_images_of_a_sequence_get_the_same_extents():
    angles, extents = f32([90, 90, 10, 10, 90, 45]), np.tile(np.int32([6, 5]), (6, 1))
    assert rotated_extents(angles, extents).tolist() == [[5, 6], [5, 6], [8, 7], [8, 7], [5, 6], [9, 8]]
    assert rotated_extents(angles, extents, 3).tolist() == [[7, 6]] * 3 + [[9, 8]] * 3
    # Images that do not count may have any angle.
    counted = np.array([True, True, True, True, True, False])
    assert rotated_extents(angles, extents, 3, counted).tolist() == [[7, 6]] * 3 + [[8, 6]] * 3
    np.testing.assert_array_equal(
        jax.jit(rotated_extents, static_argnums=2)(angles, extents, 3, counted),
        rotated_extents(angles, extents, 3, counted),
    )
