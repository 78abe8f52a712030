"""Floats of 64 bits, which JAX has with x64 only: without it programs compute them in 32 bits, and a pipeline warns."""

from __future__ import annotations

import weakref

import numpy as np

from jaxdali._base.user_warnings import warn_user
from ..graph.call import Call

__all__ = ["is_narrowed", "warn_of_narrowing"]

# The scopes of pipelines that have warned; the calls themselves if they were made in none.
_warned: weakref.WeakSet[object] = weakref.WeakSet()


def is_narrowed(dtype: np.dtype | None) -> bool:
    """Whether a type, such as `BatchValue.wide`, is that of floats which JAX has in 32 bits."""
    import jax

    return dtype is not None and dtype.kind == "f" and np.dtype(jax.dtypes.canonicalize_dtype(dtype)) != dtype


def warn_of_narrowing(call: Call) -> None:
    """Warns once in a pipeline that FLOAT64 is computed in 32 bits. It is called while programs are traced."""
    owner = call if call.scope is None else call.scope
    if owner in _warned:
        return
    _warned.add(owner)
    warn_user(
        f"FLOAT64 is computed in the 32 bits of FLOAT, first by {call.description}: JAX has 64 bits only with "
        "jax_enable_x64. What a pipeline only hands out, or gives to Python functions, keeps its 64 bits. Set "
        'jax.config.update("jax_enable_x64", True), or make the numbers float32 in the source',
        UserWarning,
    )
