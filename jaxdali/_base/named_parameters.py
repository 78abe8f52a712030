"""Which parameters of a user's function are to be given by name: those that it shows, and that nothing else fills."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

__all__ = ["named_parameters"]


def named_parameters(function: Callable[..., object] | None, names: Sequence[str], filled: int) -> tuple[str, ...]:
    """Returns those of `names` that are parameters of a function, and are to be passed by name. A default does not matter.
    Left out are those that `functools.partial` has bound, and what only `*args` or `**kwargs` would take: no guesses.

    Args:
        filled: how many of the first parameters are given by position, and mean something else, whatever their names.
    """
    try:
        shown = inspect.signature(function).parameters if function is not None else {}
    except (TypeError, ValueError):  # not a function, or a builtin without a signature
        return ()
    first = [*shown][:filled]
    layers = [*_layers(function)]
    return tuple(
        name
        for name in names
        if name in shown
        and name not in first
        and shown[name].kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        and all(_passes_on(layer, name) for layer in layers)
    )


def _layers(function: Any) -> Iterator[Any]:
    """Yields a function, and those inside it that its signature is taken from."""
    seen: set[int] = set()
    while function is not None and id(function) not in seen:
        seen.add(id(function))
        yield function
        is_partial = isinstance(function, functools.partial)
        function = function.func if is_partial else getattr(function, "__wrapped__", None)


def _passes_on(layer: Any, name: str) -> bool:
    """Whether one layer takes a name, and leaves it to its caller. A decorator shows the signature of what is inside it."""
    if isinstance(layer, functools.partial):
        return name not in layer.keywords
    try:
        own = inspect.signature(layer, follow_wrapped=False).parameters
    except (TypeError, ValueError):
        return True  # compiled by someone else, as by nnx.jit: what it shows is all that is known
    return name in own or any(parameter.kind is parameter.VAR_KEYWORD for parameter in own.values())
