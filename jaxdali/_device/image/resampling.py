"""Resamples windows of images with jax.numpy."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from ..ffi.recipes import Filter
from .recipe import Resampling, Size
from .resample import resample
from .resize_pixels import resize_pixels

__all__ = ["resampled"]


def resampled(
    images: jax.Array, size: Size, extents: jax.Array, how: Resampling, virtual: jax.Array, result: jax.Array | None
) -> jax.Array:
    """Resizes images `[N, H, W, C]` of extents `int32[N, 2]`; returns float32.

    Args:
        size: of the result's canvas.
        virtual: `int32[N, 2]`, what they are resized to.
        result: `int32[N, 4]`, windows of the resized images; None: all of them. What is outside an image is undefined.
    """
    linear = set(how.filters) <= {Filter.LINEAR, Filter.TRIANGULAR}
    if how.size is not None and how.region is None and linear and result is None:
        shapes = jnp.concatenate([extents, extents[:, :1] * 0 + images.shape[3]], axis=1)
        return resize_pixels(images, how.size, shapes, antialias=how.antialias, dtype=jnp.float32)
    region = (
        None if how.region is None else jnp.asarray(how.region, jnp.float32) + (0 * extents[:, :1]).astype(jnp.float32)
    )
    corner = None if result is None else result[:, :2]
    wanted = virtual if how.size is None else how.size
    options = {"region": region, "corner": corner, "filters": how.filters, "antialias": how.antialias}
    return resample(images, size, extents, wanted, **options)
