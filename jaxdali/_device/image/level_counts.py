"""Counts how often each level occurs in images, or in parts of them. On CPUs a custom call counts."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.typing import ArrayLike

from ..ffi import pixel_calls
from ..ffi.platforms import two_ways
from .barrier import materialize
from .stencil import widened

__all__ = ["LEVELS", "counted"]

LEVELS = 256
# Neighbouring pixels are often equal. They are counted in this many separate places in turn, so that a GPU's threads do
# not wait for each other.
_TURNS = 32


def counted(images: ArrayLike, extents: ArrayLike, tiles: ArrayLike, many: tuple[int, int] = (1, 1)) -> jax.Array:
    """Counts how often each level occurs in each tile of images.

    Args:
        images: `uint8[N, H, W, C]`.
        extents: `int32[N, 2]` of each image in the corner of its row.
        tiles: `int32[N, 2]`, height and width of a tile, at least 1. Tiles reach beyond an image by less than `many`.
        many: number of tiles along (height, width). Beyond its edges an image is mirrored, without repeating its last
            pixel.

    Returns:
        `int32[N, *many, C, 256]`.
    """
    return _counted(images, extents, tiles, many=many)


def _counted_generically(images, extents, tiles, *, many):
    count, _, _, channels = images.shape
    wide = images = materialize(images)
    for axis in (0, 1):
        if many != (1, 1):  # else the tile is the whole image
            wide = widened(wide, axis + 1, 0, images.shape[axis + 1] + many[axis], extents[:, axis], "reflect_101")
    place: Any = jnp.arange(count, dtype=jnp.int32).reshape(-1, 1, 1, 1)
    inside: Any = True
    for axis in (0, 1):
        along = lax.broadcasted_iota(jnp.int32, [wide.shape[k] if k == axis + 1 else 1 for k in range(4)], axis + 1)
        tile = along // tiles[:, axis].reshape(-1, 1, 1, 1)
        inside = inside & (tile < many[axis])
        place = place * many[axis] + jnp.minimum(tile, many[axis] - 1)
    turns = max(_TURNS // (many[0] * many[1]), 1)
    place = place * turns + lax.broadcasted_iota(jnp.int32, (1, 1, wide.shape[2], 1), 2) % turns
    place = (place * channels + jnp.arange(channels, dtype=jnp.int32)[None, None, None]) * LEVELS + wide.astype(
        jnp.int32
    )
    ones = jnp.broadcast_to(inside, wide.shape).astype(jnp.int32)
    # Depends on what varies over the devices of a `shard_map`, as the counts do.
    none = jnp.zeros((count * many[0] * many[1] * turns * channels * LEVELS,), jnp.int32) + jnp.sum(
        images[:0], dtype=jnp.int32
    )
    found = none.at[place].add(ones, mode="promise_in_bounds")
    return jnp.sum(found.reshape(count, *many, turns, channels, LEVELS), axis=3, dtype=jnp.int32)


_counted = two_ways(
    "jaxdali_counted_levels",
    lambda images, *_, many: ((images.shape[0], *many, images.shape[3], LEVELS), jnp.int32),
    _counted_generically,
    lambda images, extents, tiles, many: pixel_calls.count_levels(images, extents, tiles, many),
)
