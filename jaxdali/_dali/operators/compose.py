"""Chains operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jaxdali.errors import ConfigTypeError

__all__ = ["Compose"]


class Compose:
    """Calls operators one after the other; DALI's `ops.Compose`.

    The first operator gets the arguments of the call; each further one gets the outputs of the one before it.

    Args:
        operators: at least one object of a class of `ops`, or other callable that takes nodes and returns one or
            several nodes.

    Raises:
        ConfigTypeError: a TypeError; `operators` is not a sequence of those.
    """

    def __init__(self, operators: Sequence[Callable[..., object]]):
        several = isinstance(operators, list | tuple)
        wrong = next((one for one in operators if not callable(one)), None) if several else operators
        if not several or not operators or wrong is not None:
            got = "an empty one" if several and wrong is None else f"{wrong!r:.80}"
            raise ConfigTypeError(f"ops.Compose expects a list of operators, such as ops.Flip(), got {got}")
        self._operators = tuple(operators)

    def __call__(self, *inputs: object, **arguments: object) -> Any:
        """Returns what the last operator returns. Raises as the operators do."""
        first, *others = self._operators
        found = first(*inputs, **arguments)
        for one in others:
            found = one(*found) if isinstance(found, list | tuple) else one(found)
        return found
