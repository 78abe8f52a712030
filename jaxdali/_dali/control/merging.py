"""Merges what two branches leave."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from jaxdali._base.constants import Constant
from ..graph.call import DataNode
from ..graph.declarations import operator_named
from ..graph.unset import Unset
from .fixed import FixedDict, FixedList

__all__ = ["merged"]

_NUMBERS = (bool, int, float, np.generic, np.ndarray, Constant)
_PLAIN = (bool, int, float, str, bytes, type(None))


def merged(
    condition: DataNode,
    then: Any,
    otherwise: Any,
    what: str,
    where: str,
    is_older: Callable[[object], bool] = lambda _: False,
) -> Any:
    """Merges two values, sample by sample; returns an `Unset` if that is impossible.

    Args:
        is_older: whether an object is older than the branches. Of such lists, dictionaries and arrays the result is a copy
            that cannot be changed, because the original would have to change for some samples.
        what: what the values are, for errors, such as "`x`".
        where: the `if`, such as "`if` at train.py:12".
    """
    if then is otherwise or (
        type(then) is type(otherwise) and isinstance(then, _PLAIN) and repr(then) == repr(otherwise)
    ):
        return then
    for value in (then, otherwise):
        if isinstance(value, Unset):
            return value
    if isinstance(then, np.ndarray) and isinstance(otherwise, np.ndarray) and _are_equal(then, otherwise):
        if not (is_older(then) or is_older(otherwise)):
            return then
        made = then.copy()
        made.flags.writeable = False
        return made
    pair = (then, otherwise)
    fixes = any(map(is_older, pair))
    if all(isinstance(value, (DataNode, *_NUMBERS)) for value in pair):
        on_gpu = any(isinstance(value, DataNode) and value.device != "cpu" for value in pair)
        return operator_named("select")(condition, then, otherwise, what=what, device="gpu" if on_gpu else "cpu")
    kind = type(then)
    if kind is type(otherwise) and isinstance(then, list | tuple) and len(then) == len(otherwise):
        entries = [
            merged(condition, one, other, f"{what}[{index}]", where, is_older)
            for index, (one, other) in enumerate(zip(then, otherwise, strict=True))
        ]
        make: Any = FixedList if fixes and kind is list else kind
        return make(*entries) if hasattr(kind, "_fields") else make(entries)
    if (
        isinstance(then, dict)
        and isinstance(otherwise, dict)
        and kind is type(otherwise)
        and then.keys() == otherwise.keys()
    ):
        items = {key: merged(condition, then[key], otherwise[key], f"{what}[{key!r}]", where, is_older) for key in then}
        if fixes and kind is dict:
            return FixedDict(items)
        copied: Any = copy.copy(then)
        copied.update(items)
        return copied
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
