"""Resamples windows of images with jax.numpy."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from .._ffi.recipes import Filter
from ..errors import ConfigError
from .recipe import Resampling
from .resize import resize

__all__ = ["resampled"]


def resampled(images: jax.Array, extents: jax.Array, how: Resampling) -> jax.Array:
    """Images `[N, H, W, C]` of extents `int32[N, 2]`, resized, float32."""
    linear = set(how.filters) <= {Filter.LINEAR, Filter.TRIANGULAR}
    if how.size is None or how.region is not None or not linear:
        raise ConfigError(
            "on this platform, and for derivatives, images are resized to one size that is known while tracing, with the "
            "linear filter; give size=(height, width)"
        )
    shapes = jnp.concatenate([extents, extents[:, :1] * 0 + images.shape[3]], axis=1)
    return resize(images, how.size, shapes, antialias=how.antialias, dtype=jnp.float32)
