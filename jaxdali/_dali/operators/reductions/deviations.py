"""Computes variances and standard deviations."""

from __future__ import annotations

from typing import Any

from ..argument_kinds import integer
from ..declaration import Input, Static, operator
from ..values import BatchValue, Context
from .reduction import AXES_OF, DATA, beside, check_axes, reduced, reduced_axes

__all__ = ["std_dev", "variance"]

_MEAN = Input("mean", "the mean from which distances are measured, with or without the reduced axes", takes="scalars")
_DDOF = Static(
    "ddof",
    integer(0),
    0,
    "delta degrees of freedom: the sum of squares is divided by the number of elements minus this number",
)


@operator("reductions.variance", inputs=[DATA, _MEAN], params=[*AXES_OF, _DDOF], check=check_axes)
def variance(context: Context, value: BatchValue, mean: BatchValue, **params: Any) -> BatchValue:
    """Computes the variance; DALI's `fn.reductions.variance`.

    It is the mean square of the distances from a mean, as FLOAT.
    """
    return _deviation(context, value, mean, lambda one: one, **params)


@operator("reductions.std_dev", inputs=[DATA, _MEAN], params=[*AXES_OF, _DDOF], check=check_axes)
def std_dev(context: Context, value: BatchValue, mean: BatchValue, **params: Any) -> BatchValue:
    """Computes the standard deviation; DALI's `fn.reductions.std_dev`.

    It is the root of the mean square of the distances from a mean, as FLOAT.
    """
    import jax.numpy as jnp

    return _deviation(context, value, mean, jnp.sqrt, **params)


def _deviation(
    context: Context,
    value: BatchValue,
    mean: BatchValue,
    after: Any,
    axes: object,
    axis_names: str | None,
    keep_dims: bool,
    ddof: int,
) -> BatchValue:
    import jax.numpy as jnp

    from jaxdali._device.numeric import moments as statistics

    along = reduced_axes(context, value, axes, axis_names)
    center = beside(context, value, mean, along)
    # Of samples that have axes, over none of them it is 0 in DALI, whatever the mean.
    if not along and value.data.ndim > 1:
        return BatchValue(jnp.zeros(value.data.shape, jnp.float32), value.shapes, value.layout)
    found = statistics.variance(value.data, value.shapes, along, center, ddof)
    return reduced(value, after(found), along, keep_dims)
