"""Logs which decoders a function uses, and whether it asks which images there are, while it is traced."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

__all__ = ["log_decoding", "log_presence", "logged_decodings", "logged_presence"]

# (decoder, fancy_upsampling), in the order of their first use; None: nothing is logged.
_Decodings = dict[tuple[int, bool], None]
_found: ContextVar[_Decodings | None] = ContextVar("jaxdali_logged_decodings", default=None)

# [True] once somebody asked; None: nothing is logged.
_asked: ContextVar[list[bool] | None] = ContextVar("jaxdali_logged_presence", default=None)


@contextlib.contextmanager
def logged_presence() -> Iterator[list[bool]]:
    """Logs, as `[True]`, that the function within its block asks which images there are, or for statuses."""
    found: list[bool] = []
    token = _asked.set(found)
    try:
        yield found
    finally:
        _asked.reset(token)


def log_presence() -> None:
    """Logs that somebody asks which images there are."""
    if (found := _asked.get()) is not None:
        found[:] = [True]


@contextlib.contextmanager
def logged_decodings() -> Iterator[_Decodings]:
    """Logs the decodings within its block, as (decoder, fancy_upsampling); `decoder` is an index in
    `jaxdali._base.batch.DECODERS`.

    It cannot see a user's own jitted function that was traced before, because JAX does not trace it again.
    """
    found: _Decodings = {}
    token = _found.set(found)
    try:
        yield found
    finally:
        _found.reset(token)


def log_decoding(decoder: int, fancy_upsampling: bool) -> None:
    """Logs that images are decoded with this decoder."""
    found = _found.get()
    if found is not None:
        found[decoder, fancy_upsampling] = None
