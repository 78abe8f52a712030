"""What transformed functions ask Python through this package: questions that samples may answer differently, and calls that
take from what is older than a branch.
"""

from __future__ import annotations

import collections
import functools
import io
import operator
import types
from collections.abc import Callable
from typing import Any

from jaxdali.errors import GraphError
from ..graph.call import DataNode
from ..graph.scope import current_scope
from ..graph.unset import check_set, check_whole
from .fixed import FixedDict, FixedList
from .reach import is_iterator

__all__ = ["asked", "contains", "iterated", "own_variables", "same", "truth"]

_HEAP = 1 << 9  # a class that was defined in Python
# Methods of Python that take from an iterator or a file, that tell which entries a dictionary has, that look something up,
# and that only keep what they are given.
_TAKING = {"__next__", "send", "throw", "read", "read1", "readinto", "readline", "readlines"}
_LISTING = {"keys", "values", "items", "popitem", "copy", "__len__", "__iter__"}
_LOOKING_UP = {"get", "pop", "setdefault", "__getitem__", "__contains__"}
_KEEPING = {"append", "appendleft", "add", "insert", "setdefault", "__setitem__", "put", "put_nowait"}
# Functions that move no iterator that they are given.
_STILL = {"isinstance", "issubclass", "type", "id", "callable", "hasattr", "getattr", "setattr", "repr", "print"}


def asked(function: object) -> object:
    """Returns what is called instead of a function of Python that is written in C."""
    scope = current_scope()
    is_builtin = isinstance(function, types.BuiltinFunctionType | types.MethodWrapperType) or (
        isinstance(function, type) and (not function.__flags__ & _HEAP or function.__module__ == "itertools")
    )
    if scope is None or not (scope.watches or scope.merged) or not is_builtin:
        return function
    call: Any = function
    return functools.partial(_ask, call)


def _ask(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if isinstance(owner, types.ModuleType):
        owner = None
    if owner is not None and name in _TAKING:
        _check_unmoved(owner)
    if isinstance(owner, dict) and name in _LISTING:
        check_whole(owner)
    if isinstance(owner, dict | set | frozenset) and name in _LOOKING_UP and args:
        _check_key(args[0])
    for value in (*args, *kwargs.values()):
        if name not in _KEEPING or owner is None:
            check_whole(value)
            if name not in _STILL:
                _check_unmoved(value)
    if function is hasattr and len(args) == 2 and hasattr(*args):
        check_set(getattr(*args))
    found = function(*args, **kwargs)
    return check_set(found) if isinstance(owner, dict) and name == "pop" else found


def _check_unmoved(value: object) -> None:
    """Checks that a branch may take from a value.

    Raises:
        GraphError: it is an iterator or a file that is older than the branch.
    """
    scope = current_scope()
    if scope is None or isinstance(value, io.StringIO | io.BytesIO):
        return
    if is_iterator(value) or isinstance(value, io.IOBase):
        for watch in scope.watches:
            watch.check(value)


def _check_key(key: object) -> None:
    """Checks that a key is the same for all samples.

    Raises:
        GraphError: it is a node.
    """
    check_set(key)
    if isinstance(key, DataNode):
        raise GraphError(
            f"{key!r} is looked up in a dictionary or set of Python, which knows no values of samples; compare it, as in "
            "`x == 1`, or use numbers known while the pipeline is defined"
        )


def iterated(values: Any) -> Any:
    """Returns what a `for`, or a `*` in a list, goes through."""
    check_whole(values)
    _check_unmoved(values)
    return values


def contains(member: Any, container: Any) -> Any:
    """Evaluates `member in container`."""
    check_set(member)
    if isinstance(container, dict | set | frozenset):
        _check_key(member)
    if isinstance(container, collections.UserDict | collections.ChainMap):
        check_whole(container)
    if isinstance(container, dict) and dict.__contains__(container, member):
        check_set(dict.__getitem__(container, member))
    return operator.contains(container, member)


def same(one: object, other: object) -> bool:
    """Evaluates `one is other`."""
    check_set(one)
    check_set(other)
    if isinstance(one, FixedList | FixedDict) or isinstance(other, FixedList | FixedDict):
        raise GraphError(
            f"`is` asks which of two {type(one).__mro__[1].__name__}s the branches of an `if` on a node have chosen, which "
            "samples answer differently"
        )
    if (isinstance(one, DataNode) and isinstance(other, bool)) or (
        isinstance(one, bool) and isinstance(other, DataNode)
    ):
        raise GraphError(f"{one!r} is compared with {other!r} by `is`, which samples answer differently; use `==`")
    return one is other


def truth(value: Any) -> Any:
    """Returns a value whose truth is asked."""
    return value if isinstance(value, DataNode) else check_whole(value)


def own_variables(variables: dict[str, object]) -> dict[str, object]:
    """Returns the variables of a function without those of its transformation."""
    return {name: value for name, value in variables.items() if not name.startswith("_jaxdali_")}
