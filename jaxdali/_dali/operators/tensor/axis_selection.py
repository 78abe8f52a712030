"""Describes what a subscript selects along an axis."""

from __future__ import annotations

import dataclasses
from typing import Any

__all__ = ["At", "Range"]


@dataclasses.dataclass(frozen=True)
class At:
    """One position along an axis, which is removed: an integer, or int[N] with one per sample."""

    index: Any


@dataclasses.dataclass(frozen=True)
class Range:
    """A part of an axis, as in Python's slices; `start`, `stop` and `step` as in `At`."""

    start: Any = None
    stop: Any = None
    step: Any = 1
