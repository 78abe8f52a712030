"""Reads the same bytes as another type."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali.errors import GraphError
from ..argument_kinds import DTYPE, numpy_dtype
from ..declaration import Static, operator
from ..int64_values import narrow_integers
from ..operator_inputs import ANY
from ..values import BatchValue, Context
from .reshaping import NEW_SHAPE, SHAPE_INPUT, check_new_shape, new_shape, reshaped_value, with_shape_input
from .sample_axes import extents_of, shapes_of

__all__ = ["reinterpret"]


@operator(
    "reinterpret",
    inputs=[ANY, SHAPE_INPUT],
    params=[Static("dtype", DTYPE, None, "type as which the bytes are read; by default that of the input"), *NEW_SHAPE],
    check=lambda display_name, inputs, params, _device: check_new_shape(display_name, inputs, params, also=("dtype",)),
    raises={
        "GraphError": "types of 64 bits without jax_enable_x64, but for integers that 32 hold",
        "SourceDataError": "a sample has another number of bytes, where the batch is handed out",
    },
)
def reinterpret(
    context: Context, value: BatchValue, given: BatchValue | None = None, *, dtype: Any, **params: object
) -> BatchValue:
    """Reads the bytes of samples as another type, and can change their shape or layout; DALI's `fn.reinterpret`.

    Without a shape, the last axis keeps its number of bytes. Anything other than 0 is read as True.
    """
    params = with_shape_input(context, given, params)
    target = numpy_dtype(dtype) or value.wide or value.data.dtype
    if target == value.wide:
        return reshaped_value(context, value, params, *new_shape(context, value, params))
    _check(value, target)
    factor = (value.data.dtype.itemsize, target.itemsize)
    if factor[0] == factor[1] or all(params[name] is None for name in ("shape", "rel_shape")):
        # The bytes are read before axes are reordered: each axis keeps its bytes.
        reordered = params["src_dims"] is not None and factor[0] != factor[1]
        if reordered:
            value = reshaped_value(context, value, {**params, "layout": None}, *new_shape(context, value, params))
            params = {**params, "src_dims": None}
        value = _read(context, value, target)
        return reshaped_value(context, value, params, *new_shape(context, value, params))
    extents, most = new_shape(context, value, params, factor)
    flat = {"layout": None, "shape": (-1,), "rel_shape": None, "src_dims": None}
    row = _read(context, reshaped_value(context, value, flat, *new_shape(context, value, flat)), target)
    layout = value.layout if len(extents) == value.data.ndim - 1 and params["layout"] is None else params["layout"]
    return reshaped_value(context, row, {**params, "layout": layout}, extents, most)


def _check(value: BatchValue, target: np.dtype) -> None:
    import jax

    held = np.dtype(jax.dtypes.canonicalize_dtype(target)) == target or narrow_integers(target) is not None
    if value.wide is not None or not held:
        raise GraphError(
            f"fn.reinterpret of {value.wide or target}: 64-bit types need jax_enable_x64; enable it, or use fn.cast first"
        )


def _read(context: Context, value: BatchValue, target: np.dtype) -> BatchValue:
    """Reads each row of the last axis as the type. If JAX lacks the 64-bit type, reads the lower 32 bits, which must be
    enough.
    """
    import jax.numpy as jnp

    narrow = narrow_integers(target)
    if narrow is None:
        return _read_rows(context, value, target)
    _require_whole(context, value, target)
    size = target.itemsize // value.data.dtype.itemsize
    padded = jnp.pad(value.data, [*[(0, 0)] * (value.data.ndim - 1), (0, -value.data.shape[-1] % size)])
    shapes = shapes_of(extents_of(value), len(padded)) if padded.shape != value.data.shape else value.shapes
    halves = _read_rows(context, BatchValue(padded, shapes, value.layout), narrow)
    lower, upper = halves.data[..., ::2], halves.data[..., 1::2]
    sign = lower >> 31 if narrow.kind == "i" else jnp.zeros_like(lower)
    context.require(
        (upper == sign).reshape(len(upper), -1).all(axis=1),
        "fn.reinterpret reads an integer of 64 bits that does not fit into the 32 which JAX has without jax_enable_x64: "
        "set jax_enable_x64",
    )
    extents = extents_of(value)
    extents[-1] = extents[-1] // size
    return BatchValue(lower, shapes_of(extents, len(lower)), value.layout, wide=target)


def _require_whole(context: Context, value: BatchValue, target: np.dtype) -> None:
    """Requires that rows of the last axis hold a whole number of elements of a larger type.

    Raises:
        GraphError: it is known beforehand that they do not.
    """
    have, extents = value.data.dtype, extents_of(value)
    if not extents:
        raise GraphError(f"fn.reinterpret reads scalars of type {have} as {target}, which differs in size; give shape=")
    size = target.itemsize // have.itemsize
    said = f"the last axis of fn.reinterpret does not have a whole number of {target}"
    if isinstance(extents[-1], int) and extents[-1] % size:
        raise GraphError(f"{said}: {extents[-1]} of type {have}")
    if not isinstance(extents[-1], int):
        context.require(extents[-1] % size == 0, said)


def _read_rows(context: Context, value: BatchValue, target: np.dtype) -> BatchValue:
    """Reads each row of the last axis as a type that JAX has."""
    import jax.numpy as jnp
    from jax import lax

    data, have = value.data, value.data.dtype
    if have == target:
        return value
    extents, many = extents_of(value), (have.itemsize, target.itemsize)
    if many[0] < many[1]:
        _require_whole(context, value, target)
        size = many[1] // many[0]
        data = jnp.pad(data, [*[(0, 0)] * (data.ndim - 1), (0, -data.shape[-1] % size)])
        data = data.reshape(*data.shape[:-1], -1, size)
    elif not extents and many[0] != many[1]:
        raise GraphError(f"fn.reinterpret reads scalars of type {have} as {target}, which differs in size; give shape=")
    raw = data.astype(np.uint8) if have.kind == "b" else data
    if target.kind == "b":
        found = lax.bitcast_convert_type(raw, np.uint8) != 0
    else:
        found = lax.bitcast_convert_type(raw, target)
    if many[0] > many[1] and extents:
        found = found.reshape(*found.shape[:-2], -1)
    if extents:
        extents[-1] = extents[-1] * many[0] // many[1]
    return BatchValue(found, shapes_of(extents, len(found)), value.layout)
