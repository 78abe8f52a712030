"""Records the calls of a pipeline while it is defined. A call is made in its thread's innermost scope, if any."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from jaxdali.errors import GraphError, GraphTypeError
from .call import Call, DataNode, Params, automatic_name
from .call_sites import definition_site
from .declarations import Declared
from .node_notes import advise

__all__ = ["Entered", "Scope", "current_scope", "new_call", "pop_scope", "push_scope"]

_entered = threading.local()


class Scope:
    """The calls that were made in it, in order.

    Args:
        owner: what the scope belongs to.

    Attributes:
        token: identifies the scope without keeping any of it alive.
        random_calls: the number of random calls, including unused ones.
        converts: functions that are called here may branch on nodes.
        branch: the branches that calls are being made in, see `Call.branch`.
        eager: computes each call when it is made, see `jaxdali._dali.eager`; None outside of debug mode.
        watches: those of the branches on nodes that are being run, see `jaxdali._dali.control.branch_watch`.
        warned: a warning said that the changes of branches are not all seen.
        searched: the number of objects that were searched for changes.
        merged: branches on nodes have been merged.
        failed: the branch that an exception has left; None if none has.
        ends: is called when this thread leaves the scope.
    """

    def __init__(self, owner: Any = None):
        self.owner = owner
        self.token = object()
        self.calls: list[Call] = []
        self.random_calls = 0
        self.converts = False
        self.branch: tuple[tuple[DataNode, bool], ...] = ()
        self.eager: Any = None
        self.watches: list[Any] = []
        self.warned = False
        self.searched = 0
        self.merged = False
        self.failed: str | None = None
        self.ends: list[Callable[[], None]] = []

    def check_branches(self) -> None:
        """Checks that no branch on a node was left in its middle.

        Raises:
            GraphError: an exception has left one, and was caught.
        """
        if self.failed is not None:
            where, self.failed = self.failed, None
            raise GraphError(
                f"an exception left a branch of the {where}, whose condition is a node, and was caught outside of it: "
                "samples take both branches, so it would count for all of them. Catch it inside the branch"
            )


def new_call(
    operator: Declared,
    params: Params,
    inputs: Sequence[DataNode] = (),
    *,
    outputs: int | None = None,
    hints: Params | None = None,
    device: str = "cpu",
    name: str | None = None,
    preserve: bool = False,
    source: Any = None,
    first: Call | None = None,
) -> Call:
    """Makes a call, in the innermost scope if there is one.

    Args:
        outputs: the number of outputs; None for a single one, which is not numbered.
        first: a call of the same operator, made just before, whose draws it shares.

    Raises:
        GraphTypeError: the name is not text.
    """
    if name is not None and (not isinstance(name, str) or not name):
        raise GraphTypeError(f"the name of {operator.display_name} must be text, got {name!r}")
    scope = current_scope()
    call = Call(
        operator=operator,
        params=params,
        inputs=tuple(inputs),
        hints=hints or {},
        device=device,
        name=automatic_name(operator, len(scope.calls)) if name is None and scope is not None else name,
        named=name is not None,
        preserve=preserve,
        source=source,
        site=definition_site(),
        scope=scope,
        first=first,
        branch=scope.branch if scope is not None and source is None else (),
    )
    call.add_outputs(outputs)
    if scope is not None:
        if operator.is_random and first is not None:
            call.number = first.number
        elif operator.is_random:
            call.number = scope.random_calls
            scope.random_calls += 1
        scope.calls.append(call)
        if scope.eager is not None:
            scope.eager.made(call)
    return call


def push_scope(scope: Scope) -> None:
    """Makes this scope the one in which this thread makes calls, until `pop_scope`."""
    if not hasattr(_entered, "scopes"):
        _entered.scopes = []
    _entered.scopes.append(scope)


def pop_scope() -> None:
    """Undoes the last `push_scope` of this thread.

    Raises:
        GraphError: there was none.
    """
    if not getattr(_entered, "scopes", []):
        raise GraphError("pop_current was called without push_current: no pipeline is being defined")
    left = _entered.scopes.pop()
    if left not in _entered.scopes:
        while left.ends:
            left.ends.pop()()


class Entered:
    """A block in which this thread makes calls in a scope: `with Entered(scope): ...`

    A class rather than a generator: a generator whose block is never left would leave it when it is collected, and pop
    the scope of another pipeline.
    """

    def __init__(self, scope: Scope):
        self._scope = scope

    def __enter__(self) -> Scope:
        push_scope(self._scope)
        return self._scope

    def __exit__(self, _kind: object, error: BaseException | None, _where: object) -> None:
        pop_scope()
        advise(error)


def current_scope() -> Scope | None:
    """Returns the innermost scope of this thread, or None outside of scopes."""
    scopes = getattr(_entered, "scopes", [])
    return scopes[-1] if scopes else None
