"""Weighted sums of the neighbours of each pixel, along any axes; what lies beyond the edges of images.

Sums are float32, step by step in the order of the weights, so that every platform makes the same numbers.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from .exact import product, rounded
from .held import held

__all__ = ["BORDERS", "border_index", "weigh", "widened"]

# What images go on with beyond their edges.
BORDERS = ("reflect_101", "reflect_1001", "wrap", "clamp", "constant")

# Up to here a loop over the weights is unrolled, and XLA makes one pass over the image of it.
_FEW = 64


def border_index(border: str, place: Any, extent: Any) -> Any:
    """Of places `int32[N or 1, K]` those in an image of `extent: int32[N]` pixels that have their value: `int32[N, K]`.

    Args:
        border: one of BORDERS; "constant" is as "clamp" here.
    """
    extent = jnp.maximum(extent, 1).reshape(-1, 1)
    if border == "reflect_101":
        period = jnp.maximum(2 * extent - 2, 1)
        place = lax.rem(abs(place), period)
        found = jnp.minimum(place, period - place)
    elif border == "reflect_1001":
        place = jnp.mod(place, 2 * extent)
        found = jnp.minimum(place, 2 * extent - 1 - place)
    elif border == "wrap":
        found = jnp.mod(place, extent)
    else:
        found = place
    return jnp.clip(found, 0, extent - 1)


def widened(pixels: Any, axis: int, before: Any, length: int, extent: Any, border: str, fill: Any = 0) -> jax.Array:
    """Images with what lies beyond their edges along an axis.

    Args:
        pixels: `[N, ...]`.
        before: `int32[N or 1]`, how many places come before the first pixel; a number where it is the same for all.
        length: of the result's axis.
        extent: `int32[N]` of each image along the axis; None: it fills it.
        border: one of BORDERS.
        fill: of "constant", what broadcasts against `pixels`.
    """
    canvas = pixels.shape[axis]
    dense = extent is None and isinstance(before, int)
    own = jnp.asarray([canvas], jnp.int32) if extent is None else extent
    place = lax.broadcasted_iota(jnp.int32, (1, length), 1) - (before if isinstance(before, int) else before[:, None])
    index = border_index(border, place, own)
    if dense and 0 <= before and before + canvas <= length:
        # All but the edges is copied as it is.
        sides = [jnp.take(pixels, part, axis=axis) for part in (index[0, :before], index[0, before + canvas :])]
        found = jnp.concatenate([sides[0], pixels, sides[1]], axis=axis)
    else:
        found = _rows(pixels, axis, index)
    if border != "constant":
        return found
    along = [1] * pixels.ndim
    along[0], along[axis] = index.shape[0], length
    inside = ((place >= 0) & (place < own.reshape(-1, 1))).reshape(along)
    return jnp.where(inside, found, jnp.asarray(fill, found.dtype))


def weigh(pixels: Any, weights: Any, size: Sequence[int]) -> jax.Array:
    """Sums of each window of images: result `p` is that of `weights[k] * pixels[p + k]`, the last axis of k first.

    Args:
        pixels: `float32[N, *axes, C]`, each of its axes as long as the result's and the weights' less one, at least.
        weights: `float32[N or 1, *axes]`.
        size: of the result's axes.

    Returns:
        `float32[N, *size, C]`.
    """
    samples, channels = len(pixels), pixels.shape[-1]
    *lead, last = weights.shape[1:]
    # Rows of pixels with their channels are one axis, so that loops over it are long.
    flat = held(pixels.reshape(*pixels.shape[:-2], pixels.shape[-2] * channels))
    width = size[-1] * channels

    def row(start: Any, row_weights: Any, total: Any) -> Any:
        part = lax.dynamic_slice(flat, (0, *start, 0), (samples, *size[:-1], flat.shape[-1]))
        for k in range(last):
            weight = row_weights[:, k].reshape(len(weights), *[1] * (flat.ndim - 1))
            term = product(weight, lax.slice_in_dim(part, k * channels, k * channels + width, axis=part.ndim - 1))
            total = term if total is None else rounded(total + term)
        return total

    def finished(total: Any) -> jax.Array:
        return jnp.broadcast_to(total, (samples, *size[:-1], width)).reshape(samples, *size, channels)

    if math.prod(lead) * last <= _FEW:
        starts = itertools.product(*map(range, lead))
        return finished(functools.reduce(lambda total, at: row(at, weights[(slice(None), *at)], total), starts, None))
    rows = weights.reshape(len(weights), math.prod(lead), last)

    def step(at: Any, total: Any) -> Any:
        start, rest = [], at
        for extent in reversed(lead):
            start.insert(0, rest % extent)
            rest = rest // extent
        mine = lax.dynamic_index_in_dim(rows, at, axis=1, keepdims=False)
        return row(start, mine, total) if last <= _FEW else columns(start, mine, total)

    def columns(start: Any, mine: Any, total: Any) -> Any:
        def one(k: Any, total: Any) -> Any:
            part = lax.dynamic_slice(flat, (0, *start, k * channels), (samples, *size[:-1], width))
            weight = lax.dynamic_index_in_dim(mine, k, axis=1).reshape(len(weights), *[1] * (flat.ndim - 1))
            return rounded(total + product(weight, part))

        return lax.fori_loop(0, last, one, total)

    # Of all that vary over the devices of a `shard_map`, as what is added does.
    zero = lax.dynamic_slice(flat, (0,) * flat.ndim, (samples, *size[:-1], width)) * 0
    zero = zero + (weights[:, *[0] * (weights.ndim - 1)] * 0).reshape(len(weights), *[1] * (flat.ndim - 1))
    return finished(lax.fori_loop(0, math.prod(lead), step, zero))


def _rows(pixels: Any, axis: int, index: Any) -> jax.Array:
    """Rows `[N, K, ...]` of an axis, by their index."""
    shape = [1] * pixels.ndim
    shape[0], shape[axis] = index.shape
    return jnp.take_along_axis(pixels, index.reshape(shape), axis=axis, mode="promise_in_bounds")
