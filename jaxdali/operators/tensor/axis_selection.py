"""What a subscript takes of an axis."""

from __future__ import annotations

import dataclasses
from typing import Any

__all__ = ["At", "Range"]


@dataclasses.dataclass(frozen=True)
class At:
    """One place along an axis, which goes: an integer, or int[N] with one per sample."""

    index: Any


@dataclasses.dataclass(frozen=True)
class Range:
    """Part of an axis, as Python's slices; `start` and `stop` as in `At`."""

    start: Any = None
    stop: Any = None
    step: int = 1
