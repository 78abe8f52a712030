"""Weighted sums of each pixel's neighbours, along any axes; and what is beyond the edges of images.

Sums are float32, step by step in C order of the weights, so that every platform gives the same numbers. On CPUs a
custom call computes them.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from ..ffi import cpu_calls
from ..ffi.platforms import two_ways
from .barrier import materialize
from .exact_arithmetic import product, rounded, to_float32

__all__ = ["BORDERS", "border_index", "weigh", "weighed", "widened"]

# How images are extended beyond their edges, in the order of the custom call's numbers.
BORDERS = ("reflect_101", "reflect_1001", "wrap", "clamp", "constant")

# Up to this many weights, the loop over them is unrolled, which XLA turns into one pass over the image.
_FEW = 64


_CALL_AXES = 3
_CALL_TYPES = tuple(map(np.dtype, ("uint8", "int16", "uint16", "float32")))


def weighed(
    pixels: Array,
    weights: ArrayLike,
    before: Sequence[Any],
    size: Sequence[int],
    extents: Array = None,
    border: str = "clamp",
    fill: ArrayLike = 0,
) -> jax.Array:
    """Sums the window around each pixel: result `p` is the sum of `weights[k] * pixels[p + k - before]`, in C
    order of k.

    Args:
        pixels: `[N, *axes, C]`, with one to three axes.
        weights: `float32[N or 1, *axes]`.
        before: for each axis a number, or `int32[N or 1]`.
        size: extents of the result's axes.
        extents: `int32[N, axes or more]` of each image in the corner of its row; None: it fills the row.
        border: one of BORDERS.
        fill: the value for "constant", a number or `[N]`.

    Returns:
        `float32[N, *size, C]`, undefined where `p` is outside the image.
    """
    pixels = pixels if pixels.dtype in _CALL_TYPES else to_float32(pixels)
    fixed = tuple(one if isinstance(one, int) else None for one in before)
    operands = [pixels, weights, jnp.asarray(fill, jnp.float32).reshape(-1)]
    operands += [] if extents is None else [extents[:, : len(fixed)].astype(np.int32)]
    operands += [jnp.asarray(one, jnp.int32).reshape(-1) for one in before if not isinstance(one, int)]
    settings = {"fixed": fixed, "size": tuple(size), "ragged": extents is not None, "border": border}
    # The custom call cannot read empty arrays.
    return _weighed_generically(*operands, **settings) if 0 in pixels.shape else _weighed(*operands, **settings)


def _parts(fixed: Sequence[int | None], ragged: bool, operands: Sequence[Any]) -> tuple[list[Any], Any]:
    """Returns `before` for each axis, and the extents, from the operands after the first three."""
    rest = list(operands)
    extents = rest.pop(0) if ragged else None
    return [rest.pop(0) if one is None else one for one in fixed], extents


def _weighed_generically(pixels, weights, fill, *operands, fixed, size, ragged, border):
    before, extents = _parts(fixed, ragged, operands)
    wide, fill = jnp.asarray(to_float32(pixels)), fill.reshape(-1, *[1] * (pixels.ndim - 1))
    for axis, (own, taps, long) in enumerate(zip(before, weights.shape[1:], size, strict=True)):
        if isinstance(own, int) and (own, taps, long) == (0, 1, wide.shape[1 + axis]):
            continue
        extent = None if extents is None else extents[:, axis]
        wide = widened(wide, 1 + axis, own, long + taps - 1, extent, border, fill)
    return weigh(wide, weights, size)


def _weighed_by_call(pixels, weights, fill, *operands, fixed, size, ragged, border):
    before, extents = _parts(fixed, ragged, operands)
    more = _CALL_AXES - len(size)
    canvas = pixels.shape[1:-1]
    if extents is None:
        extents = np.asarray([canvas], np.int32)
    own: list[Any] = [np.zeros(1, np.int32)] * more
    own += [np.full(1, one, np.int32) if isinstance(one, int) else one for one in before]
    found = cpu_calls.correlate(
        jnp.reshape(pixels, (len(pixels), *[1] * more, *pixels.shape[1:])),
        jnp.reshape(weights, (len(weights), *[1] * more, *weights.shape[1:])),
        jnp.pad(extents, ((0, 0), (more, 0)), constant_values=1),
        jnp.stack(jnp.broadcast_arrays(*own), axis=1),
        fill,
        (*[1] * more, *size),
        border=BORDERS.index(border),
    )
    return found.reshape(len(pixels), *size, pixels.shape[-1])


_weighed = two_ways(
    "jaxdali_weighed",
    lambda pixels, *_, size, **__: ((pixels.shape[0], *size, pixels.shape[-1]), jnp.float32),
    _weighed_generically,
    _weighed_by_call,
    on_gpus=False,
)


def border_index(border: str, place: ArrayLike, extent: ArrayLike) -> jax.Array:
    """Maps places `int32[N or 1, K]`, up to 2**30, to those within an image of `extent: int32[N]` pixels that have
    their value: `int32[N, K]`.

    Args:
        border: one of BORDERS; "constant" is treated like "clamp".
    """
    extent = jnp.maximum(extent, 1).reshape(-1, 1)
    if border == "reflect_101":
        period = jnp.maximum(2 * extent - 2, 1)
        place = _remainder(abs(place), period)
        found = jnp.minimum(place, period - place)
    elif border == "reflect_1001":
        place = _remainder(place, 2 * extent)
        found = jnp.minimum(place, 2 * extent - 1 - place)
    elif border == "wrap":
        found = _remainder(place, extent)
    else:
        found = place
    return jnp.clip(found, 0, extent - 1)


def _remainder(place: Any, period: Any) -> Any:
    """`place` modulo `period`, for integers up to 2**30. Uses floats, because CPUs cannot divide vectors of integers."""
    inverse = 1 / period.astype(jnp.float32)
    # The first quotient has a relative error up to 2**-21, which leaves an error up to 2**10; the second is off by 1.
    for _ in range(2):
        place = place - jnp.floor(place.astype(jnp.float32) * inverse).astype(jnp.int32) * period
    place = jnp.where(place < 0, place + period, place)
    return jnp.where(place >= period, place - period, place)


def widened(pixels: Any, axis: int, before: Any, length: int, extent: Any, border: str, fill: Any = 0) -> jax.Array:
    """Extends images beyond their edges along an axis.

    Args:
        pixels: `[N, ...]`.
        before: `int32[N or 1]`, how many places precede the first pixel; a number if it is the same for all.
        length: of the result's axis.
        extent: `int32[N]` of each image along the axis; None: it fills the axis.
        border: one of BORDERS.
        fill: the value for "constant", which broadcasts against `pixels`.
    """
    canvas = pixels.shape[axis]
    if not canvas:  # nothing of it can be repeated, and nothing of the result is part of an image
        return jnp.zeros((*pixels.shape[:axis], length, *pixels.shape[axis + 1 :]), pixels.dtype)
    dense = extent is None and isinstance(before, int)
    own = jnp.asarray([canvas], jnp.int32) if extent is None else extent
    place = lax.broadcasted_iota(jnp.int32, (1, length), 1) - (before if isinstance(before, int) else before[:, None])
    index = border_index(border, place, own)
    if dense and 0 <= before and before + canvas <= length:
        # Everything but the edges is copied unchanged.
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
    """Sums each window of images: result `p` is the sum of `weights[k] * pixels[p + k]`, in C order of k.

    Args:
        pixels: `float32[N, *axes, C]`; each axis is at least as long as the result's plus the weights', less one.
        weights: `float32[N or 1, *axes]`.
        size: extents of the result's axes.

    Returns:
        `float32[N, *size, C]`.
    """
    samples, channels = len(pixels), pixels.shape[-1]
    *lead, last = weights.shape[1:]
    # The last axis of pixels and their channels are merged, so that loops over it are long.
    flat = materialize(pixels.reshape(*pixels.shape[:-2], pixels.shape[-2] * channels))
    width = size[-1] * channels

    def row(start: Any, row_weights: Any, total: ArrayLike) -> Any:
        part = lax.dynamic_slice(flat, (0, *start, 0), (samples, *size[:-1], flat.shape[-1]))
        for k in range(last):
            weight = row_weights[:, k].reshape(len(weights), *[1] * (flat.ndim - 1))
            term = product(weight, lax.slice_in_dim(part, k * channels, k * channels + width, axis=part.ndim - 1))
            total = term if total is None else rounded(total + term)
        return total

    def finished(total: ArrayLike) -> jax.Array:
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

    def columns(start: Any, mine: Any, total: ArrayLike) -> Any:
        def one(k: Any, total: ArrayLike) -> Any:
            part = lax.dynamic_slice(flat, (0, *start, k * channels), (samples, *size[:-1], width))
            weight = lax.dynamic_index_in_dim(mine, k, axis=1).reshape(len(weights), *[1] * (flat.ndim - 1))
            return rounded(total + product(weight, part))

        return lax.fori_loop(0, last, one, total)

    # Under `shard_map`, the initial value must vary over the same mesh axes as the terms that are added to it.
    zero = lax.dynamic_slice(flat, (0,) * flat.ndim, (samples, *size[:-1], width)) * 0
    zero = zero + (weights[:, *[0] * (weights.ndim - 1)] * 0).reshape(len(weights), *[1] * (flat.ndim - 1))
    return finished(lax.fori_loop(0, math.prod(lead), step, zero))


def _rows(pixels: Any, axis: int, index: Any) -> jax.Array:
    """Gathers rows `[N, K, ...]` along an axis, by index."""
    shape = [1] * pixels.ndim
    shape[0], shape[axis] = index.shape
    return jnp.take_along_axis(pixels, index.reshape(shape), axis=axis, mode="promise_in_bounds")
