"""Applies subscripts to samples, in JAX.

This file loads jax; it is imported when a device function is traced.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxdali._base.aliases import Array
from jaxdali.errors import GraphError
from ...graph.newaxis import NewAxis
from ..values import BatchValue, Context
from .axis_selection import At, Range

__all__ = ["take"]


def take(context: Context, value: BatchValue, entries: Sequence[object], where: str) -> BatchValue:
    """Computes `value[entries]` for every sample. If an index depends on data, requires that it is inside its sample.

    Args:
        entries: `At`, `Range`, `NewAxis` and `...`.
        where: the subscript, for errors.

    Raises:
        GraphError: an index is outside of all samples, or not an integer, or there are too many.
    """
    rank = value.data.ndim - 1
    entries = _filled(entries, rank, where)
    data, axis = value.data, 1
    extents: list[Any] = []
    letters: list[str] = []
    source = 0
    for entry in entries:
        if isinstance(entry, NewAxis):
            data = jnp.expand_dims(data, axis)
            extents.append(1)
            letters.append(entry.name)
            axis += 1
            continue
        extent: Any = data.shape[axis] if value.shapes is None else value.shapes[:, source]
        if isinstance(entry, At):
            data = _at(context, data, axis, _checked(entry.index, where), extent, where)
        else:
            start, stop = (_checked(end, where) for end in (entry.start, entry.stop))
            if isinstance(entry.step, int):
                data, extent = _range(data, axis, start, stop, entry.step, extent)
            else:
                step = _step(context, _checked(entry.step, where), where)
                data, extent = _stepped(data, axis, start, stop, step, extent)
            extents.append(extent)
            letters.append(value.layout[source] if value.layout else "")
            axis += 1
        source += 1
    shapes = None
    if any(not isinstance(extent, int) for extent in extents):
        rows = [jnp.broadcast_to(jnp.asarray(extent, jnp.int32), (len(data),)) for extent in extents]
        shapes = jnp.stack(rows, axis=1)
    return BatchValue(data, shapes, _layout(value.layout, letters, entries), value.wide)


def _filled(entries: Sequence[object], rank: int, where: str) -> list[Any]:
    """Returns one entry per axis, and the new axes."""
    counted = sum(isinstance(entry, At | Range) for entry in entries)
    if counted > rank:
        raise GraphError(f"Too many indices ({counted}) for a {rank}D tensor, in {where}")
    rest = [Range()] * (rank - counted)
    if Ellipsis not in entries:
        return [*entries, *rest]
    place = list(entries).index(Ellipsis)
    return [*entries[:place], *rest, *entries[place + 1 :]]


def _checked(index: Any, where: str) -> Any:
    if index is None or isinstance(index, int):
        return index
    if index.ndim != 1:
        raise GraphError(f"Array indices must be scalar (0D). Got {index.ndim - 1}D tensor, in {where}")
    if index.dtype.kind not in "iu":
        raise GraphError(f"Array index must be of integral type. Got: {index.dtype}, in {where}")
    return index.astype(jnp.int32)


def _layout(layout: str, letters: list[str], entries: Sequence[object]) -> str:
    new = [entry for entry in entries if isinstance(entry, NewAxis)]
    if any(entry.name for entry in new) and not layout:
        raise GraphError("a new axis with a name needs an input with a layout")
    return "".join(letters) if all(letters) else ""


def _column(index: Array, ndim: int, axis: int) -> Array:
    return index.reshape(*(index.shape[0] if k == 0 else index.shape[1] if k == axis else 1 for k in range(ndim)))


def _at(context: Context, data: Array, axis: int, index: Array, extent: int, where: str) -> Array:
    if isinstance(index, int) and isinstance(extent, int):
        if -extent <= index < extent:
            return lax.index_in_dim(data, index % extent, axis, keepdims=False)
        if not context.call.branch:  # in a branch, it may be that no sample takes it
            raise GraphError(f"Index {index} is out of range for axis {axis - 1} of length {extent}, in {where}")
    place = jnp.where(jnp.asarray(index) < 0, index + extent, index)
    holds = (place >= 0) & (place < extent)
    text = f"Index {index if isinstance(index, int) else ''} is out of range for axis {axis - 1}, in {where}"
    context.require(jnp.broadcast_to(holds, (context.samples,)), text.replace("  ", " "))
    return jnp.squeeze(_gathered(data, axis, jnp.broadcast_to(place, (len(data),))[:, None]), axis)


def _gathered(data: Array, axis: int, places: Array) -> Array:
    """Gathers `places: int32[N, n]` along an axis of each sample."""
    if not data.shape[axis] or not places.shape[1]:
        return jnp.zeros((*data.shape[:axis], places.shape[1], *data.shape[axis + 1 :]), data.dtype)
    held = jnp.clip(places, 0, data.shape[axis] - 1)
    return jnp.take_along_axis(data, _column(held, data.ndim, axis), axis=axis)


def _range(data: Array, axis: int, start: object, stop: object, step: int, extent: int) -> tuple[Any, Any]:
    """Returns the part of an axis, and its extent in each sample."""
    ends = (start, stop)
    if all(end is None for end in ends) and step == 1:
        return data, extent
    if isinstance(extent, int) and all(end is None or isinstance(end, int) for end in ends):
        part = data[(*[slice(None)] * axis, slice(start, stop, step))]
        return part, part.shape[axis]
    # As slice.indices, for each sample.
    lowest, highest = (0, extent) if step > 0 else (-1, extent - 1)
    first = _clipped(start, lowest if step > 0 else highest, extent, lowest, highest)
    last = _clipped(stop, highest if step > 0 else lowest, extent, lowest, highest)
    distance = (last - first) if step > 0 else (first - last)
    count = jnp.maximum((distance + abs(step) - 1) // abs(step), 0)
    length = _bound(data.shape[axis], start, stop, step)
    if step == 1 and (start is None or (isinstance(start, int) and start == 0)):
        return data[(*[slice(None)] * axis, slice(0, length))], count
    places = jnp.broadcast_to(first, (len(data),))[:, None] + step * jnp.arange(length, dtype=jnp.int32)[None, :]
    return _gathered(data, axis, places), count


def _step(context: Context, step: Array, where: str) -> Array:
    """Returns a step for each sample, not 0, and requires that."""
    context.require(step != 0, f"the step of a subscript cannot be 0, in {where}")
    return jnp.where(step == 0, 1, jnp.maximum(step, -np.iinfo(np.int32).max))


def _stepped(data: Array, axis: int, start: object, stop: object, step: Array, extent: Array) -> tuple[Array, Array]:
    """Returns the part of an axis with a step of each sample, `int32[N]`, and its extents."""
    forwards = step > 0
    lowest, highest = jnp.where(forwards, 0, -1), jnp.where(forwards, extent, extent - 1)
    first = _clipped(start, jnp.where(forwards, lowest, highest), extent, lowest, highest)
    last = _clipped(stop, jnp.where(forwards, highest, lowest), extent, lowest, highest)
    distance = jnp.where(forwards, last - first, first - last)
    count = jnp.where(distance > 0, (distance - 1) // abs(step) + 1, 0)
    number = jnp.arange(data.shape[axis], dtype=jnp.int32)
    # Beyond the count, a product may exceed 32 bits.
    places = first[:, None] + jnp.where(number < count[:, None], number, 0) * step[:, None]
    return _gathered(data, axis, places), count


def _clipped(end: Any, default: object, extent: Any, lowest: Any, highest: Any) -> Any:
    if end is None:
        return default
    return jnp.clip(jnp.where(jnp.asarray(end) < 0, end + extent, end), lowest, highest)


def _bound(canvas: int, start: object, stop: object, step: int) -> int:
    """Returns a limit on the number of elements, whatever the samples' extents are."""
    longest = canvas
    if step > 0:
        begin = 0 if start is None else start
        if isinstance(begin, int) and isinstance(stop, int) and (begin < 0) == (stop < 0):
            longest = max(stop - begin, 0)
        elif isinstance(begin, int) and begin < 0 and stop is None:
            longest = -begin
    return -(-min(canvas, longest) // abs(step))
