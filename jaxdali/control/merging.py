"""Merges what two branches leave."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ..constants import Constant
from ..graph.call import DataNode
from ..graph.declarations import operator_named
from ..graph.unset import Unset

__all__ = ["merged"]

_NUMBERS = (bool, int, float, np.generic, np.ndarray, Constant)
_PLAIN = (bool, int, float, str, bytes, type(None))


def merged(condition: DataNode, then: Any, otherwise: Any, what: str, where: str) -> Any:
    """Merges two values, sample by sample; returns an `Unset` if that is impossible.

    Args:
        what: what the values are, for errors, such as "`x`".
        where: the `if`, such as "`if` at train.py:12".
    """
    if then is otherwise or (type(then) is type(otherwise) and isinstance(then, _PLAIN) and then == otherwise):
        return then
    for value in (then, otherwise):
        if isinstance(value, Unset):
            return value
    if isinstance(then, np.ndarray) and isinstance(otherwise, np.ndarray) and _are_equal(then, otherwise):
        return then
    pair = (then, otherwise)
    if all(isinstance(value, (DataNode, *_NUMBERS)) for value in pair):
        on_gpu = any(isinstance(value, DataNode) and value.device != "cpu" for value in pair)
        return operator_named("select")(condition, then, otherwise, what=what, device="gpu" if on_gpu else "cpu")
    kind = type(then)
    if kind is type(otherwise) and isinstance(then, list | tuple) and len(then) == len(otherwise):
        entries = [
            merged(condition, one, other, f"{what}[{index}]", where)
            for index, (one, other) in enumerate(zip(then, otherwise, strict=True))
        ]
        make: Any = kind
        return make(*entries) if hasattr(kind, "_fields") else make(entries)
    if kind is type(otherwise) and isinstance(then, dict) and then.keys() == otherwise.keys():
        made: Any = copy.copy(then)
        made.update({key: merged(condition, then[key], otherwise[key], f"{what}[{key!r}]", where) for key in then})
        return made
    return Unset(
        f"{what} has no value for each sample: the branches of the {where} give {_shown(then)} and "
        f"{_shown(otherwise)}, expected nodes or numbers, or tuples, lists or dictionaries of the same length in both"
    )


def _are_equal(one: np.ndarray, other: np.ndarray) -> bool:
    if one.dtype != other.dtype or one.shape != other.shape or one.dtype.hasobject:
        return False
    return one.tobytes() == other.tobytes()


def _shown(value: object) -> str:
    if isinstance(value, DataNode):
        return "a node"
    if isinstance(value, list | tuple | dict):
        return f"a {type(value).__name__} of {len(value)}"
    return f"{value!r:.40}" if isinstance(value, (*_PLAIN, *_NUMBERS)) else f"a {type(value).__name__}"
