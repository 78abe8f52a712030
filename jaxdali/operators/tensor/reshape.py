"""Another shape, or another layout."""

from __future__ import annotations

from typing import Any

from ..inputs import ANY
from ..record import operator
from ..values import BatchValue, Context
from .reshaping import NEW_SHAPE, check_new_shape, new_shape, refold

__all__ = ["reshape"]


@operator(
    "reshape",
    inputs=[ANY],
    params=NEW_SHAPE,
    check=lambda spoken, _inputs, params, _device: check_new_shape(spoken, params),
    raises={"SourceDataError": "a sample has another number of numbers, where the batch is handed out"},
)
def reshape(context: Context, value: BatchValue, **params: Any) -> BatchValue:
    """Gives samples another shape, another layout, or both; DALI's `fn.reshape`. Their numbers stay in order."""
    return refold(context, value, params, *new_shape(context, value, params))
