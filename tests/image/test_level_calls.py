"""Levels that are counted, replaced and mixed: by the CPU's calls, and by their definitions as XLA compiles them."""

from __future__ import annotations

import importlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdali
from jaxdali._device.image import level_changes as levels
from jaxdali._device.image import level_counts

clahe = importlib.import_module("jaxdali._device.image.local_contrast")  # a function has the same name

IMAGES = np.random.default_rng(0).integers(0, 256, (5, 13, 17, 3)).astype(np.uint8)
# Whole images, and images that are smaller than their canvas, down to one pixel.
EXTENTS = np.array([[13, 17], [12, 9], [5, 17], [1, 1], [2, 16]], np.int32)


def by_call(function, name: str, *operands):
    """Returns the result of a program, which must contain the call."""
    program = jax.jit(function).lower(*operands)
    assert f"custom_call @{name}" in program.as_text()
    return np.asarray(program.compile()(*operands))


@pytest.mark.parametrize("many", [(1, 1), (3, 4)])
def test_levels_are_counted_in_tiles_that_go_on_mirrored(many):
    tiles = -(-EXTENTS // many)
    found = by_call(
        lambda images, extents, tiles: level_counts.counted(images, extents, tiles, many),
        "jaxdali_count_levels_v1",
        IMAGES,
        EXTENTS,
        tiles,
    )
    generic = jax.jit(
        lambda images, extents, tiles: level_counts._counted_generically(images, extents, tiles, many=many)
    )
    np.testing.assert_array_equal(found, generic(IMAGES, EXTENTS, tiles))
    for image, extent, tile, counts in zip(IMAGES, EXTENTS, tiles, found, strict=True):
        after = many * tile - extent
        wide = np.pad(image[: extent[0], : extent[1]], [*zip((0, 0), after, strict=True), (0, 0)], "reflect")
        for row, column in np.ndindex(*many):
            part = wide[row * tile[0] : (row + 1) * tile[0], column * tile[1] : (column + 1) * tile[1]]
            for channel in range(3):
                expected = np.bincount(part[..., channel].ravel(), minlength=256)
                np.testing.assert_array_equal(counts[row, column, channel], expected)


@pytest.mark.parametrize("channels", [1, 3])
def test_levels_are_looked_up_within_images(channels):
    images = IMAGES[..., :channels]
    tables = np.random.default_rng(1).integers(0, 256, (len(images), channels, 256)).astype(np.uint8)
    found = by_call(
        lambda *operands: levels._looked_up(*operands, ragged=True),
        "jaxdali_look_up_levels_v1",
        images,
        tables,
        EXTENTS,
    )
    for image, own, table, (height, width) in zip(found, images, tables, EXTENTS, strict=True):
        expected = np.zeros_like(own)
        for channel in range(channels):
            expected[:height, :width, channel] = table[channel][own[:height, :width, channel]]
        np.testing.assert_array_equal(image, expected)
    np.testing.assert_array_equal(
        found, jax.jit(levels._looked_up_generically, static_argnames="ragged")(images, tables, EXTENTS, ragged=True)
    )


def test_tables_of_four_tiles_are_mixed():
    tables = np.random.default_rng(2).integers(0, 256, (len(IMAGES), 3, 4, 3, 256)).astype(np.uint8)
    shares = [
        np.asarray(one)
        for extent, many, axis in ((13, 3, 0), (17, 4, 1))
        for one in clahe._neighbours(extent, many, jnp.asarray(np.maximum(EXTENTS[:, axis] // many, 1)))
    ]
    found = by_call(clahe._mixed, "jaxdali_mix_levels_v1", IMAGES, tables, EXTENTS, *shares)
    generic = np.array(jax.jit(clahe._mixed_generically)(IMAGES, tables, EXTENTS, *shares))
    for one, (height, width) in zip(generic, EXTENTS, strict=True):
        one[height:], one[:, width:] = 0, 0  # the definition says nothing about what lies beyond
    np.testing.assert_array_equal(found, generic)


@pytest.mark.parametrize(
    "function",
    [
        lambda images, shapes: jaxdali.image.clahe(images, (2, 2), shapes=shapes),
        lambda images, shapes: levels.change_levels(images, 4, shapes=shapes),
        lambda images, shapes: jaxdali.image.debayer(images[..., :1], (0, 0), shapes),
    ],
    ids=["clahe", "change_levels", "debayer"],
)
def test_shapes_may_be_any_integers(function):
    shapes = np.concatenate([EXTENTS, np.full((5, 1), 3)], axis=1)
    expected = function(IMAGES, shapes.astype(np.int32))
    np.testing.assert_array_equal(function(IMAGES, shapes.astype(np.int16)), expected)
