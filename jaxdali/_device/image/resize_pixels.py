"""Resizes with jax.numpy; linear filters use integer weights, which give DALI's LINEAR with antialiasing."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxdali.errors import ConfigError
from ..ffi.recipes import Filter
from .convert import round_to_dtype
from .exact_arithmetic import product, quotient, to_float32
from .image_arguments import along_batch
from .resample import resample

__all__ = ["resize_pixels"]

_LINEAR = (Filter.LINEAR, Filter.LINEAR)

# Terms of a sum that are unrolled while tracing; a longer sum is a loop over blocks of this many.
_UNROLLED = 8


def resize_pixels(
    images, size, shapes=None, *, antialias: bool = True, dtype=None, filters=_LINEAR, region=None, extents=None
) -> jax.Array:
    """`jaxdali.image.resize` with jax.numpy, for arguments that were checked."""
    height, width = size
    target = images.dtype if dtype is None else dtype
    _, canvas_height, canvas_width, _ = images.shape
    if extents is not None or region is not None or not set(filters) <= {Filter.LINEAR, Filter.TRIANGULAR}:
        sources = np.asarray([[canvas_height, canvas_width]], np.int32) if shapes is None else shapes
        sources = along_batch(sources, images)[:, :2]
        return _resize_each(images, (height, width), sources, extents, region, filters, antialias, target)
    out = images
    for axis, extent_in, extent_out in ((1, canvas_height, height), (2, canvas_width, width)):
        if shapes is None:
            if extent_in == extent_out:
                continue  # all weights would be 0 or 1
            extents = jnp.full((1, 1, 1), extent_in, jnp.int32)
        else:
            extents = along_batch(shapes, images)[:, axis - 1].reshape(-1, 1, 1)
        first, weights = _taps(extents, extent_in, extent_out, antialias)
        out = _weigh(out, axis, first, weights)
    return round_to_dtype(out.astype(jnp.float32), target)


def _resize_each(images, size, sources, extents, region, filters, antialias: bool, target) -> jax.Array:
    """`resize` implemented with `resample`."""
    samples = images.shape[0]
    for name, value, columns in (("extents", extents, 2), ("region", region, 4)):
        if value is not None and np.shape(value) != (samples, columns):
            raise ConfigError(f"{name} have shape {np.shape(value)} for {samples} images; expected [N, {columns}].")
    region = None if region is None else along_batch(to_float32(region), images)
    if extents is None:
        out = resample(images, size, sources, size, region=region, filters=filters, antialias=antialias)
        return round_to_dtype(out, target)
    own = along_batch(extents, images)
    out = resample(images, size, sources, own, region=region, filters=filters, antialias=antialias)
    rows, columns = (lax.broadcasted_iota(jnp.int32, (samples, *size, 1), axis) for axis in (1, 2))
    inside = (rows < own[:, 0].reshape(-1, 1, 1, 1)) & (columns < own[:, 1].reshape(-1, 1, 1, 1))
    return round_to_dtype(jnp.where(inside, out, jnp.zeros_like(out)), target)


def _taps(extent, canvas: int, out: int, antialias: bool) -> tuple[jax.Array, jax.Array]:
    """Which source pixels each result pixel weighs along one axis, and by how much.

    All lengths are multiplied by `2 * out`, which makes centres, distances and weights integers:
    the centre of result pixel i is `(2i + 1) * extent - out`, a source pixel is `step = 2 * out`,
    and the radius is `reach = 2 * max(extent, out)`. So they are the same on every platform.

    Args:
        extent: `int32[N, 1, 1]`, number of source pixels; 0 makes all weights 0.
        canvas: an upper limit of the extents.
        out: pixels of the result.

    Returns:
        `int32[N, out]`, the first source pixel j of each result; and `float32[N, out, count]`, the weights
        of `j`, `j + 1`, ..., which add up to 1. Pixels from `extent` on have weight 0.
    """
    step = 2 * out
    count = -(-4 * max(canvas, out) // step) if antialias else 2
    reach = 2 * jnp.maximum(extent, out) if antialias else jnp.full_like(extent, 2 * out)
    i = lax.broadcasted_iota(jnp.int32, (1, out, 1), 1)
    k = lax.broadcasted_iota(jnp.int32, (1, 1, count), 2)
    center = (2 * i + 1) * extent - out
    first = jnp.maximum((center - reach) // step + 1, 0)
    j = first + k
    taps = jnp.maximum(reach - jnp.abs(center - step * j), 0).astype(jnp.uint32)
    before = _sum_beyond(reach - center, step)
    after = _sum_beyond(reach - (step * (extent - 1) - center), step)
    none = jnp.uint32(0)
    taps = taps + jnp.where(j == 0, before, none) + jnp.where(j == extent - 1, after, none)
    taps = jnp.where(j < extent, taps, none)
    total = jnp.maximum(jnp.sum(taps, axis=2, keepdims=True, dtype=jnp.uint32), 1)
    return first[:, :, 0], quotient(taps.astype(jnp.float32), total.astype(jnp.float32))


def _sum_beyond(height, step: int) -> jax.Array:
    """Sum of the positive values among `height - step`, `height - 2 * step`, ...: the taps beyond an edge, uint32."""
    count = (jnp.maximum(height, 0) // step).astype(jnp.uint32)
    # Intermediate values may wrap around, but the result fits.
    return count * height.astype(jnp.uint32) - jnp.uint32(step // 2) * count * (count + 1)


def _weigh(images, axis: int, first, weights) -> jax.Array:
    """Sums `weights[:, i, k] * images[first[:, i] + k]` along an axis, float32, k ascending."""
    samples, extent_out, count = weights.shape
    shape = [samples, 1, 1, 1]
    shape[axis] = extent_out
    last = images.shape[axis] - 1

    def term(k):
        index = jnp.minimum(first + k, last)
        if samples == 1:
            pixels = jnp.take(images, index[0], axis=axis)
        else:
            pixels = jnp.take_along_axis(images, index.reshape(shape), axis=axis)
        # The last block may have too many terms; these have weight 0.
        weight = jnp.where(k < count, weights[:, :, jnp.minimum(k, count - 1)], jnp.float32(0))
        return product(pixels.astype(jnp.float32), weight.reshape(shape))

    def add_block(block, total):
        for offset in range(_UNROLLED):
            total = total + term(block * _UNROLLED + offset)
        return total

    total = term(0)
    for k in range(1, min(_UNROLLED, count)):
        total = total + term(k)
    return lax.fori_loop(1, -(-count // _UNROLLED), add_block, total)
