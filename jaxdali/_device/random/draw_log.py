"""Logs from which keys a function draws while it is traced, so that a Loader can say that numbers come twice."""

from __future__ import annotations

import collections
import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

__all__ = ["log_draw", "logged_draws"]

# By keys and kind of draw, the keys, which must live as long as their id is used, and how often they were drawn from.
_Draws = dict[tuple[int, str], list[object]]
_found: ContextVar[_Draws | None] = ContextVar("jaxdali_logged_draws", default=None)


@contextlib.contextmanager
def logged_draws() -> Iterator[_Draws]:
    """Logs the draws of the function within its block. It cannot see what JAX does not trace again."""
    found: _Draws = collections.defaultdict(list)
    token = _found.set(found)
    try:
        yield found
    finally:
        _found.reset(token)


def log_draw(keys: object, function: str) -> None:
    """Logs that numbers are drawn from keys by a function of `jaxdali.random`."""
    if (found := _found.get()) is not None:
        found[id(keys), function].append(keys)
