"""Applies operators on images to volumes, `[D, H, W, C]`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali.errors import GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import EXTENT
from ..declaration import Param, PerSample
from ..image_extents import limits_of
from ..tensor.sample_axes import extents_of, shapes_of
from ..values import BatchValue, Context
from .window import Window

__all__ = [
    "DEPTH",
    "asked_depth",
    "counts_frames",
    "cut_volumes",
    "is_volumes",
    "most_of_window",
    "pixels_of",
    "start_of",
]

DEPTH: tuple[Param, ...] = (
    PerSample(
        "crop_d",
        0.0,
        "depth of the window of volumes, or its number of frames of sequences, together with `crop_h` and `crop_w`; images "
        "have none",
        EXTENT,
    ),
    PerSample("crop_pos_z", 0.5, "position of the window in the free space along the depth or the frames, 0 to 1"),
)


def is_volumes(value: object) -> bool:
    """Whether an operator on images was given volumes."""
    return isinstance(value, BatchValue) and value.layout == "DHWC" and value.data.ndim == 5


def cut_volumes(context: Context, value: BatchValue, window: Window, params: Params, fill: object) -> BatchValue:
    """Cuts the window of each volume.

    Args:
        fill: the value outside of volumes, in their type: a number, or one per channel.

    Raises:
        GraphError: windows may leave their volumes, and their largest size is not known beforehand; or there are neither as
            many fill values as channels, nor one.
    """
    import jax.numpy as jnp

    from jaxdali._device.numeric.array_windows import window as cut

    if window.policy == "pad":
        window.check_fill(context, value.data.shape[-1])
    count, extents = len(value.data), extents_of(value)
    asked = (asked_depth(params), *window.asked)
    positions = [params[f"crop_pos_{axis}"] for axis in "zyx"]
    starts: list[Any] = [0] * 4
    sizes, canvas = list(extents), list(value.data.shape[1:])
    fits: Any = True
    for axis, (wanted, position) in enumerate(zip(asked, positions, strict=True)):
        if wanted is None or (isinstance(wanted, float) and wanted < 1):
            continue
        extent = jnp.broadcast_to(jnp.asarray(extents[axis], jnp.int32), (count,))
        size = int(wanted) if isinstance(wanted, float) else pixels_of(wanted, extent)
        start = start_of(extent, size, position, params["rounding"])
        end = start + size
        fits = fits & (start >= 0) & (end <= extent)
        if window.policy == "trim_to_shape":
            start, end = jnp.clip(start, 0, extent), jnp.clip(end, 0, extent)
            size = end - start
        elif window.policy == "pad":
            canvas[axis] = size if isinstance(size, int) else most_of_window(context, params, axis, canvas[axis])
        elif isinstance(size, int):
            canvas[axis] = size
        starts[axis], sizes[axis] = start, size
    if window.policy == "error":
        context.require(
            jnp.broadcast_to(fits, (count,)),
            f"Slice can't be placed out of bounds with current policy: a volume or sequence is smaller than the window of "
            f"{context.call.operator.display_name}; resize it first, or give out_of_bounds_policy=",
        )
    data = cut(value.data, value.shapes, starts, sizes, canvas, fill if window.policy == "pad" else None)
    return BatchValue(data, shapes_of(sizes, count), value.layout, value.wide)


def asked_depth(params: Params) -> Any:
    """Returns the depth of windows: a number, its values `[N]`, or None for the whole axis."""
    crop, depth = params["crop"], params["crop_d"]
    if isinstance(crop, tuple):
        depth = crop[0] if len(crop) == 3 else depth
        return (depth or None) if isinstance(depth, float) else depth
    if crop is not None and crop.ndim == 2 and crop.shape[1] == 3:
        return crop[:, 0]
    return (depth or None) if isinstance(depth, float) else depth


def counts_frames(params: Params) -> bool:
    """The `Lazy.counts_frames` of an operator with windows that may have a depth: in sequences, that counts frames."""
    # A node's samples may have three numbers.
    return isinstance(params["crop"], DataNode) or asked_depth(params) is not None


def pixels_of(wanted: object, extent: Any) -> Any:
    """Returns `int32[N]` from numbers of pixels; numbers below 1 mean the whole axis."""
    import jax.numpy as jnp

    number = jnp.asarray(wanted, jnp.float32)
    return jnp.where(number >= 1, number, extent.astype(jnp.float32)).astype(jnp.int32)


def start_of(extent: Any, size: Any, position: object, rounding: str) -> Any:
    """Returns `int32[N]`, where windows begin along an axis of these extents, at a fraction of the remaining space."""
    import jax.numpy as jnp

    from jaxdali._device.image.geometry import crop_anchor

    each = jnp.broadcast_to(jnp.asarray(size, jnp.int32), extent.shape)
    return crop_anchor(jnp.stack([extent] * 2, 1), jnp.stack([each] * 2, 1), (position, position), rounding)[:, 0]


def most_of_window(context: Context, params: Params, axis: int, canvas: int) -> int:
    """Returns the largest extent of windows along an axis."""
    written = context.call.params
    node = written["crop"] if params["crop"] is not None else written[("crop_d", "crop_h", "crop_w")[axis]]
    limits = limits_of(node) if isinstance(node, DataNode) else None
    if limits is None or not np.isfinite(limits).all():
        raise GraphError(
            "windows that may leave their volumes need a size that is known beforehand: give numbers, or a node of "
            "fn.random.uniform(range=)"
        )
    return max(int(limits[1]), canvas if limits[0] < 1 else 1)
