"""How sources travel to fresh worker processes: by value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["pickle_by_value"]

_T = TypeVar("_T", bound=Callable[..., Any])


def pickle_by_value(function: _T) -> _T:
    """Marks a function of an importable module to be sent to workers by value; a decorator.

    Args:
        function: a plain Python function.

    Raises:
        TypeError: it is something else.
    """
    if not hasattr(function, "__code__"):
        raise TypeError(
            f"Only functions can be explicitly set to be pickled by value: pickle_by_value got {type(function).__name__}"
        )
    # Pickle looks a function up in its module by name, but a function that claims to be from __main__ goes by value.
    function.__module__ = "__main__"
    return function
