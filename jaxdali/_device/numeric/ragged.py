"""Batches of arrays that differ in shape, each in the corner of its row."""

from __future__ import annotations

import math
from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh

__all__ = ["inside", "outside_filled", "reshape_ragged"]


@on_any_mesh
def inside(data: jax.Array | np.ndarray, shapes: jax.Array | np.ndarray) -> jax.Array:
    """Which elements of `data` belong to their sample.

    Args:
        data: `[N, ...]`.
        shapes: `int32[N, data.ndim - 1]`; each sample is in the corner of its row.

    Returns:
        `bool[N, ...]`.

    Example:
        >>> import jax.numpy as jnp
        >>> from jaxdali import numeric
        >>> numeric.inside(jnp.zeros((2, 3)), jnp.array([[1], [3]])).tolist()
        [[True, False, False], [True, True, True]]
    """
    held = jnp.ones((), bool)
    for axis in range(1, data.ndim):
        along = jnp.arange(data.shape[axis], dtype=jnp.int32)[None]
        size = [along.size if k == axis else 1 for k in range(1, data.ndim)]
        column = (along < shapes[:, axis - 1, None]).reshape(len(data), *size)
        held = held & column
    return jnp.broadcast_to(held, data.shape)


@on_any_mesh
def outside_filled(data: Array, shapes: Array | None, fill: ArrayLike = 0) -> jax.Array:
    """Sets what lies outside the samples to a number.

    Args:
        data: `[N, ...]`.
        shapes: `int32[N, data.ndim - 1]`; each sample is in the corner of its row. None: samples fill it.
        fill: the number.

    Returns:
        An array like `data`.

    Example:
        >>> import jax.numpy as jnp
        >>> from jaxdali import numeric
        >>> numeric.outside_filled(jnp.ones((2, 3), int), jnp.array([[1], [3]]), fill=7).tolist()
        [[1, 7, 7], [1, 1, 1]]
    """
    if shapes is None or not data.size:
        return data
    fill = jnp.asarray(fill, data.dtype)
    if data.ndim < 3:
        return jnp.where(inside(data, shapes), data, fill)
    # Merges the last two axes, because XLA makes slow CPU code for short loops such as those over three channels.
    last = data.shape[-1]
    merged = data.reshape(*data.shape[:-2], data.shape[-2] * last)
    place = np.arange(merged.shape[-1], dtype=np.int32)[None]
    own = jnp.asarray(shapes)
    tail = (place // last < own[:, -2, None]) & (place % last < own[:, -1, None])
    held = tail.reshape(len(tail), *[1] * (merged.ndim - 2), -1)
    for axis in range(1, merged.ndim - 1):
        along = np.arange(merged.shape[axis], dtype=np.int32).reshape(
            1, *[1] * (axis - 1), -1, *[1] * (merged.ndim - 1 - axis)
        )
        held = held & (along < _beside(own[:, axis - 1], merged.ndim - 1))
    return jnp.where(held, merged, fill).reshape(data.shape)


@on_any_mesh
def reshape_ragged(data: Array, shapes: Array | None, canvas: Sequence[int], own: Array | None) -> jax.Array:
    """Reshapes each sample, in C order.

    Args:
        data: `[N, ...]`.
        shapes: `int32[N, data.ndim - 1]`, of its samples; None: they fill their rows.
        canvas: the shape of the result's rows.
        own: `int32[N, len(canvas)]`, the samples' new shapes; None: they fill the canvas.

    Returns:
        `[N, *canvas]`, zeros outside the samples.

    Raises:
        ConfigError: samples fill both arrays, which differ in size.
    """
    size, target = data.shape[1:], tuple(canvas)
    if shapes is None and own is None:
        if math.prod(size) != math.prod(target):
            raise ConfigError(f"samples of shape {size} do not have as many numbers as samples of shape {target}.")
        return data.reshape(len(data), *target)
    old = jnp.broadcast_to(jnp.asarray(size, jnp.int32), (len(data), len(size))) if shapes is None else shapes
    new = jnp.broadcast_to(jnp.asarray(target, jnp.int32), (len(data), len(target))) if own is None else own
    rows = data.reshape(len(data), math.prod(size))
    if not rows.shape[1] or not math.prod(target):
        return jnp.zeros((len(data), *target), data.dtype)

    def gathered() -> jax.Array:
        return outside_filled(_gathered(rows, size, old, new, target), new)

    # Where data stays in place, or can be copied in contiguous pieces, that is faster than looking up each element.
    kept = min(len(size), len(target)) - 1
    if kept and size[:kept] == target[:kept] and math.prod(size) == math.prod(target):
        # One axis splits into several, or several merge to one. If these are full, each element is already in place.
        longer, extents = (old, size) if len(size) > len(target) else (new, target)
        full = longer[:, kept + 1 :] == jnp.asarray([extents[kept + 1 :]], jnp.int32)
        whole = full.all() & (old[:, :kept] == new[:, :kept]).all()

        def in_pieces() -> jax.Array:
            return data.reshape(len(data), *target)
    elif len(target) == 1 and len(size) > 1:
        whole = (old[:, 2:] == jnp.asarray([size[2:]], jnp.int32)).all()

        def in_pieces() -> jax.Array:
            return outside_filled(_flattened(data, old, math.prod(target)), new)
    else:
        return gathered()
    return jax.lax.platform_dependent(cpu=lambda: jax.lax.cond(whole, in_pieces, gathered), default=gathered)


def _flattened(data, old, length: int) -> jax.Array:
    """Flattens samples whose axes after the second are full to rows of `length` numbers. Copies piece by piece; each
    piece overwrites the excess of the one before it.
    """
    samples, height, piece = data.shape[0], data.shape[1], math.prod(data.shape[2:])
    pieces = data.reshape(samples * height, piece)
    run = old[:, 1] * math.prod(data.shape[3:])
    # Leaves room for the excess of the last piece. The caller clears what follows a sample.
    flat = jnp.zeros((samples, max(length, height * piece) + piece), data.dtype)

    def copy(k, flat):
        # Without jit, `k` is an int.
        sample, row = (jnp.asarray(at, run.dtype) for at in (k // height, k % height))
        one = jax.lax.dynamic_slice(pieces, (k, 0), (1, piece))
        return jax.lax.dynamic_update_slice(flat, one, (sample, row * run[sample]))

    return jax.lax.fori_loop(0, samples * height, copy, flat)[:, :length]


def _gathered(rows, size: tuple[int, ...], old, new, target: tuple[int, ...]) -> jax.Array:
    # Unsigned, because GPUs divide in software, and signed division takes several times as long.
    number = jnp.zeros((), jnp.uint32)
    for axis, extent in enumerate(target):
        along = jnp.arange(extent, dtype=jnp.uint32).reshape(1, *[1] * axis, extent, *[1] * (len(target) - axis - 1))
        number = number * _beside(new[:, axis].astype(jnp.uint32), len(target)) + along
    place, step = jnp.zeros((), jnp.uint32), 1
    for axis in range(len(size) - 1, -1, -1):
        if axis:
            extent = _beside(jnp.maximum(old[:, axis], 1).astype(jnp.uint32), len(target))
            number, rest = number // extent, number - number // extent * extent
        else:
            rest = jnp.minimum(number, np.uint32(size[0] - 1))
        place = place + rest * np.uint32(step)
        step *= size[axis]
    place = jnp.broadcast_to(place, (len(rows), *target)).reshape(len(rows), math.prod(target))
    place = jnp.minimum(place, np.uint32(rows.shape[1] - 1)).astype(jnp.int32)
    return jnp.take_along_axis(rows, place, axis=1, mode="promise_in_bounds").reshape(len(rows), *target)


def _beside(column, rank: int):
    return column.reshape(-1, *[1] * rank)
