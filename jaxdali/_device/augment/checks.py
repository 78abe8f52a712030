"""Checks the arguments of augmentations."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxdali.errors import ConfigError

__all__ = ["check_batch"]


def check_batch(images, keys, display_name: str) -> jax.Array:
    """Returns the images as `uint8[N, H, W, 3]`, with one key each.

    Raises:
        ConfigError: the images or keys have another shape or type.
    """
    images = jnp.asarray(images)
    if images.ndim != 4 or images.dtype != jnp.uint8 or images.shape[3] != 3:
        raise ConfigError(
            f"{display_name} expected images uint8[N, H, W, 3], got {images.dtype}{list(images.shape)}: augment before "
            "they are "
            "normalized"
        )
    if jnp.shape(keys) != images.shape[:1]:
        raise ConfigError(
            f"{display_name} expected a key per sample, [{len(images)}], got keys of shape {list(jnp.shape(keys))}"
        )
    return images
