"""The common parts of operators that make affine maps: their input, and the conversion of arguments to vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..declaration import Input, Static
from ..kinds import FLAG, NUMBERS, Kind
from ..values import BatchValue, Context

__all__ = ["MAPS", "REVERSE_ORDER", "VECTOR", "combined", "dimensions", "matrix_of", "vector"]

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
    sizes = {name: _length(context, params, name) for name in names if params[name] is not None}
    known = matrix_of(maps).shape[-2] if maps is not None else ndim
    found = max(sizes.values(), default=1) if known is None else known
    wrong = [f"{name}= has {size}" for name, size in sizes.items() if size not in (1, found)]
    if wrong or (ndim is not None and found != ndim):
        raise GraphError(f"{context.call.operator.spoken} makes maps of {found} dimension(s), but {', '.join(wrong)}")
    return found


def _length(context: Context, params: Params, name: str) -> int:
    value = params[name]
    if isinstance(context.call.params[name], DataNode):
        return value.shape[1] if value.ndim > 1 else 1
    return len(value)


def vector(context: Context, params: Params, name: str, count: int) -> Any:
    """Returns an argument as `float32[N or 1, count]`; None if it was not given."""
    value = params[name]
    if value is None:
        return None
    if isinstance(context.call.params[name], DataNode):
        import jax.numpy as jnp

        numbers = value.reshape(len(value), -1).astype(np.float32)
        return jnp.broadcast_to(numbers, (len(value), count)) if numbers.shape[1] == 1 else numbers
    numbers = np.asarray(value, np.float32).reshape(1, -1)
    return np.broadcast_to(numbers, (1, count)) if numbers.shape[1] == 1 else numbers


def matrix_of(maps: BatchValue) -> Any:
    """Returns maps as `float32[N, d, d + 1]`.

    Raises:
        GraphError: they are not maps.
    """
    data = maps.data
    if maps.shapes is not None or data.ndim != 3 or data.shape[2] != data.shape[1] + 1:
        raise GraphError(f"affine maps are samples [d, d + 1], got {list(data.shape[1:])}")
    return data.astype(np.float32)


def combined(context: Context, made: Any, maps: BatchValue | None, reverse_order: bool) -> BatchValue:
    """Returns one map per sample: `made` applied after the map of the input, or before it."""
    import jax.numpy as jnp

    from ...image import affine

    if maps is not None:
        before = matrix_of(maps)
        made = affine.combine(made, before) if reverse_order else affine.combine(before, made)
    return BatchValue(jnp.broadcast_to(jnp.asarray(made), (context.samples, *made.shape[1:])))
