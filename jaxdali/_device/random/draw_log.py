"""Logs from which keys a function draws while it is traced, and what shape, so that a Loader can say that numbers come
twice, or that the shape has the batch in it.
"""

from __future__ import annotations

import collections
import contextlib
from collections.abc import Iterator, Sequence
from contextvars import ContextVar

import jax

__all__ = ["log_draw", "logged_draws"]

# By keys and kind of draw: the keys, which must live as long as their id is used, and the shape of each draw from them.
_Draws = dict[tuple[int, str], list[tuple[jax.Array, tuple[int, ...]]]]
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


def log_draw(keys: jax.Array, function: str, shape: Sequence[int]) -> None:
    """Logs that numbers are drawn from keys by a function of `jaxdali.random`."""
    if (found := _found.get()) is not None:
        found[id(keys), function].append((keys, tuple(shape)))
