"""What the branches of an `if` on a node do to objects: seen, undone for the other branch, and merged.

In come the arguments of `Reach`, which notes what can change. After each branch `leave` keeps what differs, and fills
objects with their old contents; `merge` then fills each with what both branches left, entry by entry, selected per
sample. What has no value for each sample is replaced by an object that raises when it is read, until the pipeline is
defined (`Scope.ends`). It relies on identities, by which contents are compared, and on `Reach` to have found every
object.
"""

from __future__ import annotations

import functools
import io
import warnings
from collections.abc import Iterable, Iterator, Mapping
from types import FrameType
from typing import Any

from jaxdali.errors import GraphError
from ..graph.call import DataNode
from ..graph.call_sites import user_stacklevel
from ..graph.scope import Scope
from ..graph.unset import Unset
from .merging import merged
from .object_contents import Held, Items, Members, Named, Position, Raw, Sequence
from .reach import MOST_OBJECTS, Reach
from .references import is_elsewhere
from .unread import Unread

__all__ = ["Watch"]

_ABSENT = object()
# The limit on the objects that are searched for all branches of a pipeline, some seconds of work.
_MOST_IN_ALL = 200_000


class Watch:
    """Watches the objects that branches can reach, see `Reach`, while one branch runs after the other.

    Args:
        scope: where the branches make calls.
        where: the `if`, such as "`if` at train.py:12".
        arguments: those of `Reach`.
        frame: the function whose variables can be set to something else; None: none can.
    """

    def __init__(self, scope: Scope, where: str, *arguments: Any, frame: FrameType | None = None):
        self._scope = scope
        self._where = where
        self._frame = frame
        self._reach = Reach(*arguments, most=min(MOST_OBJECTS, _MOST_IN_ALL - scope.searched))
        scope.searched += len(self._reach.seen)
        self._left: list[dict[int, Any]] = []
        # What stands for objects that the frame's variables hold, by the identity of these.
        self.replaced: dict[int, Unread] = {}
        scope.watches.append(self)
        if self._reach.beyond is not None and not scope.warned:
            scope.warned = True
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

    def release(self) -> None:
        """Forgets what was watched, so that it is not taken for something that still refers to objects."""
        self._reach.forget()
        self._left.clear()

    def is_older(self, value: object) -> bool:
        """Whether an object is older than the branches."""
        return id(value) in self._reach.seen

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
        self._scope.merged = True
        for number in sorted(then.keys() | otherwise.keys()):
            held = self._reach.held[number]
            one, other = (left.get(number, held.before) for left in (then, otherwise))
            if isinstance(held, Named):
                self._merge_named(condition, held, one, other)
            else:
                self._merge_whole(condition, held, one, other)

    def _merge_named(self, condition: DataNode, held: Named, one: Any, other: Any) -> None:
        old = [name for name in held.before if name in one and name in other]
        if held.prefix is None and _order(old, one) != _order(old, other):
            raise GraphError(f"the branches of the {self._where} leave the entries of a dictionary in different orders")
        made, plain = {}, {}
        for name in {**one, **other}:
            left = [values.get(name, _ABSENT) for values in (one, other)]
            before = held.before.get(name, _ABSENT)
            if left[0] is left[1]:
                made[name] = left[0]
            elif self._keeps(held, name, left, before):
                if before is not _ABSENT:
                    made[name] = before
            else:
                what = f"the entry {name!r}" if held.prefix is None else f"`{held.prefix}{name}`"
                gone = Unset(f"{what} is set in one branch only of the {self._where}")
                then, otherwise = (gone if value is _ABSENT else value for value in left)
                made[name] = merged(condition, then, otherwise, what, self._where, self.is_older)
                plain[name] = _last(left, before)
        for name, value in plain.items():
            if not _has_node(value):
                self._scope.ends.append(functools.partial(_settle, held, name, value))
        held.fill(made)

    def _keeps(self, held: Named, name: Any, left: list[Any], before: object) -> bool:
        """Whether an entry is something that is computed once and kept, so that it may be computed again."""
        kept = self._reach.kept
        if any(map(_has_node, left)) or not any(value is before for value in left):
            return False  # of samples, or computed in both branches, and differently
        if held.prefix is None:
            return held.key in kept and id(held.target) not in self._reach.direct
        if isinstance(held, Items) and held.owner is not None:
            if any(isinstance(vars(one).get(name), functools.cached_property) for one in held.owner.__mro__):
                return True
        return f"{held.prefix}{name}" in kept or f".{name}" in kept

    def _merge_whole(self, condition: DataNode, held: Held, one: Any, other: Any) -> None:
        if held.same(one, other):
            held.fill(one)
            return
        if isinstance(held, Sequence) and len(one) == len(other):
            made = [
                merged(
                    condition, then, otherwise, f"entry {index} of a {_kind(held.target)}", self._where, self.is_older
                )
                for index, (then, otherwise) in enumerate(zip(one, other, strict=True))
            ]
            old = held.before if len(held.before) == len(one) else [_ABSENT] * len(one)
            for index, (left, before) in enumerate(zip(zip(one, other, strict=True), old, strict=True)):
                if left[0] is not left[1] and not _has_node(value := _last(left, before)):
                    self._scope.ends.append(functools.partial(_settle_entry, held, index, value))
            held.fill(made)
            return
        reason = f"a {_kind(held.target)} is changed differently in the branches of the {self._where}"
        shown = ", ".join(f"{len(left)} entries" for left in (one, other) if isinstance(left, tuple | frozenset))
        reason += f" ({shown})" if shown else ""
        entries = [*one, *other] if isinstance(held, Sequence | Members) else []
        if any(map(_has_node, entries)):
            raise GraphError(f"{reason}: samples take both. Change it alike in both, or make a value for each sample")
        places = list(self._places(held.target))
        is_local = self._frame is not None and any(value is held.target for value in self._frame.f_locals.values())
        shares = isinstance(held, Raw) and not isinstance(held.target, io.StringIO | io.BytesIO)  # memory, with views
        if not (places or is_local) or shares or is_elsewhere(held.target, self._ours(places), self._frame):
            raise GraphError(f"{reason}: samples take both. Change it alike in both, or make a value for each sample")
        held.fill(_both(held, one, other))
        stand_in = Unread(f"{reason}, and has no value for each sample", held.target)
        if is_local:
            self.replaced[id(held.target)] = stand_in
        for place, name in places:
            contents = place.now()
            if isinstance(place, Named):
                self._scope.ends.append(functools.partial(_settle, place, name, held.target))
                place.put(name, stand_in)
            else:
                self._scope.ends.append(functools.partial(_settle_sequence, place, stand_in, held.target))
                place.fill([stand_in if value is held.target else value for value in contents])

    def _ours(self, places: Iterable[tuple[Held, Any]]) -> list[object]:
        """Returns the objects that may refer to one that is replaced: its places, and what watches it."""
        several = [*self._scope.watches, self]
        return [
            *(place.target for place, _ in places),
            *(watch._reach.seen for watch in several),
            *(one for watch in several for held in watch._reach.held for one in (held, vars(held), held.before)),
            *(one for watch in several for left in watch._left for one in (left, *left.values())),
            *(one for end in self._scope.ends if isinstance(end, functools.partial) for one in (end, end.args)),
        ]

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


def _last(left: list[Any] | tuple[Any, ...], before: object) -> Any:
    """Returns what a value would be if samples of both branches had been there, one after the other."""
    return left[0] if left[1] is before or left[1] is _ABSENT else left[1]


def _settle(held: Named, name: Any, value: object) -> None:
    """Gives an entry a plain value again."""
    if _has_node(held.now().get(name, _ABSENT)):
        if value is _ABSENT:
            held.drop(name)
        else:
            held.put(name, value)


def _settle_entry(held: Held, index: int, value: object) -> None:
    contents = list(held.now())
    if index < len(contents) and _has_node(contents[index]):
        contents[index] = value
        held.fill(contents)


def _settle_sequence(held: Held, stand_in: object, value: object) -> None:
    held.fill([value if one is stand_in else one for one in held.now()])
