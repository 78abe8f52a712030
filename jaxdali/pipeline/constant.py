"""Constants in a graph: the same for every sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import ConfigError, GraphError
from ..types import Constant
from .node import DataNode
from .recording import recorded
from .trace import add_operator
from .value import BatchValue

__all__ = ["constant_array", "constant_node", "output_nodes"]


@recorded("constant")
def constant_node(constant: Constant) -> DataNode:
    """An operator that gives the constant to every sample."""
    value, layout = constant.value, constant.layout

    def evaluate(context: Any, _inputs: list[Any], _arguments: dict[str, Any]) -> BatchValue:
        import jax.numpy as jnp

        array = constant_array(value)
        return BatchValue(jnp.broadcast_to(array, (context.samples, *value.shape)), None, layout)

    return add_operator("constant", evaluate, device=constant.device).node()


def constant_array(value: np.ndarray) -> np.ndarray:
    """As a type that JAX has: without x64 there are none of 64 bits.

    Raises:
        ConfigError: a number does not fit.
    """
    import jax

    target = jax.dtypes.canonicalize_dtype(value.dtype)
    narrowed = value.astype(target)
    if value.dtype.kind in "iu" and not np.array_equal(narrowed, value):
        raise ConfigError(f"the constant {value!r} does not fit {target}; set jax_enable_x64, or make it smaller")
    return narrowed


def output_nodes(outputs: Sequence[Any]) -> list[DataNode]:
    """The nodes that a pipeline returns. Lists with nodes in them are flattened; what has none is a constant.

    Raises:
        GraphError: something that is neither.
    """
    nodes = []
    for position, value in enumerate(_flatten(outputs)):
        if not isinstance(value, DataNode):
            try:
                value = constant_node(value if isinstance(value, Constant) else Constant(value))
            except ConfigError as error:
                raise GraphError(
                    f"output {position} of the pipeline is a {type(value).__name__}, expected a DataNode or a constant: "
                    f"{error}"
                ) from error
        nodes.append(value)
    return nodes


def _flatten(values: Sequence[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list | tuple) and _holds_nodes(value):
            yield from _flatten(value)
        else:
            yield value


def _holds_nodes(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return not value or any(_holds_nodes(entry) for entry in value)
    return isinstance(value, DataNode)
