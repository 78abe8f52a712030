"""Resizes arrays of any rank along some of their axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike, DTypeLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from .convert import check_dtype, round_to_dtype
from .exact_arithmetic import to_float32
from .filters import check_filter
from .image_resize import resize
from .resample import is_exact
from .resize_pixels import resize_pixels

__all__ = ["flip_axes", "resize_axes"]


@on_any_mesh
def resize_axes(
    arrays: ArrayLike,
    axes: Sequence[int],
    size: Sequence[int],
    shapes: Array | None = None,
    *,
    antialias: bool = True,
    dtype: DTypeLike | None = None,
    min_filter: str = "linear",
    mag_filter: str = "linear",
    region: ArrayLike | None = None,
    extents: ArrayLike | None = None,
) -> jax.Array:
    """Resizes each sample along some of its axes; `jaxdali.image.resize` for any rank.

    The last axes come first, two at a time if they are neighbours; intermediate results are float32.

    Args:
        arrays: `[N, ...]`, integer or floating.
        axes: axes of a sample to resize, ascending, counted from 0.
        size: the result's extents, one for each of `axes`; known while tracing.
        shapes: `int32[N, ndim]`, extents of each sample in the corner of its row; None: it fills the row.
        antialias: whether the filter widens when an axis shrinks.
        dtype: that of the result, converted by `round_to_dtype`; None: that of `arrays`.
        min_filter: the filter of axes that shrink: "nearest", "linear", "cubic", "lanczos3", "triangular" (the same as
            "linear") or "gaussian".
        mag_filter: the filter of all other axes, one of the same.
        region: `float32[N, 2 * len(axes)]`, start and end for each axis: the part to resize; None: the whole sample.
        extents: `int32[N, len(axes)]`, the extents to give each sample, at most `size`; zeros outside. None: `size`.

    Returns:
        `dtype[N, ...]`.

    Raises:
        ConfigError: a shape does not fit, or a filter is none of those.
    """
    arrays, axes = jnp.asarray(arrays), list(axes)
    count, rank = len(arrays), arrays.ndim - 1
    target = check_dtype(arrays.dtype if dtype is None else dtype)
    if axes != sorted(set(axes)) or not all(0 <= axis < rank for axis in axes) or len(size) != len(axes):
        raise ConfigError(
            f"axes are {axes} with sizes {list(size)}, of samples of {rank} dimensions; expected ascending axes from 0 to "
            f"{rank - 1}, and a size for each."
        )
    columns = {"shapes": (shapes, rank), "region": (region, 2 * len(axes)), "extents": (extents, len(axes))}
    for name, (value, width) in columns.items():
        if value is not None and np.shape(value) != (count, width):
            raise ConfigError(f"{name} have shape {np.shape(value)} for {count} samples; expected [N, {width}].")
    options: dict[str, Any] = {"antialias": antialias, "min_filter": min_filter, "mag_filter": mag_filter}
    for name in ("min_filter", "mag_filter"):
        check_filter(options[name], name)
    if 0 in arrays.shape or 0 in size:
        made = {axis + 1: extent for axis, extent in zip(axes, size, strict=True)}
        return jnp.zeros([made.get(axis, extent) for axis, extent in enumerate(arrays.shape)], target)
    at = len(axes)
    while at:
        first = at - 2 if at > 1 and axes[at - 2] + 1 == axes[at - 1] else at - 1
        group = slice(first, at)
        part = None if region is None else jnp.asarray(region)[:, 2 * first : 2 * at]
        made = None if extents is None else jnp.asarray(extents)[:, group]
        of = None if shapes is None else jnp.asarray(shapes)[:, axes[first] : axes[at - 1] + 1]
        step = target if first == 0 else np.dtype(np.float32)
        arrays = _resize_neighbours(arrays, axes[first], list(size[group]), of, part, made, step, options)
        at = first
    return round_to_dtype(arrays, target)


def _resize_neighbours(arrays, axis: int, size: list[int], shapes, region, extents, dtype, options) -> jax.Array:
    """Resizes along one axis or two neighbouring ones; shapes, regions and extents are those of these axes."""
    count, *dims = arrays.shape
    behind = axis + len(size)
    before, after = math.prod(dims[:axis]), math.prod(dims[behind:])
    result = (count, *dims[:axis], *size, *dims[behind:])
    kept = None if len(size) == 2 else before if after == 1 else after
    # A single axis is resized as one axis of an image whose other axis stays: its columns if it is the last, else rows.
    if kept is None:
        images, wanted = arrays.reshape(count * before, *dims[axis:behind], after), tuple(size)
    elif after == 1:
        images, wanted = arrays.reshape(count, before, dims[axis], 1), (before, size[0])
        before = 1
    else:
        images, wanted = arrays.reshape(count * before, dims[axis], after, 1), (size[0], after)
    own = {}
    for name, value, stays, width in (
        ("shapes", shapes, kept, 1),
        ("extents", extents, kept, 1),
        ("region", region, (0, kept), 2),
    ):
        own[name] = None
        if value is None:
            continue
        value = jnp.asarray(value)
        if kept is not None:
            other = jnp.zeros((count, width), value.dtype) + jnp.asarray(stays, value.dtype)
            value = jnp.concatenate([other, value] if after == 1 else [value, other], axis=1)
        own[name] = jnp.repeat(value, before, axis=0)
    if own["shapes"] is not None:
        channels = jnp.full((len(images), 1), images.shape[3], jnp.int32)
        own["shapes"] = jnp.concatenate([own["shapes"], channels], axis=1)
    if all(is_exact(*pair) for pair in zip(images.shape[1:3], wanted, strict=True)):
        found = resize(images, wanted, **own, dtype=dtype, **options)
    else:  # whose weights are not integers
        made = own["extents"]
        made = jnp.broadcast_to(jnp.asarray(wanted, jnp.int32), (len(images), 2)) if made is None else made
        filters = check_filter(options["min_filter"], ""), check_filter(options["mag_filter"], "")
        part = None if own["region"] is None else to_float32(own["region"])
        given = {"antialias": options["antialias"], "filters": filters, "region": part, "extents": made}
        found = resize_pixels(images, wanted, own["shapes"], dtype=dtype, **given)
    return found.reshape(result)


def flip_axes(arrays: jax.Array, mirrors: Any, shapes: Any = None) -> jax.Array:
    """Mirrors samples along some of their axes.

    Args:
        arrays: `[N, ...]`
        mirrors: for each axis of a sample `bool[N]`, or None: it is not mirrored.
        shapes: `int32[N, ndim]`, extents of each sample in the corner of its row; it is mirrored within them. None: it
            fills the row.
    """
    for axis, mirror in enumerate(mirrors):
        if mirror is None:
            continue
        here = 1 + axis
        extent: Any = arrays.shape[here] if shapes is None else shapes[:, axis].reshape(-1, 1)
        place = jax.lax.broadcasted_iota(jnp.int32, (len(arrays), arrays.shape[here]), 1)
        place = jnp.where(jnp.asarray(mirror).reshape(-1, 1) & (place < extent), extent - 1 - place, place)
        along = [1] * arrays.ndim
        along[0], along[here] = place.shape
        arrays = jnp.take_along_axis(arrays, place.reshape(along), axis=here)
    return arrays
