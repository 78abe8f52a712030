"""Decides at run time, for transformed functions, which branches are taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..constants import Constant
from ..errors import GraphError
from ..graph.call import DataNode
from ..graph.call_sites import definition_site
from ..graph.declarations import operator_named
from ..graph.scope import current_scope
from ..graph.unset import Unset
from .merging import Contents, merged

__all__ = ["Branches", "chained", "either", "logical", "negated"]


class Branches:
    """The branches of an `if`.

    Args:
        test: the value behind `if`.
        names: the variables that the branches set.
        objects: the variables whose attributes they set.
        before: the variables of the frame, as they are before the branches.

    Attributes:
        splits: the test is a node, so both branches run, one after the other.
        first, second: whether the block behind `if`, and the one behind `else`, is run.
    """

    def __init__(self, test: Any, names: Sequence[str], objects: Sequence[str], before: Mapping[str, object]):
        self.splits = isinstance(test, DataNode) and current_scope() is not None
        self.first = True if self.splits else bool(test)
        self.second = self.splits or not self.first
        if not self.splits:
            return
        self._where = f"`if` at {definition_site()}"
        self._condition = test
        self._names = names
        self._before = self._values(before, "is not set before the {where}")
        attributes = [before[name] for name in objects if name in before]
        self._contents = Contents(
            [value for name, value in before.items() if not name.startswith("_jaxdali_")], attributes
        )
        self._left: list[tuple[list[Any], dict[int, Any]]] = []
        self._scope: Any = None
        self._entered = 0

    def __enter__(self) -> None:
        if self.splits:
            self._scope = current_scope()
            self._outside = self._scope.branch
            self._scope.branch = (*self._outside, (self._condition, not self._entered))
            self._entered += 1

    def __exit__(self, error: object, *_: object) -> None:
        if self.splits:
            self._scope.branch = self._outside
            if error is None and len(self._left) < self._entered:
                raise GraphError(
                    f"`return`, `break` or `continue` leaves a branch of the {self._where}, whose condition is a node, from "
                    "within a loop, a `with` or a `try`: samples take both branches. Give a variable its value there, and "
                    "return it at the end"
                )

    def leave(self, after: Mapping[str, object]) -> None:
        """Keeps what a branch leaves, and undoes it for the other branch."""
        if self.splits:
            left = self._values(after, "is set in one branch only of the {where}")
            self._left.append((left, self._contents.changed()))

    def before(self) -> list[Any]:
        """Returns the variables as they were before the branches."""
        return self._before

    def merged(self) -> list[Any]:
        """Returns the variables as the branches leave them, selected sample by sample."""
        (then, held), (otherwise, other) = self._left
        self._contents.merge(self._condition, held, other, self._where)
        return [
            merged(self._condition, one, two, _spoken(name), self._where)
            for name, one, two in zip(self._names, then, otherwise, strict=True)
        ]

    def _values(self, variables: Mapping[str, object], otherwise: str) -> list[Any]:
        unset = {id(value) for value in getattr(self, "_before", ()) if isinstance(value, Unset)}
        return [
            variables[name]
            if name in variables and id(variables[name]) not in unset
            else Unset(f"`{name}` {otherwise.format(where=self._where)}")
            for name in self._names
        ]


def _spoken(name: str) -> str:
    return "what is returned" if name.startswith("_jaxdali_") else f"`{name}`"


@contextmanager
def _branch(condition: DataNode, taken: bool) -> Iterator[None]:
    scope = current_scope()
    if scope is None:
        yield
        return
    outside = scope.branch
    scope.branch = (*outside, (condition, taken))
    try:
        yield
    finally:
        scope.branch = outside


def either(test: object, yes: Callable[[], object], no: Callable[[], object]) -> Any:
    """Evaluates `yes() if test else no()`."""
    if not isinstance(test, DataNode):
        return yes() if test else no()
    with _branch(test, True):
        then = yes()
    with _branch(test, False):
        otherwise = no()
    return merged(test, then, otherwise, "the value", f"`... if ... else ...` at {definition_site()}")


def logical(word: str, first: object, *others: Callable[[], object]) -> Any:
    """Evaluates `first and others[0]() and ...`, or the same with `or`."""
    found = first
    for position, other in enumerate(others):
        if not isinstance(found, DataNode):
            # As in Python, which does not test the truth of the last operand.
            if bool(found) == (word == "or"):
                return found
            found = other()
            continue
        with _branch(found, word == "and"):
            value = other()
        if not isinstance(value, DataNode | bool | np.bool_ | Constant):
            raise GraphError(
                f"`{word}` of nodes expects nodes with one BOOL per sample, got {value!r:.80} at place {position + 2}, "
                f"at {definition_site()}"
            )
        found = operator_named("logical")(found, value, word=word)
    return found


def negated(value: object) -> Any:
    """Evaluates `not value`."""
    return operator_named("logical")(value, word="not") if isinstance(value, DataNode) else not value


def chained(first: object, *steps: tuple[Callable[[object, object], object], Callable[[], object]]) -> Any:
    """Evaluates `first < steps[0][1]() < ...`, with the comparisons of the steps."""
    left = [first]

    def step(compare: Callable[[object, object], object], other: Callable[[], object]) -> Any:
        right = other()
        left[0], value = right, left[0]
        return compare(value, right)

    (compare, other), *rest = steps
    return logical("and", step(compare, other), *((lambda one=one: step(*one)) for one in rest))
