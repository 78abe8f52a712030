"""Batches of arrays that differ in shape, each in the corner of its row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..errors import ConfigError

__all__ = ["fold", "inside", "outside_filled"]


def inside(data, shapes) -> jax.Array:
    """`bool[N, ...]`, which numbers of `data[N, ...]` belong to their sample.

    Args:
        shapes: `int32[N, data.ndim - 1]`; each sample lies in the corner of its row.
    """
    held = jnp.ones((), bool)
    for axis in range(1, data.ndim):
        along = jnp.arange(data.shape[axis], dtype=jnp.int32)
        size = [len(along) if k == axis else 1 for k in range(1, data.ndim)]
        column = (along < shapes[:, axis - 1, None]).reshape(len(data), *size)
        held = held & column
    return jnp.broadcast_to(held, data.shape)


def outside_filled(data, shapes, fill: Any = 0) -> jax.Array:
    """`data` with `fill` where no sample is; see `inside`. None for `shapes`: all of it is samples."""
    return data if shapes is None else jnp.where(inside(data, shapes), data, jnp.asarray(fill, data.dtype))


def fold(data, shapes, canvas: Sequence[int], own) -> jax.Array:
    """Each sample in another shape of as many numbers, in C's order.

    Args:
        data: `[N, ...]`.
        shapes: `int32[N, data.ndim - 1]` of its samples; None: they fill it.
        canvas: shape of the result's rows.
        own: `int32[N, len(canvas)]`, the samples' new shapes; None: they fill the canvas.

    Returns:
        `[N, *canvas]`, zeros where no sample is.

    Raises:
        ConfigError: samples that fill both arrays have more numbers in one of them.
    """
    size, target = data.shape[1:], tuple(canvas)
    if shapes is None and own is None:
        if math.prod(size) != math.prod(target):
            raise ConfigError(f"samples of shape {size} have not as many numbers as such of shape {target}.")
        return data.reshape(len(data), *target)
    old = jnp.broadcast_to(jnp.asarray(size, jnp.int32), (len(data), len(size))) if shapes is None else shapes
    new = jnp.broadcast_to(jnp.asarray(target, jnp.int32), (len(data), len(target))) if own is None else own
    rows = data.reshape(len(data), math.prod(size))
    if not rows.shape[1] or not math.prod(target):
        return jnp.zeros((len(data), *target), data.dtype)
    number = jnp.zeros((), jnp.int32)
    for axis, extent in enumerate(target):
        along = jnp.arange(extent, dtype=jnp.int32).reshape(extent, *[1] * (len(target) - axis - 1))
        number = number * _beside(new[:, axis], len(target)) + along
    place, step = jnp.zeros((), jnp.int32), 1
    for axis in range(len(size) - 1, -1, -1):
        extent = jnp.maximum(_beside(old[:, axis], len(target)), 1)
        place = place + number % extent * step
        number, step = number // extent, step * size[axis]
    place = jnp.broadcast_to(place, (len(data), *target)).reshape(len(data), math.prod(target))
    found = jnp.take_along_axis(rows, jnp.clip(place, 0, rows.shape[1] - 1), axis=1)
    return outside_filled(found.reshape(len(data), *target), new)


def _beside(column, rank: int):
    return column.reshape(-1, *[1] * rank)
