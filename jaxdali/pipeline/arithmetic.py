"""Arithmetic between nodes: operators whose types, shapes and numbers are DALI's."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ConfigError, ConfigTypeError
from ..types import Constant, DALIDataType, to_numpy_type
from .constant import constant_array, constant_node
from .node import DataNode, Operator, spoken
from .recording import recorded
from .trace import add_operator
from .value import BatchValue

__all__ = ["apply", "shape_node"]


@recorded("math")
def apply(kind: str, *operands: Any) -> DataNode:
    """A node for an operation on nodes and constants, element by element.

    Args:
        kind: DALI's name of the operation, such as "add" for `+`.
        operands: nodes; numbers, arrays, lists of numbers, `types.Constant`. At least one node.

    Raises:
        ConfigTypeError: an operand is something else.
        ConfigError: a number does not fit its type.
        GraphError: outside of a pipeline, or a node of another one.
    """
    inputs: list[DataNode] = []
    parts: list[int | np.ndarray] = []
    if not any(isinstance(operand, DataNode) for operand in operands):
        raise ConfigTypeError(f"{spoken('math.' + kind)} wants at least one DataNode among its operands")
    for operand in operands:
        if isinstance(operand, Constant) and (operand.layout or operand.device):
            operand = constant_node(operand)
        if isinstance(operand, DataNode):
            parts.append(len(inputs))
            inputs.append(operand)
        else:
            parts.append(_constant(kind, operand))

    def evaluate(context: Any, values: list[BatchValue], _arguments: dict[str, Any]) -> BatchValue:
        taken = [values[part] if isinstance(part, int) else BatchValue(constant_array(part)[None]) for part in parts]
        return _evaluate(context, operator, kind, taken)

    device = "gpu" if any(node.device in ("gpu", "mixed") for node in inputs) else "cpu"
    operator = add_operator(f"math.{kind}", evaluate, inputs, device=device)
    return operator.node()


def _constant(kind: str, operand: Any) -> np.ndarray:
    if isinstance(operand, Constant):
        return operand.value
    try:
        return Constant(operand).value
    except ConfigError as error:
        if isinstance(operand, int | float):
            raise
        raise ConfigTypeError(
            f"Argument to arithmetic operation not supported. {spoken('math.' + kind)} got {type(operand).__name__}, "
            "expected a DataNode, a number, an array, a list of numbers or a types.Constant"
        ) from error


def _evaluate(context: Any, operator: Operator, kind: str, values: list[BatchValue]) -> BatchValue:
    import jax.numpy as jnp

    from .broadcasting import aligned, common_layout, inside
    from .elementwise import compute

    word = spoken(operator.kind)
    layout = common_layout(values, word)
    arrays, shapes = aligned(context, values, f"{word} at {operator.site}")
    result = compute(kind, *arrays)
    if kind in ("div", "mod") and result.dtype.kind != "f":
        divisor = arrays[1]
        right = (divisor != 0) if shapes is None else (divisor != 0) | ~inside(divisor, shapes)
        holds = jnp.broadcast_to(right.all(axis=tuple(range(1, right.ndim))), (context.samples,))
        context.require(holds, f"Integer division by zero, in {word} at {operator.site}")
    return BatchValue(result, shapes, layout)


@recorded("shape")
def shape_node(node: DataNode, dtype: DALIDataType) -> DataNode:
    """A node with the shape of each sample, one-dimensional."""
    target = np.dtype(to_numpy_type(dtype))

    def evaluate(context: Any, values: list[BatchValue], _arguments: dict[str, Any]) -> BatchValue:
        import jax
        import jax.numpy as jnp

        (value,) = values
        shapes = jnp.asarray(value.data.shape[1:], jnp.int32) if value.shapes is None else value.shapes
        shapes = jnp.broadcast_to(shapes, (context.samples, value.data.ndim - 1))
        return BatchValue(shapes.astype(jax.dtypes.canonicalize_dtype(target)))

    return add_operator("shape", evaluate, [node], device="cpu").node()
