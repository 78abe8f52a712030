"""Creates arrays of one number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali._base.dtypes import INT32
from jaxdali.errors import GraphError
from ..argument_kinds import DTYPE, SHAPE, numpy_dtype
from ..declaration import Input, Param, PerSample, Static, operator
from ..extent_bounds import shape_in
from ..int64_values import wide_type
from ..values import BatchValue, Context
from .sample_axes import LAYOUT, extents_of

__all__ = ["full", "full_like", "ones", "ones_like", "zeros", "zeros_like"]

_INSTEAD = "give numbers, or use the operator's *_like"
_SHAPE: tuple[Param, ...] = (
    PerSample(
        "shape",
        None,
        "shape of a sample; by default a scalar",
        SHAPE,
        bounded=True,
    ),
    Static("layout", LAYOUT, None, "layout of the output"),
)
_DTYPE = Static("dtype", DTYPE, INT32, "type of the output")
_LIKE_DTYPE = Static("dtype", DTYPE, None, "type of the output; by default that of the input")
_LIKE = Input(
    "data_like",
    "node whose samples give the shapes, type and layout of the output; its numbers are ignored",
    computed=False,
)
_VALUE = Input("fill_value", "a number, or an array that is broadcast to the shape")


@operator("zeros", params=[*_SHAPE, _DTYPE])
def zeros(context: Context, *, shape: object, layout: str | None, dtype: object) -> BatchValue:
    """Creates arrays of zeros; DALI's `fn.zeros`."""
    return _made(context, 0, shape, layout, dtype)


@operator("ones", params=[*_SHAPE, _DTYPE])
def ones(context: Context, *, shape: object, layout: str | None, dtype: object) -> BatchValue:
    """Creates arrays of ones; DALI's `fn.ones`."""
    return _made(context, 1, shape, layout, dtype)


@operator("zeros_like", inputs=[_LIKE], params=[_LIKE_DTYPE], keeps_extents=True)
def zeros_like(context: Context, like: BatchValue, *, dtype: object) -> BatchValue:
    """Creates arrays of zeros with the shapes of another node's samples; DALI's `fn.zeros_like`."""
    return _made_like(0, like, dtype)


@operator("ones_like", inputs=[_LIKE], params=[_LIKE_DTYPE], keeps_extents=True)
def ones_like(context: Context, like: BatchValue, *, dtype: object) -> BatchValue:
    """Creates arrays of ones with the shapes of another node's samples; DALI's `fn.ones_like`."""
    return _made_like(1, like, dtype)


@operator("full", inputs=[_VALUE], params=_SHAPE)
def full(context: Context, value: BatchValue, *, shape: object, layout: str | None) -> BatchValue:
    """Fills arrays with a number, or with an array that is broadcast by NumPy's rules; DALI's `fn.full`. Without a
    shape, the output is the first number.
    """
    if shape is None:
        layout = _fitting(context, layout or "", ())
        return BatchValue(value.data[(slice(None), *[0] * (value.data.ndim - 1))], None, layout, value.wide)
    own, shapes = shape_in(context, shape, _INSTEAD)
    return _broadcast(context, value, own, shapes, _fitting(context, layout or "", own))


@operator("full_like", inputs=[_LIKE, _VALUE], keeps_extents=True)
def full_like(context: Context, like: BatchValue, value: BatchValue) -> BatchValue:
    """Fills arrays as `fn.full` does, with the shapes and the type of another node's samples; DALI's `fn.full_like`."""
    from jaxdali._device.image.convert import round_to_dtype
    from ..int64_values import require_held

    if like.wide is not None:
        require_held(context, value.data, np.dtype(like.data.dtype))
    cast = BatchValue(round_to_dtype(value.data, like.data.dtype), value.shapes, value.layout, like.wide)
    return _broadcast(context, cast, like.data.shape[1:], like.shapes, like.layout)


def _fitting(context: Context, layout: str, shape: Sequence[int]) -> str:
    if layout and len(layout) != len(shape):
        raise GraphError(
            f"layout {layout!r} of {context.call.operator.display_name} does not have one letter for each of {len(shape)} "
            "axes"
        )
    return layout


def _type(dtype: Any) -> tuple[Any, Any]:
    """Returns the type in which JAX computes, and the wider type that it stands for, or None."""
    import jax

    target: Any = numpy_dtype(dtype)
    return jax.dtypes.canonicalize_dtype(target), wide_type(target)


def _made(context: Context, number: int, shape: object, layout: str | None, dtype: object) -> BatchValue:
    import jax.numpy as jnp

    from jaxdali._device.numeric.ragged import outside_filled

    target, wide = _type(dtype)
    own, shapes = ((), None) if shape is None else shape_in(context, shape, _INSTEAD)
    data = outside_filled(jnp.full((context.samples, *own), number, target), shapes)
    return BatchValue(data, shapes, _fitting(context, layout or "", own), wide)


def _made_like(number: int, like: BatchValue, dtype: object) -> BatchValue:
    import jax.numpy as jnp

    from jaxdali._device.numeric.ragged import outside_filled

    target, wide = (like.data.dtype, like.wide) if dtype is None else _type(dtype)
    data = outside_filled(jnp.full(like.data.shape, number, target), like.shapes)
    return BatchValue(data, like.shapes, like.layout, wide)


def _broadcast(context: Context, value: BatchValue, shape: Sequence[int], shapes: Any, layout: str) -> BatchValue:
    import jax.numpy as jnp

    from jaxdali._device.numeric.ragged import outside_filled

    word, own = context.call.operator.display_name, value.data.shape[1:]
    if value.shapes is not None or (shapes is not None and any(extent != 1 for extent in own[:-1])):
        return _stretched(context, value, shape, shapes, layout)
    try:
        rows = value.data.reshape(len(value.data), *[1] * (len(shape) - len(own)), *own)
        data = jnp.broadcast_to(rows, (len(rows), *shape))
    except (TypeError, ValueError):
        raise GraphError(f"fill_value of {word} has samples of shape {own}, which do not fit {tuple(shape)}") from None
    if shapes is not None and own and own[-1] > 1 and value.shapes is None:
        context.require(shapes[:, -1] == own[-1], f"fill_value of {word} does not fit the shape of a sample")
    return BatchValue(outside_filled(data, shapes), shapes, layout, value.wide)


def _stretched(context: Context, value: BatchValue, shape: Sequence[int], shapes: Array, layout: str) -> BatchValue:
    """Broadcasts samples that differ in shape to others."""
    import jax.numpy as jnp

    from jaxdali._device.numeric.ragged import outside_filled

    word, data, count = context.call.operator.display_name, value.data, len(value.data)
    more = len(shape) - (data.ndim - 1)
    if more < 0:
        raise GraphError(f"fill_value of {word} has samples of {data.ndim - 1} axes, which do not fit {len(shape)}")
    data = data.reshape(count, *[1] * more, *data.shape[1:])
    own, wanted = [*[1] * more, *extents_of(value)], list(shape)
    if shapes is not None:
        wanted = [shapes[:, axis] for axis in range(len(shape))]
    for axis, (extent, target) in enumerate(zip(own, wanted, strict=True)):
        extent = jnp.broadcast_to(jnp.asarray(extent), (count,))
        context.require((extent == 1) | (extent == target), f"fill_value of {word} does not fit the shape of a sample")
        places = jnp.where(extent[:, None] == 1, 0, jnp.arange(shape[axis]))
        places = jnp.clip(places, 0, max(data.shape[axis + 1] - 1, 0))
        column = places.reshape(count, *[-1 if k == axis else 1 for k in range(len(shape))])
        data = jnp.take_along_axis(data, column, axis=axis + 1)
    return BatchValue(outside_filled(data, shapes), shapes, layout, value.wide)
