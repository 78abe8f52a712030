"""Values of a saved pipeline as JSON has them, and back. Reading them makes data and nothing else."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Sequence
from types import EllipsisType
from typing import Any

import numpy as np

from .. import types
from ..errors import ConfigTypeError
from .node import DataNode
from .subscript import NewAxis
from .trace import Graph

__all__ = ["from_plain", "to_plain"]

# JSON's objects are all ours: the key that says what one is.
_KIND = "is"

_ENUMS = {enum.__name__: enum for enum in (types.DALIDataType, types.DALIInterpType, types.DALIImageType)}


def to_plain(value: Any, graph: Graph) -> Any:
    """A value as numbers, texts, lists and dictionaries.

    Args:
        graph: whose nodes there may be among it.

    Raises:
        ConfigTypeError: it is something that cannot be read back without running code.
    """
    if type(value).__name__ in _ENUMS:
        return {_KIND: type(value).__name__, "name": value.name}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, DataNode):
        return {_KIND: "node", "operator": graph.operators.index(value.operator), "output": value.index}
    if isinstance(value, types.Constant):
        array = to_plain(value.value, graph)
        return {_KIND: "constant", "value": array, "layout": value.layout, "device": value.device}
    if isinstance(value, NewAxis):
        return {_KIND: "newaxis", "name": value.name}
    if isinstance(value, EllipsisType):
        return {_KIND: "ellipsis"}
    if isinstance(value, slice):
        return {_KIND: "slice", "ends": [to_plain(end, graph) for end in (value.start, value.stop, value.step)]}
    if isinstance(value, os.PathLike):
        return to_plain(os.fspath(value), graph)
    if isinstance(value, dict):
        return {_KIND: "dictionary", "entries": [[key, to_plain(entry, graph)] for key, entry in value.items()]}
    if isinstance(value, tuple):
        return {_KIND: "tuple", "entries": [to_plain(entry, graph) for entry in value]}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        return [to_plain(entry, graph) for entry in value]
    if hasattr(value, "__array__"):
        array = np.asarray(value)
        if array.dtype.kind in "biuf":
            data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
            # NumPy's scalars say what type they are of; of arrays some take another one.
            kind = "scalar" if isinstance(value, np.generic) else "array"
            return {_KIND: kind, "dtype": array.dtype.str, "shape": list(array.shape), "data": data}
        if array.dtype.kind == "U":
            return to_plain(array.tolist(), graph)
    raise ConfigTypeError(f"a {type(value).__name__} cannot be saved")


def from_plain(value: Any, graph: Graph) -> Any:
    """What `to_plain` was given; sequences as lists.

    Raises:
        KeyError, TypeError, ValueError, IndexError, AttributeError: it did not write this.
    """
    if isinstance(value, list):
        return [from_plain(entry, graph) for entry in value]
    if not isinstance(value, dict):
        return value
    kind = value[_KIND]
    if kind in _ENUMS:
        return _ENUMS[kind][value["name"]]
    return _READERS[kind](value, graph)


def _node(value: dict[str, Any], graph: Graph) -> DataNode:
    return graph.operators[value["operator"]].outputs[value["output"]]


def _constant(value: dict[str, Any], graph: Graph) -> types.Constant:
    array = _array(value["value"], graph)
    dtype = types.from_numpy_type(array.dtype)
    return types.Constant(array, dtype, layout=value["layout"], device=value["device"])


def _array(value: dict[str, Any], _graph: Graph) -> Any:
    dtype = np.dtype(value["dtype"])
    if dtype.kind not in "biuf":
        raise ValueError(f"an array of {dtype}")
    return np.frombuffer(base64.b64decode(value["data"]), dtype).reshape(value["shape"])


_READERS: dict[str, Callable[[dict[str, Any], Graph], Any]] = {
    "node": _node,
    "constant": _constant,
    "array": _array,
    "scalar": lambda value, graph: _array(value, graph)[()],
    "newaxis": lambda value, _: NewAxis(value["name"]),
    "ellipsis": lambda _value, _graph: Ellipsis,
    "dictionary": lambda value, graph: {str(key): from_plain(entry, graph) for key, entry in value["entries"]},
    "slice": lambda value, graph: slice(*(from_plain(end, graph) for end in value["ends"])),
    "tuple": lambda value, graph: tuple(from_plain(entry, graph) for entry in value["entries"]),
}
