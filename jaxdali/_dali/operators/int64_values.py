"""64-bit integers, which JAX has with x64 only: without it they are computed in 32 bits."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from .values import Context

__all__ = ["narrow_integers", "require_held", "wide_type"]


def narrow_integers(dtype: np.dtype) -> np.dtype | None:
    """Returns the type in which JAX computes an integer type; None if JAX has that type, or it is not an integer type."""
    import jax

    narrow = np.dtype(jax.dtypes.canonicalize_dtype(dtype))
    return narrow if dtype.kind in "iu" and narrow != dtype else None


def wide_type(dtype: np.dtype) -> np.dtype | None:
    """Returns a type of 64 bits that JAX has in 32, see `BatchValue.wide`; None for others."""
    import jax

    return None if np.dtype(jax.dtypes.canonicalize_dtype(dtype)) == dtype else dtype


def require_held(context: Context, numbers: Any, narrow: np.dtype) -> None:
    """Requires of `context` that numbers, `[N, ...]`, fit into a type that stands for a wider one. Floats always do."""
    import jax.numpy as jnp

    if narrow.kind not in "iu":
        return
    limits = np.iinfo(cast(Any, narrow))
    if numbers.dtype.kind == "b" or np.can_cast(numbers.dtype, narrow):
        return
    if jnp.issubdtype(numbers.dtype, jnp.floating):
        # The limits are powers of two, which float32 holds exactly. NaN becomes 0, and so do negative numbers in
        # unsigned types.
        values = numbers.astype(jnp.float32)
        held = ~(values >= float(limits.max + 1))
        held &= ~(values < float(limits.min)) if narrow.kind == "i" else True
    else:  # all unsigned types start at 0
        held = numbers <= limits.max if numbers.dtype.kind == "u" else jnp.ones((), bool)
    context.require(
        jnp.broadcast_to(held, numbers.shape).reshape(len(numbers), -1).all(axis=1),
        f"{context.call.operator.display_name} makes integers of 64 bits, of which JAX keeps 32 without jax_enable_x64, and "
        "a number does not fit; set it, or make the numbers smaller",
    )
