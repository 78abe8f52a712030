"""Arrays that are computed once, whatever reads them."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from jax.typing import ArrayLike

from ..aliases import Array

__all__ = ["held"]


def held(array: jax.Array) -> jax.Array:
    """The array, `[N, ...]`, in memory before anything reads it.

    XLA's compiler for CPUs fuses what makes an array with what reads it, also where it is read several times at places that
    are looked up: each time it would be computed anew, with all that it was made of. A GPU's does so for what is cheap
    alone. It fuses nothing with a loop, and takes out those that only copy a whole array; so this one copies row by row.
    """
    if array.size == 0:
        return array
    return lax.platform_dependent(array, cpu=_copied, default=lambda array: array)


def _copied(array: jax.Array) -> jax.Array:
    def copy(row: ArrayLike, made: ArrayLike) -> Array:
        return lax.dynamic_update_index_in_dim(made, lax.dynamic_index_in_dim(array, row, keepdims=False), row, 0)

    return lax.fori_loop(0, array.shape[0], copy, jnp.zeros_like(array))
