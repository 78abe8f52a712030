"""Arithmetic that rounds step by step, as NumPy and C++ without contraction do.

A formula such as `shift + brightness * x` is promised to give the same float32 number eagerly,
inside any jit and in NumPy. Compilers break that promise in two ways, both measured on XLA's CPU
backend:

* A product whose only use is an addition is contracted with it to one fused multiply-add, which
  skips the rounding of the product. `lax.reduce_precision` and `lax.optimization_barrier` do not
  prevent it, for XLA removes them before LLVM sees the pair. A `max` with the most negative finite
  number between the two does: it changes no number but minus infinity, and no pass can know that
  the product is not minus infinity. (`max` with -inf is simplified away.)
* `x / d` with a broadcast or constant `d` becomes `x * (1 / d)`, which rounds twice: 49 / 49 is not
  1. A divisor that seems to depend on the element of `x` is left alone.

The promise leaves out what no image holds: minus infinity as a product becomes -3.4e38, the sign of
a zero is free, and numbers below 1.2e-38 (subnormal) may become zero.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

__all__ = ["product", "quotient", "rounded", "to_float32"]

_MOST_NEGATIVE = np.finfo(np.float32).min


def rounded(x):
    """`x: float32`, whatever made it, as a number that was rounded before its next use."""
    if not isinstance(x, jax.Array):
        return x  # a NumPy value is one already
    return lax.max(x, jnp.full_like(x, _MOST_NEGATIVE))


def product(a, b):
    """`a * b` in float32, rounded before its next use. Shapes broadcast."""
    return rounded(a * b)


def quotient(a, b):
    """`a / b` in float32, rounded once. Shapes broadcast. For small arrays: division is slow."""
    if not (isinstance(a, jax.Array) or isinstance(b, jax.Array)):
        return np.divide(a, b)
    a = jnp.asarray(a)
    return a / jnp.where(jnp.isnan(a), np.float32(np.nan), b)


def to_float32(x):
    """`x` as float32. A floating array may be somebody's product that is not rounded yet."""
    if not isinstance(x, jax.Array):
        return np.asarray(x, np.float32)
    converted = x.astype(jnp.float32)
    return rounded(converted) if jnp.issubdtype(x.dtype, jnp.floating) else converted
