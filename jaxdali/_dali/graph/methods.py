"""Methods of nodes that arrays have as attributes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar, cast

from jaxdali.errors import GraphTypeError

__all__ = ["only_called"]

_Function = TypeVar("_Function", bound=Callable[..., Any])


def only_called(function: _Function) -> _Function:
    """Makes a method that says so if it is used as if it was a tuple: `node.shape[0]`."""
    return cast("_Function", _Method(function))


class _Method:
    """What the class has: the function itself, or `_Bound` to a node."""

    def __init__(self, function: Callable[..., Any]):
        self.__doc__ = function.__doc__
        self._function = function

    def __get__(self, node: object, _owner: type) -> Callable[..., Any]:
        if node is None:
            return self._function
        bound = _Bound(self._function, node)
        bound.__doc__ = self._function.__doc__
        return bound


class _Bound(functools.partial[Any]):
    def __getitem__(self, key: object) -> NoReturn:
        self._refuse(f"()[{key!r}]" if isinstance(key, int) else "()[...]")

    def __iter__(self) -> NoReturn:
        self._refuse("()")

    def __len__(self) -> NoReturn:
        self._refuse("()")

    def _refuse(self, instead: str) -> NoReturn:
        name, node = self.func.__name__, self.args[0]
        raise GraphTypeError(
            f"{name} of {node!r} is a method: write node.{name}{instead}. That is a node, too, since each sample has a "
            f"{name} of its own; jaxdali.fn and jaxdali.math calculate with it"
        )
