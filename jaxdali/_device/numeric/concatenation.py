"""Joins several arrays to one."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
from jax import lax

from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from .ragged import outside_filled

__all__ = ["concatenate", "on_canvas"]


def on_canvas(data, canvas: Sequence[int]) -> jax.Array:
    """Puts `data[N, ...]` into the corner of rows of shape `canvas`, cropped or padded with zeros."""
    data = data[tuple(slice(0, extent) for extent in (len(data), *canvas))]
    return jnp.pad(data, [(0, want - have) for want, have in zip((len(data), *canvas), data.shape, strict=True)])


@on_any_mesh
def concatenate(
    arrays: Sequence[jax.Array], shapes: Sequence[jax.Array | None], axis: int = 0
) -> tuple[jax.Array, jax.Array | None]:
    """Joins the samples of several batches along an axis.

    Args:
        arrays: `[N, ...]`, of one type.
        shapes: for each batch `int32[N, ndim]`, or None if its samples fill the array. Along axes other than `axis`,
            those of the first batch are used.
        axis: of the samples, from 0.

    Returns:
        The array `[N, ...]`, with zeros outside the samples, and the samples' shapes, `int32[N, ndim]`, None if they
        fill it.

    Raises:
        ConfigError: the arrays differ in type or rank, or in an extent that is the same for all samples.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from jaxdali import numeric
        >>> ragged, full = jnp.array([[1, 0], [2, 3]]), jnp.array([[8], [9]])
        >>> joined, shapes = jax.jit(numeric.concatenate)([ragged, full], [jnp.array([[1], [2]]), None])
        >>> joined.tolist(), shapes.tolist()
        ([[1, 8, 0], [2, 3, 9]], [[2], [3]])
    """
    kinds = {(array.ndim, array.dtype) for array in arrays}
    if len(kinds) > 1:
        told = ", ".join(f"{array.ndim - 1}-D {array.dtype}" for array in arrays)
        raise ConfigError(f"what is joined must have the same type and number of dimensions, got {told}.")
    others = [k for k in range(1, arrays[0].ndim) if k != axis + 1]
    if all(own is None for own in shapes):
        if len({tuple(array.shape[k] for k in others) for array in arrays}) > 1:
            told = ", ".join(str(array.shape[1:]) for array in arrays)
            raise ConfigError(
                f"what is joined along axis {axis} must agree in the others, got samples of shape {told}."
            )
        return jnp.concatenate(arrays, axis=axis + 1), None
    full = [
        jnp.broadcast_to(jnp.asarray(array.shape[1:], jnp.int32), (len(array), array.ndim - 1)) if own is None else own
        for array, own in zip(arrays, shapes, strict=True)
    ]
    canvas = [max(array.shape[k] for array in arrays) for k in range(1, arrays[0].ndim)]
    canvas[axis] = sum(array.shape[axis + 1] for array in arrays)
    joined = jnp.zeros((len(arrays[0]), *canvas), arrays[0].dtype)
    begin = jnp.zeros(len(joined), jnp.int32)
    for array, own in zip(arrays, full, strict=True):
        # The next sample overwrites the zeros after the previous one.
        part = on_canvas(outside_filled(array, own), [*canvas[:axis], array.shape[axis + 1], *canvas[axis + 1 :]])
        joined = jax.vmap(lambda row, one, at: lax.dynamic_update_slice_in_dim(row, one, at, axis))(joined, part, begin)
        begin = begin + own[:, axis]
    return joined, full[0].at[:, axis].set(begin)
