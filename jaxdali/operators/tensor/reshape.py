"""Changes the shape or the layout of samples."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import ConfigError
from ...graph.call import DataNode, Params
from ..declaration import Input, operator
from ..inputs import ANY
from ..values import BatchValue, Context
from .reshaping import NEW_SHAPE, check_new_shape, new_shape, reshaped_value

__all__ = ["reshape"]


def _check(spoken: str, inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    if len(inputs) == 1:
        check_new_shape(spoken, params)
        return
    if params["shape"] is not None or params["rel_shape"] is not None:
        raise ConfigError(f"{spoken} got shapes both as an input and as an argument; give one of them")
    if inputs[1].call.operator.name != "constant":
        return
    kind = next(param.kind for param in NEW_SHAPE if param.name == "shape")
    kind.read(f"{spoken}(shape_input)", inputs[1].call.params["value"])


@operator(
    "reshape",
    inputs=[ANY, Input("shape_input", "the new shape as numbers, instead of `shape`", takes="windows", optional=True)],
    params=NEW_SHAPE,
    check=_check,
    raises={"SourceDataError": "a sample has another number of numbers, where the batch is handed out"},
)
def reshape(context: Context, value: BatchValue, given: BatchValue | None = None, **params: object) -> BatchValue:
    """Changes the shape of samples, their layout, or both; DALI's `fn.reshape`. The order of their numbers stays the
    same.
    """
    if given is not None and context.call.inputs[1].call.operator.name != "constant":
        params["shape"] = given
    elif given is not None:
        written = context.call.inputs[1].call.params["value"].ravel().tolist()
        params["shape"] = tuple(-1 if extent < 0 else extent for extent in written)
    return reshaped_value(context, value, params, *new_shape(context, value, params))
