"""Answers to arguments that a Loader does not have: those of other loaders, and slips of the pen."""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

__all__ = ["explains_keywords"]

_P = ParamSpec("_P")
_R = TypeVar("_R")

# What others call it.
_ELSEWHERE = {
    "num_workers": "workers=",
    "py_num_workers": "workers=",
    "drop_last": 'last_batch="drop"',
    "drop_remainder": 'last_batch="drop"',
    "prefetch_factor": "prefetch=",
    "prefetch_queue_depth": "prefetch=",
    "num_epochs": "epochs=",
    "timeout": "worker_timeout_s=",
    "transform": "augment=",
    "map_fn": "augment=",
}


def explains_keywords(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Has the TypeError of a keyword that `function` does not have say which one was meant."""
    known = [*inspect.signature(function).parameters][1:]

    @functools.wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        for name in kwargs:
            if name not in known:
                close = [f"{match}=" for match in difflib.get_close_matches(name, known, 1)]
                meant = _ELSEWHERE.get(name) or "".join(close)
                raise TypeError(f"a Loader has no argument {name!r}" + (f"; did you mean {meant}?" if meant else ""))
        return function(*args, **kwargs)

    return call
