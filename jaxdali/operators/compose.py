"""Operators one behind the other, as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import ConfigTypeError

__all__ = ["Compose"]


class Compose:
    """Calls operators one behind the other; DALI's `ops.Compose`.

    The first one is called with what the object is called with. The outputs of each are the inputs of the next one.

    Args:
        operators: objects of classes of `ops`, or anything else that is called with nodes and returns a node or several; at
            least one.

    Raises:
        ConfigTypeError: a TypeError; no sequence of those.
    """

    def __init__(self, operators: Sequence[Callable[..., object]]):
        several = isinstance(operators, list | tuple)
        wrong = next((one for one in operators if not callable(one)), None) if several else operators
        if not several or not operators or wrong is not None:
            got = "an empty one" if several and wrong is None else f"{wrong!r:.80}"
            raise ConfigTypeError(f"ops.Compose expects a list of operators, such as ops.Flip(), got {got}")
        self._operators = tuple(operators)

    def __call__(self, *inputs: object, **arguments: object) -> Any:
        """What the last operator returns. Raises as they do."""
        first, *others = self._operators
        found = first(*inputs, **arguments)
        for one in others:
            found = one(*found) if isinstance(found, list | tuple) else one(found)
        return found
