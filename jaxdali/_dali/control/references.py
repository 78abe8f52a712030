"""Finds out who else refers to an object."""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Iterable

from .ownership import PACKAGE

__all__ = ["is_elsewhere"]


def is_elsewhere(target: object, known: Iterable[object], here: types.FrameType | None) -> bool:
    """Whether something refers to an object other than the known objects, the variables of one function (`here`), and
    what this package's functions hold.
    """
    # Before frames make dictionaries of their variables. No function in here may have `target` as a free variable.
    referrers = gc.get_referrers(target)
    known = list(known)
    mine = {id(known), *map(id, known)}
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        variables = frame.f_locals
        mine.add(id(variables))
        if not frame.f_code.co_filename.startswith(PACKAGE):
            # The variables of `here` can be set, but not what is in a tuple there.
            if _holds(variables.values(), target, frame is here):
                return True
        frame = frame.f_back
    return any(id(one) not in mine and not isinstance(one, types.FrameType) for one in referrers)


def _holds(values: Iterable[object], target: object, only_within: bool) -> bool:
    for one in values:
        if isinstance(one, tuple):
            if _holds(one, target, False):
                return True
        elif one is target and not only_within:
            return True
    return False
