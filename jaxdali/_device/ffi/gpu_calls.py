"""The custom calls that only GPUs have, as Python functions."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp

from . import load

__all__ = ["GPU_TARGETS", "clips"]

_CLIPS_TARGET = "jaxdali_clips_v1"

GPU_TARGETS = frozenset({_CLIPS_TARGET})


def clips(ticket: jax.Array, shape: Sequence[int]) -> jax.Array:
    """Binds `jaxdali_clips_v1`: the frames of clips that the video engines of a GPU decode.

    Args:
        ticket: `uint8[1, 64]` in the device's host memory, by `ClipsJob.ticket`; every clip must have its frames.
        shape: the shape that the clips are decoded for: `[N, T, H, W, 3]`.

    Returns:
        `uint8[N, T, H, W, 3]`, RGB.
    """
    load.register_targets()
    return jax.ffi.ffi_call(_CLIPS_TARGET, jax.ShapeDtypeStruct(tuple(shape), jnp.uint8))(ticket)
