"""Warns at the line of user code that starts or runs a pipeline."""

from __future__ import annotations

import sys
import warnings

__all__ = ["warn_user"]

_NOT_THE_USERS = ("jaxdali", "jax", "contextlib")


def warn_user(text: str, category: type[Warning]) -> None:
    """Issues a warning that names the innermost caller outside this package, and outside of JAX, which traces programs."""
    level, frame = 1, sys._getframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _NOT_THE_USERS:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)
