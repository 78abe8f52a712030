"""What operators have in common that move the pixels of images, and of which each result needs all of its image."""

from __future__ import annotations

from typing import Any

from ... import types
from ...errors import ConfigError
from ..kinds import DTYPE, EXTENTS, FILTER, NUMBER, Kind
from ..record import Old, Static
from ..values import BatchValue, Context

__all__ = ["FILTERS", "FILTER_OF_THREE", "FILTER_OF_TWO", "OLD", "WARPED", "images_in", "whole_size"]

FILTERS = {types.INTERP_NN: "nearest", types.INTERP_LINEAR: "linear", types.INTERP_CUBIC: "cubic"}


def _filters(*accepted: types.DALIInterpType) -> Kind:
    def read(word: str, value: Any) -> types.DALIInterpType:
        value = FILTER.read(word, value)
        if value not in accepted:
            names = ", ".join(f"types.{one.name}" for one in accepted)
            raise ConfigError(f"{word} must be one of {names}, got {value!r:.80}")
        return value

    return Kind("DALIInterpType", read, accepted)


FILTER_OF_TWO = _filters(types.INTERP_NN, types.INTERP_LINEAR)
FILTER_OF_THREE = _filters(types.INTERP_NN, types.INTERP_LINEAR, types.INTERP_CUBIC)

WARPED = (
    Static("fill_value", NUMBER, None, "what lies outside of the images; not given: their nearest pixel"),
    Static("interp_type", FILTER_OF_TWO, types.INTERP_LINEAR, "INTERP_LINEAR or INTERP_NN"),
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
