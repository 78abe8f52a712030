"""Volumes: what is done to images along two axes, along three."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..errors import ConfigError
from .arguments import check_number, is_host
from .convert import check_dtype, round_to_dtype
from .filters import check_filter
from .resample import resample_axis
from .resize import resize
from .taps import Axis

__all__ = ["check_volumes", "flip_volumes", "resize_volumes"]


def check_volumes(volumes: Any, shapes: Any = None) -> jax.Array:
    """`volumes` as an array `[N, D, H, W, C]`.

    Raises:
        ConfigError: it is none, or `shapes` are not those of its samples.
    """
    if np.ndim(volumes) != 5:
        raise ConfigError(f"volumes have shape {np.shape(volumes)}; expected [N, D, H, W, C].")
    if shapes is not None and np.shape(shapes) != (len(volumes), 4):
        raise ConfigError(
            f"shapes have shape {np.shape(shapes)} for {len(volumes)} volumes; expected [N, 4] (depth, height, width, "
            "channels)."
        )
    return jnp.asarray(volumes)


def flip_volumes(volumes, horizontal=0, vertical=0, depthwise=0, shapes=None) -> jax.Array:
    """Mirrors volumes along their axes.

    Args:
        volumes: `[N, D, H, W, C]`, any dtype.
        horizontal, vertical, depthwise: flags, a scalar or `[N]`; 0 leaves the axis as it is.
        shapes: `int32[N, 4]` (depth, height, width, channels) of each volume in the corner of its row, within which it is
            mirrored; None: it fills the row.

    Returns:
        An array like `volumes`.

    Raises:
        ConfigError: a shape does not fit.
    """
    volumes = check_volumes(volumes, shapes)
    for axis, name, flag in ((1, "depthwise", depthwise), (2, "vertical", vertical), (3, "horizontal", horizontal)):
        check_number(flag, name)
        if np.shape(flag) not in ((), (len(volumes),)):
            raise ConfigError(
                f"{name} has shape {np.shape(flag)} for {len(volumes)} volumes; expected a scalar or one a sample, [N]."
            )
        if is_host(flag) and not np.any(flag):
            continue
        mirrors = (jnp.asarray(flag) != 0).reshape(-1, 1)
        extent: Any = volumes.shape[axis] if shapes is None else shapes[:, axis - 1].reshape(-1, 1)
        place = lax.broadcasted_iota(jnp.int32, (len(volumes), volumes.shape[axis]), 1)
        place = jnp.where(mirrors & (place < extent), extent - 1 - place, place)
        along = [1] * volumes.ndim
        along[0], along[axis] = place.shape
        volumes = jnp.take_along_axis(volumes, place.reshape(along), axis=axis)
    return volumes


def resize_volumes(
    volumes,
    size,
    shapes=None,
    *,
    antialias: bool = True,
    dtype=None,
    min_filter: str = "linear",
    mag_filter: str = "linear",
    region=None,
    extents=None,
) -> jax.Array:
    """Resizes each volume to the same size, or to extents of its own; `jaxdali.image.resize` along three axes.

    Height and width come first, then the depth; between them numbers are float32.

    Args:
        volumes: `[N, D, H, W, C]`, integer or floating.
        size: (depth, height, width) of the result, known while tracing.
        shapes: `int32[N, 4]` (depth, height, width, channels) of each volume; None: it fills its row.
        antialias, dtype, min_filter, mag_filter: as for `resize`.
        region: `float32[N, 6]`, z_lo, z_hi, y_lo, y_hi, x_lo, x_hi: the part that is resized; None: all of it.
        extents: `int32[N, 3]`, depth, height and width that each volume gets, at most `size`; zeros outside. None: `size`.

    Returns:
        `dtype[N, *size, C]`.

    Raises:
        ConfigError: a shape does not fit, or a filter is none of those of `resize`.
    """
    volumes = check_volumes(volumes, shapes)
    target = check_dtype(volumes.dtype if dtype is None else dtype)
    filters = check_filter(min_filter, "min_filter"), check_filter(mag_filter, "mag_filter")
    if len(size) != 3:
        raise ConfigError(f"size is {size!r}; expected (depth, height, width).")
    for name, value, columns in (("extents", extents, 3), ("region", region, 6)):
        if value is not None and np.shape(value) != (len(volumes), columns):
            raise ConfigError(
                f"{name} have shape {np.shape(value)} for {len(volumes)} volumes; expected [N, {columns}]."
            )
    samples, depth, height, width, channels = volumes.shape

    def each(value: Any, first: int) -> Any:
        """For each slice what its volume has."""
        return None if value is None else jnp.repeat(jnp.asarray(value)[:, first:], depth, axis=0)

    flat = resize(
        volumes.reshape(samples * depth, height, width, channels),
        (size[1], size[2]),
        each(shapes, 1),
        antialias=antialias,
        dtype=np.float32,
        min_filter=min_filter,
        mag_filter=mag_filter,
        region=each(region, 2),
        extents=each(extents, 1),
    )
    deep = flat.reshape(samples, depth, -1, 1)
    zero = deep[:, :1, 0, 0].astype(jnp.int32) * 0
    source = zero + depth if shapes is None else shapes[:, :1]
    wanted = zero + size[0] if extents is None else jnp.asarray(extents)[:, :1]
    part = None if region is None else (jnp.asarray(region)[:, :1], jnp.asarray(region)[:, 1:2])
    place = lax.broadcasted_iota(jnp.int32, (samples, size[0]), 1)
    known = size[0] if extents is None and region is None else None
    deep = resample_axis(deep, 1, Axis(source, wanted, part, filters, antialias), place, known)
    made = round_to_dtype(deep.reshape(samples, *size, channels), target)
    inside = (place < wanted).reshape(samples, size[0], 1, 1, 1)
    return made if extents is None else jnp.where(inside, made, jnp.zeros((), target))
