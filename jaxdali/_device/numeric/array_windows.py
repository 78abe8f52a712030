"""Cuts windows out of arrays, and pads arrays to larger ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax

from ..any_mesh import on_any_mesh
from .ragged import outside_filled

__all__ = ["pad", "window"]


@on_any_mesh
def window(
    data: jax.Array | np.ndarray,
    shapes: jax.Array | np.ndarray | None,
    starts: Sequence[int | jax.Array | np.ndarray],
    sizes: Sequence[int | jax.Array | np.ndarray],
    canvas: Sequence[int],
    fill: Any = None,
) -> jax.Array:
    """Cuts a window out of each sample.

    Args:
        data: `[N, ...]`.
        shapes: `int32[N, ndim]`, of its samples; None: they fill their rows.
        starts: for each axis where the windows begin, an integer or `int32[N]`.
        sizes: for each axis the extent of the windows, an integer or `int32[N]`.
        canvas: the shape of the result's rows, at least as large as the windows.
        fill: the values outside the sample, broadcast to a row. None: windows do not leave samples.

    Returns:
        `[N, *canvas]`, zeros outside the windows.

    Example:
        >>> import jax.numpy as jnp
        >>> from jaxdali import numeric
        >>> rows = jnp.array([[0, 1, 2, 3], [4, 5, 6, 7]])
        >>> numeric.window(rows, None, starts=[jnp.array([0, 2])], sizes=[2], canvas=[2]).tolist()
        [[0, 1], [6, 7]]
    """
    count, found = len(data), jnp.asarray(data)
    for axis, (start, size, room) in enumerate(zip(starts, sizes, canvas, strict=True)):
        extent = found.shape[axis + 1]
        if isinstance(start, int) and start >= 0:
            found = _cut(found, axis + 1, start, room)
        elif isinstance(start, int):
            found = _cut(jnp.pad(found, _sides(found, axis + 1, -start, 0)), axis + 1, 0, room)
        else:
            before = room if fill is not None else 0
            after = room if fill is not None or not isinstance(size, int) or room > extent else 0
            wide = jnp.pad(found, _sides(found, axis + 1, before, after))
            begin = jnp.clip(start + before, 0, wide.shape[axis + 1] - room)
            found = jax.vmap(lambda row, at: lax.dynamic_slice_in_dim(row, at, room, axis))(wide, begin)  # noqa: B023
    if fill is not None:
        own = [data.shape[k + 1] if shapes is None else shapes[:, k] for k in range(len(canvas))]
        held = jnp.ones((), bool)
        for axis, (start, extent) in enumerate(zip(starts, own, strict=True)):
            place = jnp.arange(canvas[axis], dtype=jnp.int32)[None] + _column(start, count)
            held = held & _along((place >= 0) & (place < _column(extent, count)), axis, len(canvas))
        found = jnp.where(held, found, jnp.asarray(fill, data.dtype))
    if all(isinstance(size, int) and size == room for size, room in zip(sizes, canvas, strict=True)):
        return found
    return outside_filled(found, jnp.concatenate([_column(size, count) for size in sizes], axis=1))


@on_any_mesh
def pad(
    data: jax.Array | np.ndarray,
    shapes: jax.Array | np.ndarray | None,
    own: jax.Array | np.ndarray | None,
    canvas: Sequence[int],
    fill: npt.ArrayLike = 0,
) -> jax.Array:
    """Pads each sample, which stays in the first corner.

    Args:
        data: `[N, ...]`.
        shapes: `int32[N, ndim]`, of its samples; None: they fill their rows.
        own: `int32[N, ndim]`, of the padded samples; None: they fill the canvas.
        canvas: the shape of the result's rows.
        fill: the padding, a number or `[N]`.

    Returns:
        `[N, *canvas]`, zeros outside the samples.

    Example:
        >>> import jax.numpy as jnp
        >>> from jaxdali import numeric
        >>> rows, shapes = jnp.array([[1, 2], [3, 0]]), jnp.array([[2], [1]])
        >>> numeric.pad(rows, shapes, own=None, canvas=[3], fill=9).tolist()
        [[1, 2, 9], [3, 9, 9]]
    """
    number = jnp.asarray(fill, data.dtype)
    number = number.reshape(-1, *[1] * len(canvas)) if number.ndim else number
    size = tuple(min(have, room) for have, room in zip(data.shape[1:], canvas, strict=True))
    cut = data[(slice(None), *(slice(0, extent) for extent in size))]
    if shapes is not None:
        cut = outside_filled(cut, shapes) if _is_zero(fill) else _filled(cut, shapes, number)
    sides = [(0, 0), *((0, room - have) for have, room in zip(size, canvas, strict=True))]
    if _is_zero(fill) or not any(after for _, after in sides):
        found = jnp.pad(cut, sides)
    else:
        found = _filled(jnp.pad(cut, sides), jnp.asarray(np.asarray([size], np.int32)), number)
    return found if own is None else outside_filled(found, own)


def _filled(data, shapes, number):
    from .ragged import inside

    return jnp.where(inside(data, jnp.broadcast_to(shapes, (len(data), shapes.shape[1]))), data, number)


def _is_zero(fill: npt.ArrayLike) -> bool:
    return isinstance(fill, int | float | np.ndarray | np.generic) and not np.any(fill)


def _cut(data, axis: int, start: int, room: int):
    """Takes `room` places from `start` on, with zeros after the last one."""
    part = lax.slice_in_dim(data, min(start, data.shape[axis]), min(start + room, data.shape[axis]), axis=axis)
    return jnp.pad(part, _sides(part, axis, 0, room - part.shape[axis]))


def _sides(data, axis: int, before: int, after: int):
    return [(before, after) if k == axis else (0, 0) for k in range(data.ndim)]


def _column(value: Any, count: int):
    """Returns a number or `[N]` as `int32[N, 1]`."""
    return jnp.broadcast_to(jnp.asarray(value, jnp.int32).reshape(-1, 1), (count, 1))


def _along(flags, axis: int, rank: int):
    return flags.reshape(len(flags), *(flags.shape[1] if k == axis else 1 for k in range(rank)))
