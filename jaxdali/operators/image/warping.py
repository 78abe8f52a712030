"""What operators have in common that move the pixels of images, and of which each result needs all of its image."""

from __future__ import annotations

from typing import Any

from ... import types
from ...errors import ConfigError
from ..kinds import DTYPE, EXTENTS, FILTER, NUMBER, Kind
from ..record import Old, Static
from ..values import BatchValue, Context

__all__ = ["FILTERS", "OLD", "WARPED", "images_in", "whole_size"]

FILTERS = {types.INTERP_NN: "nearest", types.INTERP_LINEAR: "linear"}


def _filter(word: str, value: Any) -> types.DALIInterpType:
    value = FILTER.read(word, value)
    if value not in FILTERS:
        raise ConfigError(f"{word} must be types.INTERP_NN or types.INTERP_LINEAR, got {value!r:.80}")
    return value


_FILTER = Kind("DALIInterpType", _filter, (types.INTERP_NN, types.INTERP_LINEAR))

WARPED = (
    Static("fill_value", NUMBER, None, "what lies outside of the images; not given: their nearest pixel"),
    Static("interp_type", _FILTER, types.INTERP_LINEAR, "INTERP_LINEAR or INTERP_NN"),
    Static(
        "size",
        EXTENTS,
        None,
        "(height, width) of the output, rounded",
        instead="crop what comes out, with crop= as a node, or resize it",
    ),
    Static("dtype", DTYPE, None, "of the output; not given: that of the input"),
)
OLD = {"output_dtype": Old(now="dtype")}


def whole_size(size: tuple[float, float] | None) -> tuple[int, int] | None:
    """A size in whole pixels, halves upwards."""
    return None if size is None else (max(int(size[0] + 0.5), 1), max(int(size[1] + 0.5), 1))


def images_in(context: Context, value: BatchValue) -> BatchValue:
    """The batch, if it is one of images.

    Raises:
        GraphError: it is not.
    """
    value.check_images(context)
    return value
