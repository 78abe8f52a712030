"""Which parameters of a user's function are to be given by name: those that it shows, and that nothing else fills."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

__all__ = ["named_parameters", "takes"]

_ANYTHING = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


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
        and shown[name].kind not in (*_ANYTHING, inspect.Parameter.POSITIONAL_ONLY)
        and all(_passes_on(layer, name) for layer in layers)
    )


def takes(function: Callable[..., object], filled: int, names: Sequence[str]) -> bool:
    """Whether a function can be called with so many positional arguments, and these by name: by the signature that it shows,
    or by that of one of its decorators, which may fill what the function inside needs. True if nothing is known.
    """
    decorators = itertools.takewhile(lambda layer: not isinstance(layer, functools.partial), _layers(function))
    own = map(_own_signature, decorators)
    # What takes anything says nothing about the function inside.
    told = [one for one in own if one and not all(p.kind in _ANYTHING for p in one.parameters.values())]
    try:
        told.append(inspect.signature(function))
    except (TypeError, ValueError):  # it has no signature
        return True
    return any(_binds(signature, filled, names) for signature in told)


def _binds(signature: inspect.Signature, filled: int, names: Sequence[str]) -> bool:
    try:
        signature.bind(*[None] * filled, **dict.fromkeys(names))
    except TypeError:
        return False
    return True


def _own_signature(layer: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(layer, follow_wrapped=False)
    except (TypeError, ValueError):
        return None  # compiled by someone else, as by nnx.jit: what it shows is all that is known


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
    own = _own_signature(layer)
    return own is None or name in own.parameters or any(p.kind is p.VAR_KEYWORD for p in own.parameters.values())
