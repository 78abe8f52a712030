"""Arithmetic that rounds after each step, as NumPy and C++ without contraction do.

A formula such as `shift + brightness * x` must give the same float32 number eagerly, inside any jit, and in NumPy.
Compilers break this in three ways, as measured on XLA's CPU and GPU backends:

* A product whose only use is an addition is contracted with it to one fused multiply-add, which
  skips the rounding of the product. `lax.reduce_precision` and `lax.optimization_barrier` do not
  prevent it, because XLA removes them before LLVM sees the pair. A `max` with the most negative finite
  number between the two does: it only changes minus infinity, and no pass can prove that
  the product is not minus infinity. (`max` with -inf is simplified away.)
* `x / d` with a broadcast or constant `d` becomes `x * (1 / d)`, which rounds twice: 49 / 49 is not
  1. A divisor that seems to depend on the element of `x` is left alone. The operation that makes the divisor must be
  hidden, too: `1 / sqrt(d)` would become the reciprocal root.
* On NVIDIA GPUs XLA divides with `div.full.f32`, whose result is off by up to two units in the last place. The
  remainder, computed exactly, says how to correct it. CPUs divide exactly, and would take a hundred times as long.

Exceptions are values that no image has: minus infinity as a product becomes -3.4e38, the sign of
a zero is unspecified, and numbers below 1.2e-38 (subnormal) may become zero.
"""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

__all__ = ["aligned", "product", "product_error", "quotient", "rounded", "to_float32", "total"]

_MOST_NEGATIVE = np.finfo(np.float32).min
# CUDA C++ Programming Guide, "Floating-point functions": maximum error of x / y with -prec-div=false.
_UNITS_OFF = 2


def rounded(x):
    """Returns `x: float32` such that it is rounded before its next use, whatever computed it."""
    if not isinstance(x, jax.Array):
        return x  # a NumPy value is already rounded
    return lax.max(x, jnp.full_like(x, _MOST_NEGATIVE))


def aligned(*values):
    """Returns the values with as many axes each: axes of 1 come first. Numbers stay as they are.

    NumPy broadcasts without, and so does JAX unless it is told to refuse it (`jax_numpy_rank_promotion`).
    """
    rank = max(map(np.ndim, values))
    return [one.reshape((1,) * (rank - one.ndim) + one.shape) if 0 < np.ndim(one) < rank else one for one in values]


def product(a, b):
    """`a * b` in float32, rounded before its next use. Shapes broadcast."""
    a, b = aligned(a, b)
    return rounded(a * b)


def total(a, b):
    """`a + b` in float32, rounded before its next use. Shapes broadcast."""
    a, b = aligned(a, b)
    return rounded(a + b)


def product_error(a, b, near):
    """`a * b - near` exactly, in float32, where `near = product(a, b)`; provided that no part of it is below 1.2e-38."""
    # Dekker, "A floating-point technique for extending the available precision" (1971): each part has 12 bits, so
    # their products are exact, and so are the sums.
    a_high, b_high = _high(a), _high(b)
    a_low, b_low = a - a_high, b - b_high
    return (((a_high * b_high - near) + a_high * b_low) + a_low * b_high) + a_low * b_low


def quotient(a, b):
    """`a / b` in float32, rounded once. Shapes broadcast. For small arrays on GPUs, where it is slow."""
    if not (isinstance(a, jax.Array) or isinstance(b, jax.Array)):
        return np.divide(a, b)
    return _quotient(*jnp.broadcast_arrays(jnp.asarray(a, jnp.float32), jnp.asarray(b, jnp.float32)))


# One function for all calls, so that outside of a program each shape is compiled only once.
@functools.partial(jax.jit, inline=True)
def _quotient(a, b):
    return lax.platform_dependent(a, b, cpu=_divided, default=_divided_in_steps)


def _divided(a, b):
    near = _near(a, b)
    return jnp.where(near == 0, np.float32(0), near)  # no platform must return a negative zero


def _near(a, b):
    return a / jnp.where(jnp.isnan(a) | jnp.isnan(b), np.float32(np.nan), b)


def _divided_in_steps(a, b):
    near = _near(a, b)
    magnitude = abs(near)
    for _ in range(_UNITS_OFF):
        magnitude = _corrected(magnitude, abs(a), abs(b))
    return jnp.where(near < 0, -magnitude, magnitude)


def _corrected(q, a, b):
    """`a / b` rounded, if `q` is at most one unit off, or else one unit closer to it than `q`; all are positive."""
    near = product(q, b)
    left = (a - near) - product_error(q, b, near)
    above, below = _moved(q, 1), _moved(q, -1)
    # A quotient of two 24-bit numbers is never exactly halfway between two such numbers.
    return jnp.where(
        left > (above - q) * 0.5 * b,
        above,
        jnp.where(-left > (q - below) * 0.5 * b, below, q),
    )


def _high(x):
    """`x` without the last 12 of its 24 bits."""
    if not isinstance(x, jax.Array):
        return (np.asarray(x, np.float32).view(np.uint32) & np.uint32(0xFFFFF000)).view(np.float32)
    return lax.bitcast_convert_type(lax.bitcast_convert_type(x, jnp.uint32) & np.uint32(0xFFFFF000), jnp.float32)


def _moved(x, units: int):
    """The float32 number that many units after a positive one."""
    return lax.bitcast_convert_type(lax.bitcast_convert_type(x, jnp.int32) + units, jnp.float32)


def to_float32(x):
    """Returns `x` as float32. A floating array is rounded, because it may be a product."""
    if not isinstance(x, jax.Array):
        return np.asarray(x, np.float32)
    converted = x.astype(jnp.float32)
    return rounded(converted) if jnp.issubdtype(x.dtype, jnp.floating) else converted
