"""Numbers of arguments as DALI stores them in the type of the data: as C converts them."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["stored"]


def stored(number: Any, target: Any) -> Any:
    """Without its fraction, and without what is too much for an integer type: 300 is 44 in uint8, -7.6 is 249.

    Args:
        number: a float, an array of NumPy's, or one of JAX's.
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
