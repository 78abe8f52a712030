"""Computes minima and maxima."""

from __future__ import annotations

from typing import Any

from ..declaration import operator
from ..values import BatchValue, Context
from .reduction import AXES_OF, DATA, check_axes, reduced, reduced_axes

__all__ = ["max", "min"]


@operator("reductions.max", inputs=[DATA], params=AXES_OF, check=check_axes)
def max(context: Context, value: BatchValue, **params: Any) -> BatchValue:
    """Computes the maximum; DALI's `fn.reductions.max`."""
    return _extreme(context, value, True, **params)


@operator("reductions.min", inputs=[DATA], params=AXES_OF, check=check_axes)
def min(context: Context, value: BatchValue, **params: Any) -> BatchValue:
    """Computes the minimum; DALI's `fn.reductions.min`."""
    return _extreme(context, value, False, **params)


def _extreme(
    context: Context, value: BatchValue, largest: bool, axes: object, axis_names: str | None, keep_dims: bool
) -> BatchValue:
    from jaxdali._device.numeric import moments as statistics

    along = reduced_axes(context, value, axes, axis_names)
    found = statistics.extreme(value.data, value.shapes, along, largest)
    return reduced(value, found, along, keep_dims, value.wide)
