"""Output sizes of arrays of any rank: the size rules of DALI's `fn.tensor_resize`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from .exact_arithmetic import product, to_float32
from .image_arguments import is_host
from .size_rules import region_columns, region_of_interest, resolve_sizes
from .sizes import Resized

__all__ = ["AxisSizes", "bound_axes", "sizes_of_axes"]


class AxisSizes(NamedTuple):
    """The requested sizes: for each axis of a sample a number, or `float32[N]`."""

    sizes: Sequence[Any] | None
    """0: open; negative: mirrored. An axis that nobody named has None: its own extent."""
    scales: Sequence[Any] | None
    """In place of sizes; None: 1."""
    rule: str = "default"
    """One of `size_rules.MODES`."""
    max_size: Sequence[float] | None = None
    """0: no limit."""
    roi: Sequence[tuple[Any, Any] | None] | None = None
    """From and to; None: all of the axis."""
    roi_relative: bool = False
    rounding: str = "round"
    """One of `size_rules.ROUNDINGS`."""
    alignment: Sequence[Any] | None = None
    """Which place of a region stays where extents are rounded; None: its middle."""
    subpixel_scale: bool = True

    @property
    def is_host(self) -> bool:
        """Whether no argument is an array on a device."""
        pairs = [edge for pair in self.roi or () if pair is not None for edge in pair]
        given = [*(self.sizes or ()), *(self.scales or ()), *pairs, *(self.alignment or ())]
        return all(is_host(value) for value in given if value is not None)


def sizes_of_axes(extents, asked: AxisSizes) -> Resized:
    """Computes how large each sample becomes, and which region of it is sampled.

    Args:
        extents: `int32[N, axes]` of the samples.

    Returns:
        `Resized`, with one column per axis, or two for regions; in NumPy if everything is a host value.
    """
    xp = np if is_host(extents) and asked.is_host else jnp
    extents = xp.asarray(extents)
    whole = extents.astype(np.float32)

    def column(value: ArrayLike, axis: int) -> Any:
        return to_float32(value) + xp.zeros_like(whole[:, axis])

    def columns(values: Sequence[Any]) -> Any:
        return xp.stack([column(value, axis) for axis, value in enumerate(values)], axis=1)

    own = [whole[:, axis] for axis in range(whole.shape[1])]
    if asked.scales is not None:
        factors = columns([1.0 if scale is None else scale for scale in asked.scales])
        wanted = product(factors, whole)
    else:
        assert asked.sizes is not None
        wanted = columns([own[axis] if size is None else size for axis, size in enumerate(asked.sizes)])
    low, high = xp.zeros_like(whole), whole
    if asked.roi is not None:
        one = np.float32(1)
        last = [one] * len(own) if asked.roi_relative else own
        pairs = [(0.0, last[axis]) if pair is None else pair for axis, pair in enumerate(asked.roi)]
        low, high = columns([low for low, _ in pairs]), columns([high for _, high in pairs])
        low, high, wanted = region_of_interest(xp, low, high, wanted, whole if asked.roi_relative else None)
    limit = None if asked.max_size is None else columns(asked.max_size)
    found = resolve_sizes(
        xp,
        wanted,
        low,
        high,
        xp.where(extents > 0, high - low, np.float32(0)),
        asked.rule,
        limit,
        subpixel_scale=asked.subpixel_scale,
        rounding=asked.rounding,
        alignment=None if asked.alignment is None else columns(asked.alignment),
    )
    empty = xp.min(extents, axis=1, keepdims=True) <= 0
    region = region_columns(xp, found.low, found.high, whole, found.mirrored, empty)
    mirrored: Any = found.mirrored
    if xp is np:
        same = np.array_equal(region[:, ::2], 0 * whole) and np.array_equal(region[:, 1::2], whole)
        region, mirrored = None if same else region, mirrored if np.any(mirrored) else None
    elif asked.roi is None:
        region = None if _keeps_scale(asked) else region
        mirrored = mirrored if _may_mirror(asked) else None
    return Resized(xp.where(extents <= 0, 0, found.extents.astype(np.int32)), region, mirrored)


def bound_axes(extents: Sequence[int], asked: AxisSizes) -> tuple[float, ...]:
    """An upper limit of the result's extents; infinite where the arguments imply none.

    Args:
        extents: upper limits of the samples' extents.
        asked: with the largest possible value, above 0, in place of numbers that are drawn on the device.
    """
    sizes = asked.sizes or [
        None if scale is None else scale * extent for scale, extent in zip(asked.scales or (), extents, strict=True)
    ]
    own = any(size is None for size in sizes)
    found = []
    for axis, size in enumerate(sizes):
        most = math.inf
        cut = asked.roi is not None and asked.roi[axis] is not None
        if size is None and (asked.rule in ("default", "stretch", "not_larger")) and not cut:
            most = extents[axis]  # a scale of 1 is the largest
        elif size is not None and size != 0 and asked.rule != "not_smaller":
            most = abs(float(size))
        elif not cut and (asked.rule == "stretch" or (asked.rule == "not_larger" and own)):
            most = extents[axis]
        if asked.max_size is not None and asked.max_size[axis] > 0:
            most = min(most, asked.max_size[axis])
        found.append(max(1, math.ceil(most)) if math.isfinite(most) else most)
    return tuple(found)


def _keeps_scale(asked: AxisSizes) -> bool:
    """Whether every sample is resized as a whole, if there is no region of interest."""
    if not asked.subpixel_scale:
        return True
    given = [value for value in asked.sizes or asked.scales or () if value is not None]
    whole = all(is_host(value) and value != 0 and float(value) % 1 == 0 for value in given)
    limits = all(limit % 1 == 0 for limit in asked.max_size or ())
    return asked.rule in ("default", "stretch") and whole and limits


def _may_mirror(asked: AxisSizes) -> bool:
    """Whether an axis can be mirrored, if there is no region of interest."""
    given = [value for value in asked.sizes or asked.scales or () if value is not None]
    return not all(is_host(value) and value >= 0 for value in given)
