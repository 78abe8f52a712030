"""What the branches of an `if` on a node do to objects: seen, undone for the other branch, and merged."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ..errors import GraphError
from ..graph.call import DataNode
from ..graph.call_sites import user_stacklevel
from ..graph.scope import Scope
from ..graph.unset import Unset
from .contents import Held, Items, Members, Named, Position, Sequence
from .merging import merged
from .reach import Reach
from .unread import Unread

__all__ = ["Watch"]

_ABSENT = object()


class Watch:
    """Watches the objects that branches can reach, see `Reach`, while one branch runs after the other.

    Args:
        scope: where the branches make calls.
        where: the `if`, such as "`if` at train.py:12".
        arguments: those of `Reach`.
    """

    def __init__(self, scope: Scope, where: str, *arguments: Any):
        self._scope = scope
        self._where = where
        self._reach = Reach(*arguments)
        self._left: list[dict[int, Any]] = []
        scope.watches.append(self)
        if self._reach.beyond is not None and not scope.noted:
            scope.noted = True
            name, value = self._reach.beyond
            warnings.warn(
                f"more objects are reachable from `{name}` than are searched for changes by the branches of the {where}, "
                f"whose condition is a node: a {type(value).__name__} is one that was not. If a branch changes it, all "
                "samples see the change; pass the branch what it needs",
                UserWarning,
                stacklevel=user_stacklevel(),
            )

    def end(self) -> None:
        """Stops watching, also if a branch has failed."""
        if self in self._scope.watches:
            self._scope.watches.remove(self)

    def check(self, value: object) -> None:
        """Checks that a branch may take from an iterator or a file.

        Raises:
            GraphError: it is older than the branch.
        """
        if id(value) in self._reach.seen:
            raise GraphError(_moved(value, self._where))

    def leave(self) -> None:
        """Notes what a branch has changed, and undoes it for the other branch.

        Raises:
            GraphError: it has moved an iterator or a file, which cannot be undone.
        """
        found = {}
        for number, held in enumerate(self._reach.held):
            now = held.now()
            if held.same(now, held.before):
                continue
            if isinstance(held, Position):
                raise GraphError(_moved(held.target, self._where))
            found[number] = now
            held.fill(held.before)
            if not held.same(held.now(), held.before):
                raise GraphError(
                    f"a branch of the {self._where} changes a {_kind(held.target)}, which cannot be undone for the samples "
                    "that take the other branch. Make it before, or choose its values with `... if ... else ...`"
                )
        self._left.append(found)

    def merge(self, condition: DataNode) -> None:
        """Gives each object what both branches leave, selected sample by sample.

        Raises:
            GraphError: that is impossible for an object that a variable holds.
        """
        self.end()
        then, otherwise = self._left
        settle: list[Callable[[], None]] = []
        for number in sorted(then.keys() | otherwise.keys()):
            held = self._reach.held[number]
            one, other = (left.get(number, held.before) for left in (then, otherwise))
            if isinstance(held, Named):
                self._merge_named(condition, held, one, other, settle)
            else:
                self._merge_whole(condition, held, one, other, settle)
        self._scope.ends.extend(settle)

    def _merge_named(self, condition: DataNode, held: Named, one: Any, other: Any, settle: list[Any]) -> None:
        old = [name for name in held.before if name in one and name in other]
        if held.prefix is None and _order(old, one) != _order(old, other):
            raise GraphError(f"the branches of the {self._where} leave the entries of a dictionary in different orders")
        made, plain = {}, {}
        for name in {**one, **other}:
            left = [values.get(name, _ABSENT) for values in (one, other)]
            before = held.before.get(name, _ABSENT)
            if left[0] is left[1]:
                made[name] = left[0]
            elif self._keeps(held, name) and not any(map(_has_node, left)):
                if before is not _ABSENT:
                    made[name] = before
            else:
                what = f"the entry {name!r}" if held.prefix is None else f"`{held.prefix}{name}`"
                gone = Unset(f"{what} is set in one branch only of the {self._where}")
                then, otherwise = (gone if value is _ABSENT else value for value in left)
                made[name] = merged(condition, then, otherwise, what, self._where)
                if not any(map(_has_node, left)):
                    plain[name] = left[0] if left[1] is before or left[1] is _ABSENT else left[1]
        held.fill(made)
        for name, value in plain.items():
            settle.append(functools.partial(_settle, held, name, made[name], value))

    def _keeps(self, held: Named, name: Any) -> bool:
        """Whether an entry is something that is computed once and kept, so that it may be computed again."""
        kept = self._reach.kept
        if held.prefix is None:
            return held.key in kept and id(held.target) not in self._reach.direct
        if isinstance(held, Items) and held.owner is not None:
            if any(isinstance(vars(one).get(name), functools.cached_property) for one in held.owner.__mro__):
                return True
        return f"{held.prefix}{name}" in kept or f".{name}" in kept

    def _merge_whole(self, condition: DataNode, held: Held, one: Any, other: Any, settle: list[Any]) -> None:
        if held.same(one, other):
            held.fill(one)
            return
        if isinstance(held, Sequence) and len(one) == len(other):
            made = [
                merged(condition, then, otherwise, f"entry {index} of a {_kind(held.target)}", self._where)
                for index, (then, otherwise) in enumerate(zip(one, other, strict=True))
            ]
            held.fill(made)
            return
        reason = f"a {_kind(held.target)} is changed differently in the branches of the {self._where}"
        shown = ", ".join(f"{len(left)} entries" for left in (one, other) if isinstance(left, tuple | frozenset))
        reason += f" ({shown})" if shown else ""
        entries = [*one, *other] if isinstance(held, Sequence | Members) else []
        if id(held.target) in self._reach.direct or any(map(_has_node, entries)):
            raise GraphError(f"{reason}: samples take both. Change it alike in both, or make a value for each sample")
        places = list(self._places(held.target))
        if not places:
            raise GraphError(reason)
        held.fill(_both(held, one, other))
        stand_in = Unread(f"{reason}, and has no value for each sample", held.target)
        for place, name in places:
            contents = place.now()
            if isinstance(place, Named):
                place.put(name, stand_in)
                settle.append(functools.partial(_settle, place, name, stand_in, held.target))
            else:
                place.fill([stand_in if value is held.target else value for value in contents])
                settle.append(functools.partial(_settle_sequence, place, stand_in, held.target))

    def _places(self, target: object) -> Iterator[tuple[Held, Any]]:
        """Yields where an object is held."""
        for held in self._reach.held:
            if isinstance(held, Named):
                yield from ((held, name) for name, value in held.now().items() if value is target)
            elif isinstance(held, Sequence) and any(value is target for value in held.now()):
                yield held, None


def _moved(value: object, where: str) -> str:
    """Returns the error for an iterator or file older than the branches that one of them moves."""
    return (
        f"a branch of the {where}, whose condition is a node, takes from a {type(value).__name__} that is older than the "
        "branch: it cannot be put back for the samples that take the other branch. Take the value before the branch"
    )


def _kind(value: object) -> str:
    return "NumPy array" if type(value).__name__ == "ndarray" else type(value).__name__


def _order(names: Iterable[Any], contents: Mapping[Any, object]) -> list[Any]:
    wanted = set(names)
    return [name for name in contents if name in wanted]


def _has_node(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_node, value))
    if isinstance(value, dict):
        return any(map(_has_node, value.values()))
    return isinstance(value, DataNode | Unset)


def _both(held: Held, one: Any, other: Any) -> Any:
    """Returns what an object would hold if samples of both branches had been there, one after the other."""
    if isinstance(held, Members):
        return one | other
    if isinstance(held, Sequence):
        count = len(held.before)
        if held.same(one[:count], held.before) and held.same(other[:count], held.before):
            return (*held.before, *one[count:], *other[count:])
    return one if held.same(other, held.before) else other


def _settle(held: Named, name: Any, merged_value: object, value: object) -> None:
    if held.now().get(name, _ABSENT) is merged_value:
        held.drop(name) if value is _ABSENT else held.put(name, value)


def _settle_sequence(held: Held, stand_in: object, value: object) -> None:
    held.fill([value if one is stand_in else one for one in held.now()])
