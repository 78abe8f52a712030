"""Regions of images, pasted on others. On CPUs a call does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .._ffi import cpu_calls
from .._ffi.platforms import two_ways
from ..errors import ConfigError

__all__ = ["paste_regions"]


def paste_regions(
    images: Any, ids: Any, size: Sequence[int], *, starts: Any, extents: Any, places: Any, counts: Any = None
) -> jax.Array:
    """Pastes regions of a batch's images on canvases of zeros, one over the other.

    Args:
        images: `[N, H, W, C]`; or K such arrays, which may differ in extents: region k is of the k-th.
        ids: `int32[M, K]`, which image each region is of, 0 to N - 1; None: that of its canvas's number.
        size: (height, width) of the canvases.
        starts: `int32[M, K, 2]`, row and column in the image where each region begins.
        extents: `int32[M, K, 2]`, height and width of each region.
        places: `int32[M, K, 2]`, row and column of the canvas where it is pasted. Nothing is pasted beyond the canvas.
        counts: `int32[M]`, how many of the K regions there are; None: all.

    Returns:
        `[M, *size, C]`, of the type of the images.

    Raises:
        ConfigError: images are no such arrays, or there is not one for each region.
    """
    sources = [jnp.asarray(one) for one in (images if isinstance(images, list | tuple) else [images])]
    for one in sources:
        if one.ndim != 4 or (one.dtype, one.shape[3]) != (sources[0].dtype, sources[0].shape[3]):
            raise ConfigError(
                f"expected images [N, H, W, C] of one type, got {one.dtype}{list(one.shape)} beside {sources[0].dtype}"
                f"{list(sources[0].shape)}."
            )
    canvases, many = np.shape(starts)[:2]
    if len(sources) not in (1, many):
        raise ConfigError(f"{len(sources)} arrays of images for {many} regions; give one, or one for each region.")
    operands = [jnp.asarray(one, jnp.int32) for one in (starts, extents, places)]
    operands.append(jnp.full((canvases,), many, jnp.int32) if counts is None else jnp.asarray(counts, jnp.int32))
    operands += [] if ids is None else [jnp.asarray(ids, jnp.int32)]
    return _pasted(*operands, *sources, size=tuple(size), own=ids is None)


def _pasted_generically(starts, extents, places, counts, *rest, size, own):
    ids, *sources = (None, *rest) if own else rest
    many = starts.shape[1]
    there = jnp.arange(many) < counts.reshape(-1, 1)
    extents = jnp.where(there[..., None], extents, 0)

    def pasted(at: Any, canvas: Any, images: Any) -> Any:
        start, extent, place = (
            lax.dynamic_index_in_dim(one, at, axis=1, keepdims=False) for one in (starts, extents, places)
        )
        if ids is not None:
            mine = lax.dynamic_index_in_dim(ids, at, axis=1, keepdims=False)
            images = images[jnp.clip(mine, 0, len(images) - 1)]
        return _paste_region(canvas, images, start, extent, place)

    # Of all that vary over the devices of a `shard_map`, as what is pasted does.
    zero = sum(jnp.sum(one[:0]).astype(sources[0].dtype) for one in (starts, *rest))
    canvas = jnp.zeros((len(starts), *size, sources[0].shape[3]), sources[0].dtype) + zero
    if len(sources) == 1:
        return lax.fori_loop(0, many, lambda at, canvas: pasted(at, canvas, sources[0]), canvas)
    for k, images in enumerate(sources):
        canvas = pasted(k, canvas, images)
    return canvas


def _pasted_by_call(starts, extents, places, counts, *rest, size, own):
    ids, *sources = (np.indices(starts.shape[:2], np.int32)[0], *rest) if own else rest
    return cpu_calls.paste(sources, ids, size, starts=starts, extents=extents, places=places, counts=counts)


_pasted = two_ways(
    "jaxdali_pasted",
    lambda starts, *rest, size, **_: ((starts.shape[0], *size, rest[-1].shape[3]), rest[-1].dtype),
    _pasted_generically,
    _pasted_by_call,
    on_gpus=False,
)


def _paste_region(canvas: Any, images: Any, start: Any, extent: Any, place: Any) -> jax.Array:
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
