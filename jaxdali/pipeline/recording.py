"""Remembers how a graph was drawn: which functions were called, with what. That is what a saved pipeline is made of."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np

from .trace import drawn_graph

__all__ = ["Call", "recorded", "recorded_functions"]

_P = ParamSpec("_P")
_R = TypeVar("_R")

_functions: dict[str, Callable[..., Any]] = {}


@dataclasses.dataclass(frozen=True)
class Call:
    """A call that drew.

    Attributes:
        function: the name it was recorded by.
        operators: how many operators it added.
    """

    function: str
    arguments: Sequence[Any]
    keywords: Mapping[str, Any]
    operators: int


def recorded(name: str) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """A decorator of functions that draw: their calls are noted in the graph. What they call themselves is not.

    Args:
        name: by which a saved pipeline calls the function; "fn." and its name for those of `jaxdali.fn`.
    """

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        @functools.wraps(function)
        def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            graph = drawn_graph()
            if graph is None or graph.is_recording:
                return function(*args, **kwargs)
            before = len(graph.operators)
            # As they are now: the caller may change a list later.
            given = [_kept(value) for value in args], {key: _kept(value) for key, value in kwargs.items()}
            graph.is_recording = True
            try:
                result = function(*args, **kwargs)
            finally:
                graph.is_recording = False
            graph.calls.append(Call(name, *given, len(graph.operators) - before))
            return result

        _functions[name] = call
        return call

    return decorate


def recorded_functions() -> Mapping[str, Callable[..., Any]]:
    """Those of the modules that were imported, by the names they are recorded by."""
    return _functions


def _kept(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy()
    if type(value) is list or type(value) is tuple:
        return type(value)(_kept(entry) for entry in value)
    return value
