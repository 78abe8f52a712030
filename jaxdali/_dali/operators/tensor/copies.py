"""Returns the same numbers, or converts them to another type."""

from __future__ import annotations

from typing import Any

from ..declaration import Input, operator
from ..int64_values import require_held
from ..lazy import Lazy
from ..operator_inputs import ANY
from ..values import BatchValue, Context, ImagesValue

__all__ = ["cast_like", "copy"]


@operator(
    "copy",
    inputs=[ANY],
    keeps_extents=True,
    lazy=Lazy(lambda _params: (), one_window=lambda _stage, _params: True),
)
def copy(context: Context, value: BatchValue | ImagesValue) -> BatchValue | ImagesValue:
    """Returns its input; DALI's `fn.copy`. Arrays are immutable, so nothing is copied."""
    return value


@operator(
    "cast_like",
    inputs=[Input("data", "any numbers", computed=False), Input("like", "node whose type is used", computed=False)],
    keeps_extents=True,
)
def cast_like(context: Context, value: BatchValue, like: BatchValue) -> BatchValue:
    """Converts the first input to the type of the second input; DALI's `fn.cast_like`. Numbers are rounded as in
    `fn.cast`.
    """
    from jaxdali._device.image.convert import round_to_dtype

    target: Any = like.data.dtype
    if like.wide is not None:
        require_held(context, value.data, target)
    return BatchValue(round_to_dtype(value.data, target), value.shapes, value.layout, like.wide)
