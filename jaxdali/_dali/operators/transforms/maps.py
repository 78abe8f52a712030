"""The common parts of operators that make affine maps: their input, and the conversion of arguments to vectors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import FLAG, NUMBERS, Kind
from ..declaration import Input, Static
from ..values import BatchValue, Context

__all__ = ["MAPS", "REVERSE_ORDER", "VECTOR", "combined", "dimensions", "length_of", "matrix_of", "vector"]

MAPS = Input("maps", "affine maps, `[d, d + 1]`, that are applied first", takes="windows", optional=True)
REVERSE_ORDER = Static("reverse_order", FLAG, False, "apply the maps of the input last")


def _vector(word: str, value: object) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    values = read if isinstance(read, tuple) else (read,)
    if not values or not all(isinstance(entry, float) for entry in values):
        raise ConfigError(f"{word} must be a number, or one per dimension, got {value!r:.80}")
    return values


VECTOR = Kind("float | Sequence[float]", _vector, ((0.5, 0.75), (0.25, 0.5)))


def dimensions(
    context: Context,
    params: Params,
    names: tuple[str, ...],
    maps: BatchValue | None,
    ndim: int | None = None,
) -> int:
    """Returns the number of dimensions of a map: that of the input, or `ndim`, or the count of numbers in one of the
    arguments.

    Raises:
        GraphError: they contradict one another.
    """
    sizes = {name: length_of(context, params, name) for name in names if params[name] is not None}
    known = matrix_of(context, maps).shape[-2] if maps is not None else ndim
    found = max(sizes.values(), default=1) if known is None else known
    wrong = [f"{name}= has {size}" for name, size in sizes.items() if size not in (1, found)]
    if wrong or (ndim is not None and found != ndim):
        raise GraphError(
            f"{context.call.operator.display_name} makes maps of {found} dimension(s), but {', '.join(wrong)}"
        )
    return found


def length_of(context: Context, params: Params, name: str) -> int:
    """Returns how many numbers an argument has in each sample."""
    value = params[name]
    if isinstance(context.call.params[name], DataNode):
        return math.prod(value.shape[1:])
    return len(value)


def vector(context: Context, params: Params, name: str, count: int) -> Any:
    """Returns an argument as `float32[N or 1, count]`; None if it was not given.

    Raises:
        GraphError: it has neither one number nor `count`.
    """
    value = params[name]
    if value is None:
        return None
    of_node = isinstance(context.call.params[name], DataNode)
    numbers = value.reshape(len(value), -1) if of_node else np.asarray(value).reshape(1, -1)
    if numbers.shape[1] not in (1, count):
        raise GraphError(
            f"{name} of {context.call.operator.display_name} has {numbers.shape[1]} numbers, expected {count}, one per "
            "dimension"
        )
    numbers = numbers.astype(np.float32)
    if numbers.shape[1] == count:
        return numbers
    if not of_node:
        return np.broadcast_to(numbers, (1, count))
    import jax.numpy as jnp

    return jnp.broadcast_to(numbers, (len(value), count))


def matrix_of(context: Context, maps: BatchValue) -> Any:
    """Returns maps as `float32[N, d, d + 1]`.

    Raises:
        GraphError: they are not maps.
    """
    data = maps.of_one_shape(context, "affine maps")
    if data.ndim != 3 or data.shape[2] != data.shape[1] + 1:
        raise GraphError(f"affine maps are samples [d, d + 1], got {list(data.shape[1:])}")
    return data.astype(np.float32)


def combined(context: Context, made: Any, maps: BatchValue | None, reverse_order: bool) -> BatchValue:
    """Returns one map per sample: `made` applied after the map of the input, or before it."""
    import jax.numpy as jnp

    from jaxdali._device.image import affine

    if maps is not None:
        before = matrix_of(context, maps)
        made = affine.combine(made, before) if reverse_order else affine.combine(before, made)
    # The layout is DALI's: a map has two axes, of no meaning.
    return BatchValue(jnp.broadcast_to(jnp.asarray(made), (context.samples, *made.shape[1:])), layout="**")
