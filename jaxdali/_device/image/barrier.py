"""Arrays that are computed once, however often they are read."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array

__all__ = ["materialize"]


def materialize(array: jax.Array) -> jax.Array:
    """Returns the array, `[N, ...]`, held in memory: it is computed completely before anything reads it.

    XLA's CPU compiler fuses the producer of an array with its readers, even with several gathers: each would compute
    everything anew. Its GPU compiler does so only for cheap producers. XLA fuses nothing with a loop, but removes loops
    that just copy a whole array, so this one copies row by row.
    """
    if array.size == 0:
        return array
    return lax.platform_dependent(array, cpu=_copied, default=lambda array: array)


def _copied(array: jax.Array) -> jax.Array:
    def copy(row: ArrayLike, made: ArrayLike) -> Array:
        return lax.dynamic_update_index_in_dim(made, lax.dynamic_index_in_dim(array, row, keepdims=False), row, 0)

    return lax.fori_loop(0, array.shape[0], copy, jnp.zeros_like(array))
