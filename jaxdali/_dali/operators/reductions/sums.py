"""Computes sums and means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.dtypes import FLOAT, FLOAT16, DALIDataType, to_numpy_type
from jaxdali.errors import ConfigError, GraphError
from ..argument_kinds import DTYPE, Kind, numpy_dtype
from ..declaration import Static, operator
from ..values import BatchValue, Context
from .reduction import AXES_OF, DATA, check_axes, reduced, reduced_axes

__all__ = ["mean", "mean_square", "rms", "sum"]


def _float(word: str, value: object) -> DALIDataType:
    read = DTYPE.read(word, value)
    if np.dtype(to_numpy_type(read)).kind != "f":
        raise ConfigError(f"{word} must be a type of floats, got {value!r:.80}; fn.cast rounds the result to others")
    return read


_FLOAT = Static(
    "dtype",
    Kind("DALIDataType", _float, (FLOAT, FLOAT16)),
    None,
    "type of the output, a floating-point type; by default FLOAT",
)


@operator(
    "reductions.sum",
    inputs=[DATA],
    params=[
        *AXES_OF,
        Static(
            "dtype",
            DTYPE,
            None,
            "type of the output; integers wrap around. By default FLOAT for floats, and UINT64 or INT64 for integers",
        ),
    ],
    check=check_axes,
    raises={"SourceDataError": "a sum of 64 bits that JAX has not without jax_enable_x64"},
)
def sum(
    context: Context, value: BatchValue, *, axes: object, axis_names: str | None, keep_dims: bool, dtype: Any
) -> BatchValue:
    """Computes the sum; DALI's `fn.reductions.sum`."""
    import jax
    import jax.numpy as jnp

    from jaxdali._device.numeric import moments as statistics

    along = reduced_axes(context, value, axes, axis_names)
    found = statistics.total(value.data, value.shapes, along)
    target: Any = numpy_dtype(dtype)
    if target is None:
        if found.dtype.kind == "f":
            return reduced(value, found, along, keep_dims)
        target = np.dtype(np.int64 if value.data.dtype.kind == "i" else np.uint64)
    narrow = np.dtype(jax.dtypes.canonicalize_dtype(target))
    if target.kind == "f":
        whole = (
            found if found.dtype.kind == "f" else statistics.total(value.data.astype(jnp.float32), value.shapes, along)
        )
        return reduced(value, whole.astype(narrow), along, keep_dims)
    if found.dtype.kind == "f":
        raise GraphError(
            f"fn.reductions.sum(dtype={target}) does not take {value.data.dtype}: cast the sum, or what is summed"
        )
    if narrow != target and not _always_held(value.data, along, found.dtype):
        about = statistics.total(value.data.astype(jnp.float32), value.shapes, along)
        limits = np.iinfo(found.dtype)
        held = (about < limits.max * 0.9999) & (about >= limits.min * 0.9999)
        context.require(
            held.all(axis=tuple(range(1, held.ndim))),
            "fn.reductions.sum makes integers of 64 bits, of which JAX keeps 32 without jax_enable_x64, and a sum does "
            "not fit; set it, or give dtype=types.FLOAT",
        )
    return reduced(value, found.astype(narrow), along, keep_dims, None if narrow == target else target)


def _always_held(data: Any, axes: Sequence[int], kind: Any) -> bool:
    """Whether an integer type can hold the sum, whatever the numbers are."""
    limits = (0, 1) if data.dtype.kind == "b" else (int(np.iinfo(data.dtype).min), int(np.iinfo(data.dtype).max))
    count = math.prod(data.shape[axis + 1] for axis in axes)
    return np.iinfo(kind).min <= limits[0] * count and limits[1] * count <= np.iinfo(kind).max


@operator("reductions.mean", inputs=[DATA], params=[*AXES_OF, _FLOAT], check=check_axes)
def mean(context: Context, value: BatchValue, **params: Any) -> BatchValue:
    """Computes the mean; DALI's `fn.reductions.mean`."""
    return _mean(context, value, lambda one: one, lambda one: one, **params)


@operator("reductions.mean_square", inputs=[DATA], params=[*AXES_OF, _FLOAT], check=check_axes)
def mean_square(context: Context, value: BatchValue, **params: Any) -> BatchValue:
    """Computes the mean of the squares; DALI's `fn.reductions.mean_square`."""
    return _mean(context, value, _square, lambda one: one, **params)


@operator("reductions.rms", inputs=[DATA], params=[*AXES_OF, _FLOAT], check=check_axes)
def rms(context: Context, value: BatchValue, **params: Any) -> BatchValue:
    """Computes the root of the mean of the squares; DALI's `fn.reductions.rms`."""
    import jax.numpy as jnp

    return _mean(context, value, _square, jnp.sqrt, **params)


def _square(numbers: object) -> Any:
    from jaxdali._device.image.exact_arithmetic import product

    return product(numbers, numbers)


def _mean(
    context: Context,
    value: BatchValue,
    before: Any,
    after: Any,
    axes: Any,
    axis_names: Any,
    keep_dims: bool,
    dtype: Any,
) -> BatchValue:
    import jax.numpy as jnp

    from jaxdali._device.numeric import moments as statistics

    along = reduced_axes(context, value, axes, axis_names)
    wanted: Any = numpy_dtype(dtype)
    kind = jnp.promote_types(value.data.dtype, jnp.float32) if value.data.dtype.kind == "f" else jnp.float32
    found = after(statistics.mean(before(value.data.astype(kind)), value.shapes, along))
    return reduced(value, found if wanted is None else found.astype(wanted), along, keep_dims)
