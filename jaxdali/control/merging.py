"""Merges what two branches leave."""

from __future__ import annotations

import copy
import types
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..constants import Constant
from ..errors import GraphError
from ..graph.call import DataNode
from ..graph.declarations import operator_named
from ..graph.unset import Unset

__all__ = ["Contents", "merged"]

_NUMBERS = (bool, int, float, np.generic, np.ndarray, Constant)
_PLAIN = (bool, int, float, str, bytes, type(None))
# The limits on the entries of a list whose entries are searched as well, and on the depth of the search.
_MOST_ENTRIES, _DEEPEST = 1000, 4


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
        made = copy.copy(then)
        made.update({key: merged(condition, then[key], otherwise[key], f"{what}[{key!r}]", where) for key in then})
        return made
    return Unset(
        f"{what} has no value for each sample: the branches of the {where} give {_shown(then)} and "
        f"{_shown(otherwise)}, expected nodes or numbers, or tuples, lists or dictionaries of the same length in both"
    )


def _shown(value: object) -> str:
    if isinstance(value, DataNode):
        return "a node"
    if isinstance(value, list | tuple | dict):
        return f"a {type(value).__name__} of {len(value)}"
    return f"{value!r:.40}" if isinstance(value, (*_PLAIN, *_NUMBERS)) else f"a {type(value).__name__}"


class Contents:
    """A snapshot of what lists, dictionaries and sets hold, and of objects' attributes.

    Args:
        values: where lists, dictionaries and sets are looked for, also nested.
        objects: the objects whose attributes are recorded.
    """

    def __init__(self, values: Iterable[object], objects: Iterable[object] = ()):
        self.held: dict[int, tuple[Any, Any]] = {}
        for value in values:
            self._look(value, 0)
        for value in objects:
            attributes = getattr(value, "__dict__", None)
            if isinstance(attributes, dict) and not isinstance(value, type | types.ModuleType):
                self._hold(attributes)

    def _look(self, value: object, depth: int) -> None:
        if not isinstance(value, list | dict | set | tuple) or id(value) in self.held:
            return
        if not isinstance(value, tuple):
            self._hold(value)
        if len(value) <= _MOST_ENTRIES and depth < _DEEPEST and not isinstance(value, set):
            for entry in value.values() if isinstance(value, dict) else value:
                self._look(entry, depth + 1)

    def _hold(self, container: object) -> None:
        self.held[id(container)] = container, copy.copy(container)

    def changed(self) -> dict[int, Any]:
        """Returns the present contents of those that changed since the snapshot, and restores all of them."""
        found = {}
        for key, (container, before) in self.held.items():
            if not _same(container, before):
                found[key] = copy.copy(container)
                _fill(container, before)
        return found

    def merge(self, condition: DataNode, then: Mapping[int, object], otherwise: Mapping[int, Any], where: str) -> None:
        """Gives each one that a branch changed the merged contents of both branches.

        Raises:
            GraphError: lists of different lengths, or sets.
        """
        for key in then.keys() | otherwise.keys():
            container, before = self.held[key]
            _fill(container, self._one(condition, then.get(key, before), otherwise.get(key, before), where))

    def _one(self, condition: DataNode, then: Any, otherwise: Any, where: str) -> object:
        if isinstance(then, dict):
            names = {**then, **otherwise}
            one, other = ({name: _entry(held, name, where) for name in names} for held in (then, otherwise))
            return {name: merged(condition, one[name], other[name], f"the entry {name!r}", where) for name in names}
        made = merged(condition, then, otherwise, "an entry of a list", where)
        if isinstance(made, Unset) or isinstance(then, set):
            raise GraphError(f"a {type(then).__name__} is changed differently in the branches of the {where}: {made!r}")
        return made


def _entry(held: Mapping[Any, Any], name: object, where: str) -> object:
    return held[name] if name in held else Unset(f"the entry {name!r} is set in one branch only of the {where}")


def _same(one: Any, other: Any) -> bool:
    if len(one) != len(other):
        return False
    if isinstance(one, dict):
        return all(key in other and other[key] is value for key, value in one.items())
    return one == other if isinstance(one, set) else all(a is b for a, b in zip(one, other, strict=True))


def _fill(container: Any, contents: Any) -> None:
    if isinstance(container, list):
        container[:] = contents
    else:
        container.clear()
        container.update(contents)
