"""What operators that resize have in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from ... import types
from ..kinds import DTYPE, EXTENTS, FLAG
from ..record import REQUIRED, Only, Param, Static
from ..undecoded import Planned, Step, Undecoded
from ..values import Context

__all__ = ["FILTERS", "SIZE", "SIZED", "pixels", "resizing_step"]

_ONE_FILTER = "images are resized with the triangular filter (INTERP_LINEAR)"
FILTERS = {
    "interp_type": Only(types.INTERP_LINEAR, _ONE_FILTER),
    "min_filter": Only(types.INTERP_LINEAR, _ONE_FILTER),
    "mag_filter": Only(types.INTERP_LINEAR, _ONE_FILTER),
    "minibatch_size": Only(32, "the whole batch is one computation"),
}

SIZE = Static(
    "size", EXTENTS, REQUIRED, "(height, width), or one number for both; fractions are rounded to the nearest pixel"
)
SIZED: tuple[Param, ...] = (
    Static("antialias", FLAG, True, "widens the filter when shrinking"),
    Static("dtype", DTYPE, None, "of the output; not given: that of the input"),
)


def pixels(size: tuple[float, float]) -> tuple[int, int]:
    """(height, width) in whole pixels."""
    height, width = size
    return math.floor(height + 0.5), math.floor(width + 0.5)


def resizing_step(
    params: Mapping[str, Any], apply: Callable[[Context, Undecoded, Mapping[str, Any]], Undecoded]
) -> Step | None:
    """The step of an operator that resizes; None: it does so otherwise than `decode_resample`."""
    if not params["antialias"] or params["dtype"] not in (None, types.UINT8):
        return None
    extent = pixels(params["size"])
    return Step(lambda planned: None if planned.resampled else Planned(extent, resampled=True), apply)
