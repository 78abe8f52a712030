"""Constants in a graph: the same for every sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import ConfigError, GraphError
from ..graph.call import DataNode
from ..types import Constant, from_numpy_type
from .kinds import Kind
from .record import REQUIRED, Static, operator
from .values import BatchValue, Context
from .wide import narrow_integers

__all__ = ["constant", "constant_array", "constant_node", "output_nodes"]


def _array(word: str, value: Any) -> np.ndarray:
    if not isinstance(value, np.ndarray | np.generic) or value.dtype.kind not in "buif":
        raise ConfigError(f"{word} must be an array of numbers, got {value!r:.80}")
    from_numpy_type(value.dtype)
    return np.asarray(value)


def _layout(word: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{word} must be text, got {value!r:.80}")
    return value


@operator(
    "constant",
    door="",
    words="the constant",
    params=[
        Static(
            "value", Kind("np.ndarray", _array, (np.float32(1.5), np.zeros(2, np.int32))), REQUIRED, "of every sample"
        ),
        Static("layout", Kind("str", _layout, ("A", "B")), "", "of the value"),
    ],
    limits=lambda params: (
        (float(params["value"].min()), float(params["value"].max())) if params["value"].size else None
    ),
)
def constant(context: Context, *, value: np.ndarray, layout: str) -> BatchValue:
    """A constant."""
    import jax.numpy as jnp

    wide = None if narrow_integers(value.dtype) is None else value.dtype
    return BatchValue(jnp.broadcast_to(constant_array(value), (context.samples, *value.shape)), None, layout, wide)


def constant_node(value: Constant) -> DataNode:
    """A node that gives the constant to every sample."""
    return constant(value=value.value, layout=value.layout, device=value.device)


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
                # Without types.Constant a NumPy scalar is to DALI what an array is: of 32 bits at most.
                plain = np.asarray(value) if isinstance(value, np.generic) else value
                value = constant_node(plain if isinstance(plain, Constant) else Constant(plain))
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
