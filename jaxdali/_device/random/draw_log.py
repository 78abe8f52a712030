"""Logs from which keys a function draws while it is traced, and what shape, so that a Loader can say that numbers come
twice, or that the shape has the batch in it.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from contextvars import ContextVar

import jax

__all__ = ["Draws", "log_draw", "logged_draws"]


@dataclasses.dataclass(frozen=True)
class Draws:
    """What a function of `jaxdali.random` drew from the same keys: how many keys there are, and the shape of each draw."""

    function: str
    keys: int
    shapes: list[tuple[int, ...]]


# By keys and function: the keys, which must live as long as their id is used, and the shape of each draw from them.
_Found = dict[tuple[int, str], list[tuple[jax.Array, tuple[int, ...]]]]
_found: ContextVar[_Found | None] = ContextVar("jaxdali_logged_draws", default=None)


@contextlib.contextmanager
def logged_draws() -> Iterator[list[Draws]]:
    """Logs the draws within its block, and returns them at its end. It cannot see what JAX does not trace again.

    The block has to end before its trace does: until then the log holds the keys.
    """
    found: _Found = collections.defaultdict(list)
    draws: list[Draws] = []
    token = _found.set(found)
    try:
        yield draws
    finally:
        _found.reset(token)
    for (_, function), drawn in found.items():
        draws.append(Draws(function, len(drawn[0][0]), [shape for _, shape in drawn]))


def log_draw(keys: jax.Array, function: str, shape: Sequence[int]) -> None:
    """Logs that numbers are drawn from keys by a function of `jaxdali.random`."""
    if (found := _found.get()) is not None:
        found[id(keys), function].append((keys, tuple(shape)))
