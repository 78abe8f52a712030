"""Converts numbers of arguments to the type of the data as DALI does: by C's rules."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["stored"]


def stored(number: Any, target: Any) -> Any:
    """Drops the fraction, and wraps around what is outside the range of an integer type: 300 becomes 44 in uint8, -7.6
    becomes 249.

    Args:
        number: a float, or a NumPy or JAX array.
        target: the type.
    """
    target = np.dtype(target)
    if target.kind not in "iu":
        return np.asarray(number, target) if isinstance(number, int | float | np.ndarray) else number.astype(target)
    if isinstance(number, int | float | np.ndarray):
        whole = np.clip(np.trunc(np.asarray(number, np.float64)), -(2.0**62), 2.0**62)
        return whole.astype(np.int64).astype(target)
    import jax.numpy as jnp

    return jnp.clip(jnp.trunc(number), -(2.0**30), 2.0**30).astype(np.int32).astype(target)
