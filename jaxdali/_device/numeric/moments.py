"""Sums, means and deviations of each sample, along some of its axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.typing import ArrayLike

from ..image.exact_arithmetic import product
from .ragged import outside_filled

__all__ = ["count", "extreme", "mean", "normalize", "total", "variance"]

# Number of neighbours that are combined at once.
_PART = 8


def count(data, shapes, axes: Sequence[int]) -> jax.Array:
    """How many elements are reduced to one, `float32[N, 1, ...]` with the rank of `data`.

    Args:
        data: `[N, ...]`.
        shapes: `int32[N, ndim]`, of its samples; None: they fill their rows.
        axes: of samples, counted from 0.
    """
    found = jnp.ones((len(data), *[1] * (data.ndim - 1)), jnp.float32)
    for axis in axes:
        extent = data.shape[axis + 1] if shapes is None else shapes[:, axis].reshape(found.shape)
        found = found * jnp.asarray(extent, jnp.float32)
    return found


def total(data, shapes, axes: Sequence[int]) -> jax.Array:
    """Sums along axes, which keep extent 1. Floats are summed in their dtype, but at least float32, with an error of at
    most 1e-6; integers in `int32` or `uint32`, or 64 bits with `jax_enable_x64`, where they wrap around. Arguments as
    in `count`.
    """
    data = outside_filled(data, shapes)
    if data.dtype.kind in "bui":
        found = data.astype(jax.dtypes.canonicalize_dtype(np.int64 if data.dtype.kind == "i" else np.uint64))
    else:
        found = _float(data)
    return _folded(found, axes, jnp.add, 0)


def mean(data, shapes, axes: Sequence[int], batch: bool = False, taken=None) -> jax.Array:
    """Means in float32, or in float64 for float64; with `batch` one for all samples, `[1, ...]`. See `count`.

    Args:
        taken: `bool[N]`, the samples that count as the batch; None: all of them.
    """
    sums, counts = total(_float(data), shapes, axes), count(data, shapes, axes)
    if batch:
        sums, counts = _of_batch(sums, counts, taken)
    return _divided(sums, counts)


def variance(data, shapes, axes: Sequence[int], center, ddof: int = 0, batch: bool = False, taken=None) -> jax.Array:
    """Means of the squared distances from `center`, which is broadcast; sums are divided by the number of elements less
    `ddof`. See `mean`.
    """
    distance = _float(data) - center
    sums, counts = total(product(distance, distance), shapes, axes), count(data, shapes, axes)
    if batch:
        sums, counts = _of_batch(sums, counts, taken)
    return _divided(sums, counts - ddof)


def _of_batch(sums, counts, taken) -> tuple[jax.Array, jax.Array]:
    """Returns the sum over all samples, and the number of elements, `[1, ...]`."""
    if taken is not None:
        column = jnp.reshape(taken, (-1, *[1] * (sums.ndim - 1)))
        sums, counts = (jnp.where(column, one, jnp.zeros((), one.dtype)) for one in (sums, counts))
    return _folded(sums, [-1], jnp.add, 0), counts.sum(axis=0, keepdims=True)


def extreme(data, shapes, axes: Sequence[int], largest: bool) -> jax.Array:
    """Maximum or minimum along axes, which keep extent 1; without elements, the dtype's other end. See `count`."""
    limits = jnp.finfo(data.dtype) if jnp.issubdtype(data.dtype, jnp.floating) else None
    if limits is None:
        limits = np.iinfo(data.dtype) if data.dtype.kind in "iu" else None
    end: Any = (limits.min if largest else limits.max) if limits is not None else not largest
    filled = outside_filled(data, shapes, end)

    def folded(filled: ArrayLike) -> jax.Array:
        return _folded(filled, axes, jnp.maximum if largest else jnp.minimum, end)

    def at_once(filled: ArrayLike) -> jax.Array:
        along = tuple(axis + 1 for axis in axes)
        return (jnp.max if largest else jnp.min)(filled, axis=along, keepdims=True)

    if len(axes) < data.ndim - 1 or not data.size:
        return folded(filled)
    # The result does not depend on the order, and a reduction over a whole sample gives every GPU thread a part of it.
    return lax.platform_dependent(filled, cpu=folded, default=at_once)


def normalize(
    data,
    shapes,
    axes: Sequence[int],
    *,
    center=None,
    deviation=None,
    batch: bool = False,
    ddof: int = 0,
    epsilon: float = 0.0,
    scale: float = 1.0,
    shift: float = 0.0,
    taken=None,
) -> jax.Array:
    """`(data - center) / sqrt(deviation ** 2 + epsilon) * scale + shift` in float32.

    Args:
        data, shapes, axes: see `count`.
        center: broadcast against `data`; None: the mean along the axes.
        deviation: likewise; None: the standard deviation along the axes. If it is 0, all values become `shift`.
        batch: mean and deviation are taken over all samples together.
        taken: see `mean`.

    Returns:
        Like `data`, zeros outside the samples.
    """
    center = mean(data, shapes, axes, batch, taken) if center is None else center
    distance = _float(data) - center
    if deviation is None:
        square = variance(data, shapes, axes, center, ddof, batch, taken)
        counts = count(data, shapes, axes)
        counts = _of_batch(counts, counts, taken)[1] if batch else counts
        square = jnp.where(counts > ddof, square, 0) + epsilon
        factor = jnp.where(square > 0, _divided(_like(scale, square), jnp.sqrt(jnp.where(square > 0, square, 1))), 0)
    else:
        deviation = jnp.asarray(deviation)
        deviation = jnp.sqrt(product(deviation, deviation) + epsilon) if epsilon else deviation
        factor = _divided(_like(scale, deviation), deviation)
    return outside_filled(product(distance, factor) + shift, shapes)


def _like(number: float, array):
    return jnp.full(array.shape, number, array.dtype)


def _float(data):
    return (
        data.astype(jnp.promote_types(data.dtype, jnp.float32)) if data.dtype.kind == "f" else data.astype(jnp.float32)
    )


def _folded(data, axes: Sequence[int], combine: Callable[[Any, Any], Any], start: Any) -> jax.Array:
    """Combines the elements along some axes of samples, which keep extent 1; -1 is the batch axis. `start` is the
    neutral element.

    The first axis comes first: it combines rows with other rows, which a CPU does for many elements at once.
    """
    for axis in sorted(axes):
        data = _folded_along(data, axis + 1, combine, start)
    return data


def _folded_along(data, axis: int, combine: Callable[[Any, Any], Any], start: Any) -> jax.Array:
    """Combines neighbours, then the results of neighbours, and so on. So the rounding of a sum depends neither on the
    zeros after a sample nor on the platform, and is more exact than that of one long sum.
    """
    if not data.shape[axis]:
        return jnp.full((*data.shape[:axis], 1, *data.shape[axis + 1 :]), start, data.dtype)
    while data.shape[axis] > 1:
        part = _PART if data.shape[axis] > 4 else 4 if data.shape[axis] > 2 else 2
        sides = [(0, -data.shape[axis] % part) if k == axis else (0, 0) for k in range(data.ndim)]
        padded = jnp.pad(data, sides, constant_values=np.asarray(start, data.dtype))
        padded = padded.reshape(*data.shape[:axis], padded.shape[axis] // part, part, *data.shape[axis + 1 :])
        terms = [padded[(*[slice(None)] * (axis + 1), k)] for k in range(part)]
        while len(terms) > 1:
            terms = [combine(one, other) for one, other in zip(terms[::2], terms[1::2], strict=True)]
        data = terms[0]
    return data


def _divided(a, b):
    # XLA turns division by a constant into multiplication by 1 / b, which rounds differently. A divisor that looks
    # data-dependent prevents it. `image.exact_arithmetic.quotient` would take too long for this many elements.
    return a / jnp.where(jnp.isnan(a), jnp.nan, b).astype(a.dtype)
