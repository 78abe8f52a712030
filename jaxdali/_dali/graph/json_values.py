"""Converts values of a graph to JSON's types and back. Reading them creates data only and runs no code."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Mapping, Sequence
from types import EllipsisType
from typing import Any

import numpy as np

from jaxdali._base.dtypes import DALIDataType, DALIImageType, DALIInterpType
from jaxdali.errors import ConfigTypeError
from .call import Call, DataNode
from .newaxis import NewAxis

__all__ = ["KIND", "LARGEST_ARRAY", "from_plain", "to_plain"]

# Every JSON object is one that we wrote; this key says what it is.
KIND = "is"

# The limit on nested lists.
_DEEPEST = 32
# The limit on the bytes of a saved array.
LARGEST_ARRAY = 128 << 20

_ENUMS = {enum.__name__: enum for enum in (DALIDataType, DALIInterpType, DALIImageType)}


def pack_bytes(array: np.ndarray) -> str:
    """Returns the elements of an array as text.

    Raises:
        ConfigTypeError: the array is too large to be saved.
    """
    if array.nbytes > LARGEST_ARRAY:
        raise ConfigTypeError(f"an array of {array.nbytes} bytes cannot be saved, at most {LARGEST_ARRAY} can")
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def to_plain(
    value: Any, calls: Mapping[Call, int], depth: int = 0, pack: Callable[[np.ndarray], str] = pack_bytes
) -> Any:
    """Converts a value to numbers, strings, lists and dictionaries.

    Args:
        calls: the calls whose nodes the value may contain, and their numbers.
        depth: how many lists it is nested in.
        pack: returns what stands for the elements of an array.

    Raises:
        ConfigTypeError: it cannot be read back without running code, or is nested too deep.
    """

    def plain(entry: object) -> Any:
        return to_plain(entry, calls, depth + 1, pack)

    if depth > _DEEPEST:
        raise ConfigTypeError(f"lists that are nested more than {_DEEPEST} deep cannot be saved")
    if type(value).__name__ in _ENUMS:
        return {KIND: type(value).__name__, "name": value.name}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, DataNode):
        return {KIND: "node", "call": calls[value.call], "output": value.index}
    if isinstance(value, NewAxis):
        return {KIND: "newaxis", "name": value.name}
    if isinstance(value, EllipsisType):
        return {KIND: "ellipsis"}
    if isinstance(value, slice):
        return {KIND: "slice", "ends": [plain(end) for end in (value.start, value.stop, value.step)]}
    if isinstance(value, os.PathLike):
        return plain(os.fspath(value))
    if isinstance(value, dict):
        return {KIND: "dictionary", "entries": [[key, plain(entry)] for key, entry in value.items()]}
    if isinstance(value, tuple):
        return {KIND: "tuple", "entries": [plain(entry) for entry in value]}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        return [plain(entry) for entry in value]
    if hasattr(value, "__array__"):
        array = np.asarray(value)
        if array.dtype.kind in "biuf":
            # NumPy's scalars have a fixed type; some arrays are converted to another type.
            kind = "scalar" if isinstance(value, np.generic) else "array"
            return {KIND: kind, "dtype": array.dtype.str, "shape": list(array.shape), "data": pack(array)}
        if array.dtype.kind == "U":
            return plain(array.tolist())
    raise ConfigTypeError(f"a {type(value).__name__} cannot be saved")


def from_plain(value: object, calls: Sequence[Call], depth: int = 0) -> Any:
    """Restores a value that was given to `to_plain`; sequences become lists.

    Args:
        calls: replace those that `to_plain` was given.
        depth: how many lists it is nested in.

    Raises:
        KeyError, TypeError, ValueError, IndexError, AttributeError: `to_plain` did not write this.
    """
    if depth > _DEEPEST:
        raise ValueError(f"nested more than {_DEEPEST} deep")
    if isinstance(value, list):
        return [from_plain(entry, calls, depth + 1) for entry in value]
    if not isinstance(value, dict):
        return value
    kind = value[KIND]
    if kind in _ENUMS:
        return _ENUMS[kind][value["name"]]
    return _READERS[kind](value, calls, depth + 1)


def _node(value: dict[str, object], calls: Sequence[Call], _depth: int) -> DataNode:
    return calls[_count(value["call"])].outputs[_count(value["output"])]


def _count(value: object) -> int:
    """Checks a non-negative integer; a negative one would index from the end."""
    if type(value) is not int or not 0 <= value < 1 << 31:
        raise ValueError(f"expected an integer from 0 to 2**31 - 1, got {value!r:.40}")
    return value


def _array(value: dict[str, Any], _calls: Sequence[Call], _depth: int) -> np.ndarray:
    dtype = np.dtype(str(value["dtype"]))
    if dtype.kind not in "biuf":
        raise ValueError(f"an array of {dtype}")
    shape = [_count(extent) for extent in value["shape"]]
    return np.frombuffer(base64.b64decode(value["data"]), dtype).reshape(shape)


def _dictionary(value: dict[str, Any], calls: Sequence[Call], depth: int) -> dict[str, Any]:
    return {str(key): from_plain(entry, calls, depth) for key, entry in value["entries"]}


_READERS: dict[str, Callable[[dict[str, Any], Sequence[Call], int], Any]] = {
    "node": _node,
    "array": _array,
    "scalar": lambda value, calls, depth: _array(value, calls, depth)[()],
    "newaxis": lambda value, _calls, _depth: NewAxis(value["name"]),
    "ellipsis": lambda _value, _calls, _depth: Ellipsis,
    "dictionary": _dictionary,
    "slice": lambda value, calls, depth: slice(*(from_plain(end, calls, depth) for end in value["ends"])),
    "tuple": lambda value, calls, depth: tuple(from_plain(entry, calls, depth) for entry in value["entries"]),
}
