"""Subscripts of nodes: `images[10:20, :, 0]`, each sample by itself."""

from __future__ import annotations

import dataclasses
import types
from typing import Any

import numpy as np

from ..errors import ConfigError, ConfigTypeError
from .node import DataNode
from .recording import recorded
from .trace import add_operator
from .value import BatchValue

__all__ = ["At", "NewAxis", "Range", "newaxis", "subscript"]


# Steps that 32 bits hold; no sample has a longer axis.
_FARTHEST = (1 << 31) - 1


class NewAxis:
    """In a subscript an axis of extent 1, as NumPy's; `newaxis("N")` names it in the layout."""

    def __init__(self, name: str = ""):
        if not isinstance(name, str) or len(name) > 1:
            raise ConfigError(f"the name of a new axis is one letter, got {name!r}")
        self.name = name

    def __call__(self, name: str = "") -> NewAxis:
        return NewAxis(name)

    def __repr__(self) -> str:
        return f"newaxis({self.name!r})" if self.name else "newaxis"


newaxis = NewAxis()


@dataclasses.dataclass(frozen=True)
class At:
    """One place along an axis, which goes. A text is the name of an argument that holds one a sample."""

    index: int | str


@dataclasses.dataclass(frozen=True)
class Range:
    """Part of an axis, as Python's slices; texts as in `At`."""

    start: int | str | None = None
    stop: int | str | None = None
    step: int = 1


@recorded("subscript")
def subscript(node: DataNode, key: Any) -> DataNode:
    """The node for `node[key]`.

    Raises:
        ConfigTypeError: something in the subscript that is no index.
        ConfigError: a step of 0, two `...`.
    """
    arguments: dict[str, DataNode] = {}
    entries = [_entry(entry, arguments) for entry in (key if isinstance(key, tuple) else (key,))]
    if sum(entry is Ellipsis for entry in entries) > 1:
        raise ConfigError("a subscript has at most one `...`")
    written = ", ".join(_written(entry) for entry in entries)

    def evaluate(context: Any, values: list[BatchValue], given: dict[str, Any]) -> BatchValue:
        from .subscripting import take

        (value,) = values
        return take(context, value, entries, given, f"the subscript {written} at {operator.site}")

    device = "gpu" if node.device in ("gpu", "mixed") else "cpu"
    operator = add_operator("subscript", evaluate, [node], arguments, device=device)
    return operator.node()


def _entry(entry: Any, arguments: dict[str, DataNode]) -> Any:
    if isinstance(entry, NewAxis | types.EllipsisType):
        return entry
    if entry is None:
        raise ConfigTypeError(
            "None in a subscript means `:` to DALI and a new axis to NumPy: write `:`, or jaxdali.newaxis"
        )
    if isinstance(entry, slice):
        step = 1 if entry.step is None else entry.step
        if isinstance(step, bool) or not isinstance(step, int | np.integer):
            raise ConfigTypeError(f"the step of a subscript is an integer, got {step!r}")
        if step == 0:
            raise ConfigError("the step of a subscript cannot be 0")
        if abs(step) > _FARTHEST:
            raise ConfigError(f"the step of a subscript is at most {_FARTHEST}, got {step!r:.80}")
        start, stop = (None if end is None else _index(end, arguments) for end in (entry.start, entry.stop))
        return Range(start, stop, int(step))
    return At(_index(entry, arguments))


def _written(entry: Any) -> str:
    if isinstance(entry, At):
        return str(entry.index)
    if isinstance(entry, Range):
        ends = ["" if end is None else str(end) for end in (entry.start, entry.stop)]
        return ":".join(ends if entry.step == 1 else [*ends, str(entry.step)])
    return "..." if entry is Ellipsis else repr(entry)


def _index(value: Any, arguments: dict[str, DataNode]) -> int | str:
    if isinstance(value, DataNode):
        name = f"index_{len(arguments)}"
        arguments[name] = value
        return name
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ConfigTypeError(
            f"Invalid type for an index: {type(value).__name__}; expected integers, slices, `...`, jaxdali.newaxis, or "
            "nodes with one integer a sample"
        )
    return int(value)
