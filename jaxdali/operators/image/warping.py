"""What operators have in common that move the pixels of images, and of which each result needs all of its image."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import types
from ...errors import ConfigError, GraphError
from ..kinds import DTYPE, EXTENTS, FILTER, NUMBER, Kind
from ..record import Old, Static
from ..values import BatchValue, Context
from .volumes import is_volumes

__all__ = [
    "FILTERS",
    "FILTER_OF_THREE",
    "FILTER_OF_TWO",
    "OLD",
    "WARPED",
    "images_in",
    "size_of_rank",
    "volumes_or_images_in",
    "whole_size",
]

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


def _size(word: str, value: Any) -> tuple[float, ...]:
    if isinstance(value, list | tuple | np.ndarray) and len(value) == 3:
        return (*EXTENTS.read(word, value[0])[:1], *EXTENTS.read(word, value[1:]))
    return EXTENTS.read(word, value)


_SIZE = Kind("float | Sequence[float]", _size, (4, (4, 3)))

WARPED = (
    Static("fill_value", NUMBER, None, "what lies outside of the images; not given: their nearest pixel"),
    Static("interp_type", FILTER_OF_TWO, types.INTERP_LINEAR, "INTERP_LINEAR or INTERP_NN"),
    Static(
        "size",
        _SIZE,
        None,
        "(height, width) of the output, of volumes (depth, height, width), rounded",
        instead="crop what comes out, with crop= as a node, or resize it",
    ),
    Static("dtype", DTYPE, None, "of the output; not given: that of the input"),
)
OLD = {"output_dtype": Old(now="dtype")}


def whole_size(size: tuple[float, ...] | None) -> tuple[int, int] | None:
    """(height, width) of images in whole pixels, halves upwards."""
    return None if size is None else _whole(size)[-2:]


def size_of_rank(context: Context, size: tuple[float, ...] | None, value: BatchValue) -> Any:
    """A size in whole pixels, of as many axes as samples have.

    Raises:
        GraphError: it is of another number of them.
    """
    if size is None:
        return None
    axes, word = value.data.ndim - 2, context.call.operator.spoken
    # One number is one for all axes, which was read as two.
    found = (size[0],) * axes if len(set(size)) == 1 else size
    if len(found) != axes:
        raise GraphError(f"size={list(found)} of {word} has {len(found)} numbers for {axes} axes; give one, or {axes}")
    return _whole(found)


def _whole(size: tuple[float, ...]) -> Any:
    return tuple(max(int(extent + 0.5), 1) for extent in size)


def volumes_or_images_in(context: Context, value: BatchValue) -> BatchValue:
    """The batch, if it is one of images, or of volumes. Raises as `images_in`."""
    return value if is_volumes(value) else images_in(context, value)


def images_in(context: Context, value: BatchValue) -> BatchValue:
    """The batch, if it is one of images.

    Raises:
        GraphError: it is not.
    """
    value.check_images(context)
    return value
