"""Aligns the operands of arithmetic: each sample is broadcast by itself, as in NumPy.

This file loads jax; it is imported when a device function is traced.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxdali.errors import GraphError
from ..values import BatchValue, Context

__all__ = ["aligned", "common_layout", "inside"]


def aligned(context: Context, values: Sequence[BatchValue], word: str) -> tuple[list[Any], Any]:
    """Returns arrays `[N or 1, ...]` that broadcast, and the shapes of the results' samples, int32[N, ndim]; None if
    they are all the same.

    If shapes are only known with the data, `context` requires that samples go together.

    Args:
        word: the operation, for errors.

    Raises:
        GraphError: the shapes do not go together.
    """
    rank = max(value.data.ndim for value in values) - 1
    arrays = [value.data.reshape(len(value.data), *_ones(value, rank), *value.data.shape[1:]) for value in values]
    if all(value.shapes is None for value in values):
        try:
            np.broadcast_shapes(*(array.shape[1:] for array in arrays))
        except ValueError:
            raise _cannot([value.data.shape[1:] for value in values], word) from None
        return arrays, None
    extents = []
    for axis in range(rank):
        of = [_extents(value, axis - len(_ones(value, rank))) for value in values]
        extents.append(_align_axis(context, arrays, of, axis + 1, word))
    rows = max(len(array) for array in arrays)
    columns = [jnp.broadcast_to(jnp.asarray(extent, jnp.int32), (rows,)) for extent in extents]
    return arrays, jnp.stack(columns, axis=1)


def _ones(value: BatchValue, rank: int) -> tuple[int, ...]:
    return (1,) * (rank + 1 - value.data.ndim)


def _extents(value: BatchValue, axis: int) -> Any:
    """Returns the extents of samples along an axis: a number, or int32[N]."""
    if axis < 0:
        return 1
    return value.data.shape[axis + 1] if value.shapes is None else value.shapes[:, axis]


def _align_axis(context: Context, arrays: list[Any], extents: list[Any], axis: int, word: str) -> Any:
    """Gives the arrays the same length along an axis, or 1. Returns the extents of the results' samples."""
    long = [index for index, extent in enumerate(extents) if not (isinstance(extent, int) and extent == 1)]
    if len(long) < 2:
        return extents[long[0]] if long else 1
    canvas = max(arrays[index].shape[axis] for index in long)
    result = functools.reduce(lambda a, b: jnp.where(jnp.asarray(a) == 1, b, a), (extents[index] for index in long))
    for index in long:
        array, extent = arrays[index], extents[index]
        missing = [(0, 0)] * array.ndim
        missing[axis] = (0, canvas - array.shape[axis])
        filled = jnp.pad(array, missing)
        if not isinstance(extent, int):
            # A sample with a single element on this axis repeats it along the axis.
            first = lax.slice_in_dim(filled, 0, min(1, canvas), axis=axis)
            filled = jnp.where(_column(extent == 1, array.ndim), first, filled)
        arrays[index] = filled
        context.require(
            jnp.broadcast_to((jnp.asarray(extent) == 1) | (extent == result), (context.samples,)),
            f"Can't broadcast shapes of the operands of {word}: samples differ along axis {axis - 1}, where they must be "
            "equal or 1; resize, crop or pad one of them",
        )
    return result


def _column(flags: Any, ndim: int) -> Any:
    return flags.reshape(-1, *[1] * (ndim - 1))


def _cannot(shapes: Sequence[tuple[int, ...]], word: str) -> GraphError:
    return GraphError(
        f"Can't broadcast shapes {' and '.join(map(str, shapes))} in {word}: from the last axis on, they must be equal or 1"
    )


def inside(array: Any, shapes: Any) -> Any:
    """Returns flags that broadcast against rows `[N, ...]`: which numbers belong to samples of these shapes."""
    flags = jnp.ones((1,) * array.ndim, bool)
    for axis in range(shapes.shape[1]):
        if array.shape[axis + 1] > 1:
            places = jnp.arange(array.shape[axis + 1], dtype=jnp.int32).reshape(
                [-1 if axis + 1 == k else 1 for k in range(array.ndim)]
            )
            flags = flags & (places < _column(shapes[:, axis], array.ndim))
    return flags


def common_layout(values: Sequence[BatchValue], word: str) -> str:
    """Returns the longest layout of the operands; the others must be suffixes of it.

    Raises:
        GraphError: they are not.
    """
    longest = max((value.layout for value in values), key=len)
    for value in values:
        if not longest.endswith(value.layout):
            raise GraphError(
                f"Layouts of the operands of {word} do not match: they must be equal or one must be a suffix of the other. "
                f"Got {longest} and {value.layout}"
            )
    rank = max(value.data.ndim for value in values) - 1
    return longest if len(longest) == rank else ""
