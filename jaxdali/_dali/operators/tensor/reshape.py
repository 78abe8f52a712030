"""Changes the shape or the layout of samples."""

from __future__ import annotations

from ..declaration import operator
from ..operator_inputs import ANY
from ..values import BatchValue, Context
from .reshaping import NEW_SHAPE, SHAPE_INPUT, check_new_shape, new_shape, reshaped_value, with_shape_input

__all__ = ["reshape"]


@operator(
    "reshape",
    inputs=[ANY, SHAPE_INPUT],
    params=NEW_SHAPE,
    check=lambda display_name, inputs, params, _device: check_new_shape(display_name, inputs, params),
    raises={"SourceDataError": "a sample has another number of numbers, where the batch is handed out"},
)
def reshape(context: Context, value: BatchValue, given: BatchValue | None = None, **params: object) -> BatchValue:
    """Changes the shape of samples, their layout, or both; DALI's `fn.reshape`. The order of their numbers stays the
    same.
    """
    params = with_shape_input(context, given, params)
    return reshaped_value(context, value, params, *new_shape(context, value, params))
