"""Regions of images, pasted on others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ..errors import ConfigError

__all__ = ["paste_region", "paste_regions"]


def paste_regions(
    images: Any, ids: Any, size: Sequence[int], *, starts: Any, extents: Any, places: Any, counts: Any = None
) -> jax.Array:
    """Pastes regions of a batch's images on canvases of zeros, one over the other.

    Args:
        images: `[N, H, W, C]`.
        ids: `int32[M, K]`, which image each region is of, 0 to N - 1.
        size: (height, width) of the canvases.
        starts: `int32[M, K, 2]`, row and column in the image where each region begins.
        extents: `int32[M, K, 2]`, height and width of each region.
        places: `int32[M, K, 2]`, row and column of the canvas where it is pasted. Nothing is pasted beyond the canvas.
        counts: `int32[M]`, how many of the K regions there are; None: all.

    Returns:
        `[M, *size, C]`, of the type of the images.

    Raises:
        ConfigError: images are no such array.
    """
    if images.ndim != 4:
        raise ConfigError(f"expected images [N, H, W, C], got an array of shape {list(images.shape)}.")
    many = ids.shape[1]
    extents = jnp.maximum(extents, 0)
    if counts is not None:
        there = jnp.arange(many) < jnp.reshape(counts, (-1, 1))
        extents = jnp.where(there[..., None], extents, 0)

    def paste(at: Any, canvas: Any) -> Any:
        mine, start, extent, place = (
            lax.dynamic_index_in_dim(one, at, axis=1, keepdims=False) for one in (ids, starts, extents, places)
        )
        return paste_region(canvas, images[jnp.clip(mine, 0, len(images) - 1)], start, extent, place)

    # Of all that vary over the devices of a `shard_map`, as what is pasted does.
    zero = (jnp.sum(images[:0]) + jnp.sum(ids[:0])).astype(images.dtype)
    return lax.fori_loop(0, many, paste, jnp.zeros((len(ids), *size, images.shape[3]), images.dtype) + zero)


def paste_region(canvas: Any, images: Any, start: Any, extent: Any, place: Any) -> jax.Array:
    """Pastes a region of each image on its canvas.

    Args:
        canvas: `[N, H, W, C]`.
        images: `[N, h, w, C]`, of the same type.
        start, extent, place: `int32[N, 2]`, as of `paste_regions`.

    Returns:
        `[N, H, W, C]`.
    """
    inside: Any = True
    found = images
    for axis in (1, 2):
        length, have = canvas.shape[axis], images.shape[axis]
        # Room for windows that begin before the image or end behind it.
        found = jnp.pad(found, [(length, length) if k == axis else (0, 0) for k in range(4)])
        shift = jnp.clip(start[:, axis - 1] - place[:, axis - 1] + length, 0, have + length)
        found = jax.vmap(lambda row, at: lax.dynamic_slice_in_dim(row, at, length, axis - 1))(found, shift)  # noqa: B023
        along = lax.broadcasted_iota(jnp.int32, [length if k == axis else 1 for k in range(4)], axis)
        low, high = (one[:, axis - 1].reshape(-1, 1, 1, 1) for one in (place, place + extent))
        inside = inside & (along >= low) & (along < high)
    return jnp.where(inside, found, canvas)
