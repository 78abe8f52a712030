"""Resamples images on a canvas with jax.numpy: each to its own extents, any part of it, with any filter."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.typing import ArrayLike

from ..ffi.recipes import Filter
from .exact_arithmetic import product
from .filters import TABLES
from .taps import Axis, Taps, axis_taps

__all__ = ["is_exact", "resample", "resample_axis"]

# Integer weights along an axis are int32, and the largest one is below 4 * extent_in * extent_out.
MAX_EXTENT_PRODUCT = 1 << 29


def is_exact(extent_in: int, extent_out: int) -> bool:
    """Whether the integer weights for resizing up to `extent_in` pixels to `extent_out` cannot overflow."""
    reach = 2 * max(extent_in, extent_out)
    total = reach * reach // (2 * extent_out) + 2 * reach
    return 1 <= extent_in and extent_in * extent_out <= MAX_EXTENT_PRODUCT and total < 1 << 32


def resample(
    images: jax.Array,
    size: tuple[int, int],
    sources: jax.Array,
    extents: Any,
    *,
    region: Any = None,
    corner: Any = None,
    filters: tuple[Filter, Filter] = (Filter.LINEAR, Filter.LINEAR),
    antialias: bool = True,
) -> jax.Array:
    """Returns windows of resized images.

    Args:
        images: `[N, H, W, C]`.
        size: (height, width) of the windows.
        sources: `int32[N, 2]`, height and width of each image on its canvas; an image without pixels becomes zeros.
        extents: what they are resized to, `int32[N, 2]`, or (height, width) for all.
        region: `float32[N, 4]`, y_lo, y_hi, x_lo, x_hi, the part of each image that is resized to these extents; taps
            reach beyond it, up to the image's edge. None: all of it.
        corner: `int32[N, 2]`, top and left of the windows in the resized images; None: 0.
        filters: for an axis that shrinks, and for any other; not NONE.
        antialias: whether a filter widens when an axis shrinks.

    Returns:
        `float32[N, *size, C]`; pixels outside a resized image are undefined. Reverse-mode derivatives need one
        static extent for all and no region: otherwise the lengths of loops depend on traced values.
    """
    static = isinstance(extents, tuple)
    virtual = jnp.broadcast_to(jnp.asarray(extents, jnp.int32), sources.shape) + 0 * sources
    out = images
    for axis in (0, 1):
        place = lax.broadcasted_iota(jnp.int32, (images.shape[0], size[axis]), 1)
        index = place if corner is None else place + corner[:, axis : axis + 1]
        part = None if region is None else (region[:, 2 * axis : 2 * axis + 1], region[:, 2 * axis + 1 : 2 * axis + 2])
        own = Axis(sources[:, axis : axis + 1], virtual[:, axis : axis + 1], part, filters, antialias)
        out = resample_axis(out, 1 + axis, own, index, extents[axis] if static and region is None else None)
    return out


def resample_axis(images: jax.Array, axis: int, own: Axis, index: jax.Array, extent: int | None = None) -> jax.Array:
    """Resamples images along one axis.

    Args:
        images: `[N, H, W, C]`.
        axis: 1 or 2.
        index: `int32[N, n]`, the pixels of the resized axis to compute.
        extent: what all images are resized to, if that is known and there is no region.

    Returns:
        float32.
    """
    canvas = images.shape[axis]
    most = None if extent is None else _most_taps(canvas, extent, own.filters, own.antialias)
    fits = extent is not None and is_exact(canvas, extent)
    return _weigh(images, axis, axis_taps(own, index, most, fits))


def _most_taps(extent_in: int, extent_out: int, filters: tuple[Filter, Filter], antialias: bool) -> int:
    """An upper limit of a result's number of taps; rounding may add one."""
    radius = max((TABLES[filter].radius for filter in filters if filter != Filter.NEAREST), default=0)
    scale = max(1.0, extent_in / extent_out) if antialias else 1.0
    return math.ceil(2 * radius * scale) + 1


def _weigh(images: jax.Array, axis: int, taps: Taps) -> jax.Array:
    """Weighted sums along an axis, float32."""
    shape = [*taps.first.shape, 1, 1] if axis == 1 else [taps.first.shape[0], 1, taps.first.shape[1], 1]
    last = images.shape[axis] - 1

    def term(k: ArrayLike) -> jax.Array:
        index = jnp.clip(taps.first + k, 0, last).reshape(shape)
        pixels = jnp.take_along_axis(images, index, axis=axis)
        return product(pixels.astype(jnp.float32), taps.weight(k).reshape(shape))

    result = [*images.shape]
    result[axis] = taps.first.shape[1]
    zeros = jnp.zeros(result, jnp.float32) + 0 * taps.total.reshape(shape)
    return lax.fori_loop(0, taps.count, lambda k, total: total + term(k), zeros)
