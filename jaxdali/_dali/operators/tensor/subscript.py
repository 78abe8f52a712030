"""Subscripts of nodes: `images[10:20, :, 0]`, applied to each sample."""

from __future__ import annotations

import contextlib
import types
from typing import Any

import numpy as np

from jaxdali._base.constants import Constant
from jaxdali.errors import ConfigError, ConfigTypeError, GraphNotImplementedError
from ...graph.call import DataNode, nodes_in
from ...graph.newaxis import NewAxis
from ..argument_kinds import Kind
from ..declaration import REQUIRED, Param, operator
from ..operator_inputs import ANY
from ..values import BatchValue, Context
from .axis_selection import At, Range

__all__ = ["subscript"]

# The limit on indices and steps, which fits into 32 bits; no sample has a longer axis.
_FARTHEST = (1 << 31) - 1


def _key(_word: str, value: object) -> tuple[object, ...]:
    entries = tuple(_entry(entry) for entry in (value if isinstance(value, tuple) else (value,)))
    if sum(entry is Ellipsis for entry in entries) > 1:
        raise GraphNotImplementedError("a subscript has at most one `...`")
    return entries


def _entry(entry: object) -> object:
    entry = _plain(entry)
    if isinstance(entry, NewAxis | types.EllipsisType):
        return entry
    if entry is None:
        raise ConfigTypeError(
            "None in a subscript means `:` to DALI and a new axis to NumPy: write `:`, or jaxdali.newaxis"
        )
    if isinstance(entry, slice):
        start, stop = (None if end is None else _end(_plain(end)) for end in (entry.start, entry.stop))
        step = 1 if entry.step is None else _plain(entry.step)
        if isinstance(step, DataNode):
            return slice(start, stop, step)
        if isinstance(step, bool) or not isinstance(step, int | np.integer):
            raise ConfigTypeError(f"the step of a subscript must be an integer, or a node with one, got {step!r}")
        if step == 0:
            raise ConfigError("the step of a subscript cannot be 0")
        if abs(step) > _FARTHEST:
            raise ConfigError(f"the step of a subscript is at most {_FARTHEST}, got {step!r:.80}")
        return slice(start, stop, int(step))
    return _index(entry)


def _plain(value: object) -> object:
    """Returns the number of a constant, or of an array that is a single integer; anything else unchanged."""
    if isinstance(value, Constant):
        value = value.value
    if isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "iu":
        return int(value)
    return value


def _index(value: object) -> int | DataNode:
    if isinstance(value, DataNode):
        return value
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ConfigTypeError(
            f"Invalid type for an index: {type(value).__name__} {value!r:.80}; expected integers, slices, `...`, "
            "jaxdali.newaxis, or nodes with one integer per sample"
        )
    if abs(value) > _FARTHEST:
        raise ConfigError(f"an index is at most {_FARTHEST}, got {value!r:.80}: no sample has a longer axis")
    return int(value)


def _end(value: object) -> int | DataNode:
    """Reads an end of a slice, which may lie beyond every axis."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return max(-_FARTHEST, min(int(value), _FARTHEST))
    return _index(value)


def _written(entry: object) -> str:
    if isinstance(entry, slice):
        ends = ["" if end is None else _written(end) for end in (entry.start, entry.stop)]
        is_one = isinstance(entry.step, int) and entry.step == 1
        return ":".join(ends if is_one else [*ends, _written(entry.step)])
    if isinstance(entry, DataNode):
        return entry.name
    return "..." if entry is Ellipsis else repr(entry)


@operator(
    "subscript",
    namespace="",
    display="the subscript",
    inputs=[ANY],
    params=[
        Param(
            "key", Kind("Any", _key, ((0,), (slice(0, 2),))), REQUIRED, "contents of the brackets; indices may be nodes"
        )
    ],
)
def subscript(context: Context, value: BatchValue, *, key: tuple[Any, ...]) -> BatchValue:
    """Selects a part of each sample."""
    from .subscripting import take

    written = ", ".join(_written(entry) for entry in context.call.params["key"])
    taken = take(context, value, [_place(entry) for entry in key], f"the subscript {written} at {context.call.site}")
    if value.most is None or any(True for _ in nodes_in(context.call.params["key"])):
        return taken
    places = tuple(np.newaxis if isinstance(entry, NewAxis) else entry for entry in key)
    with contextlib.suppress(IndexError):  # in a branch, an index may be out of range if no sample takes it
        return taken.bounded(np.asarray(value.most[places]))
    return taken


def _place(entry: object) -> object:
    if isinstance(entry, slice):
        return Range(entry.start, entry.stop, entry.step)
    return entry if isinstance(entry, NewAxis | types.EllipsisType) else At(entry)
