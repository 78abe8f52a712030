"""Decides at run time, for transformed functions, which branches are taken.

In comes the value behind an `if`. If it is a node, both branches run: `opened` tells the scope of the branch that calls
are in, `leave` keeps the variables and has `Watch` undo changes of objects, and `merged` selects both per sample. Any
other value is Python's own test. Expressions (`if_expression`, `logical`, `chained`) do the same with functions as
branches. It relies on transform.py to write these calls in this order, and on `Scope.branch`, which every call
remembers.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jaxdali._base.constants import Constant
from jaxdali.errors import GraphError
from ..graph.call import DataNode
from ..graph.call_sites import definition_site, user_frame
from ..graph.declarations import operator_named
from ..graph.scope import current_scope
from ..graph.unset import Unset, check_whole
from .branch_watch import Watch
from .function_sources import kept_by
from .merging import merged
from .used import Used

__all__ = ["Branches", "Frame", "chained", "if_expression", "logical", "negated"]


class Frame:
    """A call of a transformed function with an `if`: knows which of its branches are being run.

        with Frame() as frame:
            first = frame.branches(...)

    A `return`, `break` or `continue` leaves a branch without its end: the next `if` and the end of the function see it.
    """

    def __init__(self) -> None:
        self._scope = current_scope()
        self._outside = self._scope.branch if self._scope is not None else ()
        self._open: list[Branches] = []

    def __enter__(self) -> Frame:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if self._scope is None:
            return
        where = self._open[-1].where if self._open else None
        for one in self._open:
            one.stop()
        self._scope.branch = self._outside
        if error is None and where is not None:
            raise _left(where)
        if error is None:
            self._scope.check_branches()
        if error is not None and where is not None:
            self._scope.failed = where

    def branches(
        self,
        test: Any,
        numbers: tuple[int, int],
        names: Sequence[str],
        used: tuple[tuple[str, ...], ...],
        before: Mapping[str, object],
        outer: dict[str, Any],
    ) -> Branches:
        """Begins an `if`.

        Args:
            test: the value behind `if`.
            numbers: the number of the `if` in its function, and the number of the last one inside it.
            names: the variables that the branches set.
            used: what the branches name, as the fields of `used.Used`.
            before: the variables of the frame, as they are before the branches.
            outer: the variables of its module.

        Raises:
            GraphError: a branch on a node was left.
        """
        if self._open and not self._open[-1].contains(numbers[0]):
            raise _left(self._open[-1].where)
        if not isinstance(test, DataNode) or current_scope() is None:
            return Branches(self, bool(check_whole(test)), numbers)
        return Branches(self, test, numbers, names, used, before, outer)

    def opened(self, branches: Branches, taken: bool) -> None:
        """Notes that a branch is being run."""
        if self._open and not self._open[-1].contains(branches.numbers[0]):
            raise _left(self._open[-1].where)
        self._open.append(branches)
        self._scope = self._scope or current_scope()
        assert self._scope is not None
        self._scope.branch = (*self._scope.branch, (branches.condition, taken))

    def closed(self, branches: Branches) -> None:
        """Notes that a branch has come to its end."""
        if not self._open or self._open[-1] is not branches:
            raise _left((self._open or [branches])[-1].where)
        self._open.pop()
        assert self._scope is not None
        self._scope.branch = self._scope.branch[:-1]


def _left(where: str) -> GraphError:
    return GraphError(
        f"`return`, `break`, `continue` or an exception leaves a branch of the {where}, whose condition is a node, from "
        "within a loop, a `with` or a `try`: samples take both branches. Set a variable there, and return it at the end"
    )


class Branches:
    """The branches of an `if`; see `Frame.branches` for the arguments.

    Attributes:
        splits: the test is a node, so both branches run, one after the other.
        first, second: whether the block behind `if`, and the one behind `else`, is run.
    """

    def __init__(
        self,
        frame: Frame,
        test: Any,
        numbers: tuple[int, int],
        names: Sequence[str] = (),
        used: tuple[tuple[str, ...], ...] = (),
        before: Mapping[str, object] = types.MappingProxyType({}),
        outer: dict[str, Any] | None = None,
    ):
        self.splits = isinstance(test, DataNode)
        self.first = self.splits or test
        self.second = self.splits or not test
        self.numbers = numbers
        if not self.splits:
            return
        self.where = f"`if` at {definition_site()}"
        self.condition = test
        self._frame = frame
        self._names = names
        self._before = self._values(before, "is not set before the {where}")
        variables = {name: value for name, value in before.items() if not name.startswith("_jaxdali_")}
        self._watch = watched(self.where, variables, outer or {}, Used(*map(frozenset, used)), (), kept_by)
        self._left: list[list[Any]] = []
        frame.opened(self, True)

    def contains(self, number: int) -> bool:
        """Whether the `if` of a number is inside this one."""
        return self.numbers[0] < number <= self.numbers[1]

    def leave(self, after: Mapping[str, object]) -> None:
        """Keeps what a branch leaves, and undoes it for the other branch."""
        if self.splits:
            self._left.append(self._values(after, "is set in one branch only of the {where}"))
            self._watch.leave()
            self._frame.closed(self)

    def before(self) -> list[Any]:
        """Begins the second branch; returns the variables as they were before both."""
        self._frame.opened(self, False)
        return self._before

    def merged(self) -> list[Any]:
        """Returns the variables as the branches leave them, selected sample by sample."""
        self._watch.merge(self.condition)
        then, otherwise = self._left
        found = [
            merged(self.condition, one, two, _display_name(name), self.where, self._watch.is_older)
            for name, one, two in zip(self._names, then, otherwise, strict=True)
        ]
        self._watch.release()
        self._left, self._before = [], []
        return found

    @property
    def replaces(self) -> bool:
        """Whether variables hold objects with contents that samples do not have."""
        return self.splits and bool(self._watch.replaced)

    def replaced(self, names: Sequence[str], variables: Mapping[str, object]) -> list[object]:
        """Returns what such variables hold until the pipeline is defined; the others hold what they held."""
        stand_ins = self._watch.replaced
        return [
            stand_ins.get(id(variables[name]), variables[name]) if name in variables else Unset(f"`{name}` is not set")
            for name in names
        ]

    def stop(self) -> None:
        """Ends what a branch that was left has begun."""
        self._watch.end()

    def _values(self, variables: Mapping[str, object], otherwise: str) -> list[Any]:
        unset = {id(value) for value in getattr(self, "_before", ()) if isinstance(value, Unset)}
        return [
            variables[name]
            if name in variables and id(variables[name]) not in unset
            else Unset(f"`{_plain(name)}` {otherwise.format(where=self.where)}")
            for name in self._names
        ]


def _display_name(name: str) -> str:
    return "what is returned" if name.startswith("_jaxdali_") else f"`{_plain(name)}`"


def _plain(name: str) -> str:
    """Returns a name as it was written: private ones are kept with that of their class."""
    return re.sub(r"^_\w+?(?=__)", "", name) if name.startswith("_") and not name.startswith("__") else name


def watched(where: str, *arguments: Any) -> Watch:
    """Begins to watch what branches of the calling function do in the present scope; see `Watch`."""
    scope = current_scope()
    assert scope is not None
    return Watch(scope, where, *arguments, frame=user_frame())


def if_expression(test: object, yes: Callable[[], object], no: Callable[[], object]) -> Any:
    """Evaluates `yes() if test else no()`."""
    if not isinstance(test, DataNode):
        return yes() if check_whole(test) else no()
    where = f"`... if ... else ...` at {definition_site()}"
    watch, (then, otherwise) = _both(test, where, {True: yes, False: no})
    return merged(test, then, otherwise, "the value", where, watch.is_older if watch is not None else lambda _: False)


def logical(word: str, first: object, *others: Callable[[], object]) -> Any:
    """Evaluates `first and others[0]() and ...`, or the same with `or`."""
    found = first
    for position, other in enumerate(others):
        if not isinstance(found, DataNode):
            # As in Python, which does not test the truth of the last operand.
            if bool(check_whole(found)) == (word == "or"):
                return found
            found = other()
            continue
        _, (value,) = _both(found, f"`{word}` at {definition_site()}", {word == "and": other})
        if not isinstance(value, DataNode | bool | np.bool_ | Constant):
            raise GraphError(
                f"`{word}` of nodes expects nodes with one BOOL per sample, got {value!r:.80} at place {position + 2}, "
                f"at {definition_site()}"
            )
        found = operator_named("logical")(found, value, word=word)
    return found


def _both(
    condition: DataNode, where: str, branches: Mapping[bool, Callable[[], object]]
) -> tuple[Watch | None, list[object]]:
    """Evaluates the branches of an expression, and merges what they do to objects. Returns what has watched them, and their
    values.

    Args:
        branches: what is evaluated for samples for which the condition is true or false.
    """
    scope = current_scope()
    if scope is None:
        return None, [branch() for branch in branches.values()]
    outside = scope.branch
    watch = Watch(scope, where, {}, {}, Used(), tuple(branches.values()), kept_by)
    found = {}
    try:
        for taken in (True, False):
            scope.branch = (*outside, (condition, taken))
            if taken in branches:
                found[taken] = branches[taken]()
            watch.leave()
    except BaseException:
        scope.failed = where
        raise
    finally:
        scope.branch = outside
        watch.end()
    watch.merge(condition)
    return watch, list(found.values())


def negated(value: object) -> Any:
    """Evaluates `not value`."""
    return operator_named("logical")(value, word="not") if isinstance(value, DataNode) else not check_whole(value)


def chained(first: object, *steps: tuple[Callable[[object, object], object], Callable[[], object]]) -> Any:
    """Evaluates `first < steps[0][1]() < ...`, with the comparisons of the steps."""
    left = [first]

    def step(compare: Callable[[object, object], object], other: Callable[[], object]) -> Any:
        right = other()
        left[0], value = right, left[0]
        return compare(value, right)

    (compare, other), *rest = steps
    return logical("and", step(compare, other), *((lambda one=one: step(*one)) for one in rest))
