"""The common parts of operators that move pixels, and need a whole image for each result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.dtypes import INTERP_CUBIC, INTERP_LINEAR, INTERP_NN, DALIInterpType
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import DTYPE, EXTENTS, FILTER, NUMBER, Kind
from ..declaration import Old, PerSample, Static
from ..extent_bounds import extents_in
from ..image_extents import Extents
from ..values import BatchValue, Context
from .volume_operators import is_volumes

__all__ = [
    "FILTERS",
    "FILTER_OF_THREE",
    "FILTER_OF_TWO",
    "OLD",
    "WARPED",
    "check_one_map",
    "images_in",
    "sequences_of",
    "size_extents",
    "size_of_rank",
    "volumes_or_images_in",
    "whole_size",
    "with_channels",
]

FILTERS = {INTERP_NN: "nearest", INTERP_LINEAR: "linear", INTERP_CUBIC: "cubic"}


def _filters(*accepted: DALIInterpType) -> Kind:
    def read(word: str, value: Any) -> DALIInterpType:
        value = FILTER.read(word, value)
        if value not in accepted:
            names = ", ".join(f"types.{one.name}" for one in accepted)
            raise ConfigError(f"{word} must be one of {names}, got {value!r:.80}")
        return value

    return Kind("DALIInterpType", read, accepted)


FILTER_OF_TWO = _filters(INTERP_NN, INTERP_LINEAR)
FILTER_OF_THREE = _filters(INTERP_NN, INTERP_LINEAR, INTERP_CUBIC)


def _size(word: str, value: object) -> tuple[float, ...]:
    if isinstance(value, list | tuple | np.ndarray) and len(value) == 3:
        return (*EXTENTS.read(word, value[0])[:1], *EXTENTS.read(word, value[1:]))
    return EXTENTS.read(word, value)


_SIZE = Kind("float | Sequence[float]", _size, (4, (4, 3)))

WARPED = (
    Static("fill_value", NUMBER, None, "level outside of the images; by default the level of the nearest pixel"),
    Static("interp_type", FILTER_OF_TWO, INTERP_LINEAR, "INTERP_LINEAR or INTERP_NN"),
    PerSample(
        "size",
        None,
        "(height, width) of the output, for volumes (depth, height, width), rounded to whole pixels. The fraction of "
        "a node's numbers is cut off",
        _SIZE,
        bounded=True,
    ),
    Static("dtype", DTYPE, None, "type of the output; by default that of the input"),
)
OLD = {"output_dtype": Old(now="dtype")}


def check_one_map(display_name: str, inputs: Sequence[DataNode], params: Params, _device: str | None) -> None:
    """Raises ConfigError unless the map is either `matrix=` or the second input."""
    if (len(inputs) == 2) == (params["matrix"] is not None):
        got = "both" if len(inputs) == 2 else "neither"
        raise ConfigError(f"{display_name} takes its map as matrix=, or as a second input; got {got}")


def whole_size(size: tuple[float, ...] | None) -> tuple[int, int] | None:
    """Rounds (height, width) of images to whole pixels, halves upwards."""
    return None if size is None else _whole(size)[-2:]


def size_extents(size: Any, extents: Extents) -> Extents:
    """Returns the extents of images that are given a size; None keeps their extents."""
    if isinstance(size, DataNode):
        return Extents(bound=None, exact=False, resized=True)
    found = whole_size(size)
    return extents if found is None else Extents.of_size(*found)


def size_of_rank(context: Context, size: Any, value: BatchValue) -> tuple[Any, Any]:
    """Returns a size in whole pixels with one number per axis of samples: that of the array, and `int32[N, axes]` of
    each sample, or None if all fill the array. None, None if no size is given.

    Raises:
        GraphError: the number of axes differs; or see `extents_in`.
    """
    if size is None:
        return None, None
    axes, word = value.data.ndim - 2, context.call.operator.display_name
    if isinstance(size, BatchValue):
        return _size_of_nodes(context, size, axes)
    # A single number applies to all axes; it was read as two.
    found = (size[0],) * axes if len(set(size)) == 1 else size
    if len(found) != axes:
        raise GraphError(f"size={list(found)} of {word} has {len(found)} numbers for {axes} axes; give one, or {axes}")
    return _whole(found), None


def _size_of_nodes(context: Context, size: BatchValue, axes: int) -> tuple[Any, Any]:
    import jax.numpy as jnp

    extents, most = extents_in(context, "size", size, "crop what comes out, with crop= as a node, or resize it")
    if len(extents) == 1:
        extents, most = extents * axes, most * axes
    if len(extents) != axes:
        word = context.call.operator.display_name
        raise GraphError(f"size of {word} as a node expects a number for all axes, or {axes}, got {len(extents)}")
    # As in DALI, which truncates node sizes but rounds numbers.
    whole = [jnp.maximum(jnp.trunc(one.astype(jnp.float32)).astype(jnp.int32), 1) for one in extents]
    return tuple(max(one, 1) for one in most), jnp.stack(whole, axis=1)


def with_channels(value: BatchValue, extents: Any) -> Any:
    """Returns `int32[N, ndim]`, the shapes of images with these extents, and the channels of `value`."""
    import jax.numpy as jnp

    channels = jnp.full_like(extents[:, :1], value.data.shape[-1]) if value.shapes is None else value.shapes[:, -1:]
    return jnp.concatenate([extents, channels], axis=1)


def _whole(size: tuple[float, ...]) -> Any:
    return tuple(max(int(extent + 0.5), 1) for extent in size)


def volumes_or_images_in(context: Context, value: BatchValue) -> BatchValue:
    """Returns the batch if it has images, of any numbers of channels, or volumes. Raises as `images_in`."""
    return value if is_volumes(value) else images_in(context, value, own_channels=True)


def images_in(context: Context, value: BatchValue, own_channels: bool = False) -> BatchValue:
    """Returns the batch if it has images.

    Args:
        own_channels: the number of channels may differ between them.

    Raises:
        GraphError: it has something else.
    """
    value.check_images(context, own_channels)
    return value


def sequences_of(value: BatchValue) -> tuple[int, Any]:
    """Returns the number of frames of a sequence, and which frames exist; (1, None) for single images."""
    import jax.numpy as jnp

    form = value.form
    if form is None or form.frames is None:
        return 1, None
    if form.own is None:
        return form.frames, None
    return form.frames, (jnp.arange(form.frames) < form.own[:, None]).reshape(-1)
