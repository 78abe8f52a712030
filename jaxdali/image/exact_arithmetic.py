"""Arithmetic that rounds step by step, as NumPy and C++ without contraction do.

A formula such as `shift + brightness * x` is promised to give the same float32 number eagerly,
inside any jit and in NumPy. Compilers break that promise in three ways, measured on XLA's CPU and GPU
backends:

* A product whose only use is an addition is contracted with it to one fused multiply-add, which
  skips the rounding of the product. `lax.reduce_precision` and `lax.optimization_barrier` do not
  prevent it, for XLA removes them before LLVM sees the pair. A `max` with the most negative finite
  number between the two does: it changes no number but minus infinity, and no pass can know that
  the product is not minus infinity. (`max` with -inf is simplified away.)
* `x / d` with a broadcast or constant `d` becomes `x * (1 / d)`, which rounds twice: 49 / 49 is not
  1. A divisor that seems to depend on the element of `x` is left alone. Nor may it be seen what the divisor is made by:
  `1 / sqrt(d)` would become the reciprocal root.
* On NVIDIA GPUs XLA divides with `div.full.f32`, whose result is off by up to two units in the last place. What is left
  of the dividend, computed exactly, says which way to go. CPUs divide exactly, and would take a hundred times as long.

The promise leaves out what no image holds: minus infinity as a product becomes -3.4e38, the sign of
a zero is free, and numbers below 1.2e-38 (subnormal) may become zero.
"""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

__all__ = ["product", "product_error", "quotient", "rounded", "to_float32"]

_MOST_NEGATIVE = np.finfo(np.float32).min
# CUDA C++ Programming Guide, "Floating-point functions": maximum error of x / y with -prec-div=false.
_UNITS_OFF = 2


def rounded(x):
    """`x: float32`, whatever made it, as a number that was rounded before its next use."""
    if not isinstance(x, jax.Array):
        return x  # a NumPy value is one already
    return lax.max(x, jnp.full_like(x, _MOST_NEGATIVE))


def product(a, b):
    """`a * b` in float32, rounded before its next use. Shapes broadcast."""
    return rounded(a * b)


def product_error(a, b, near):
    """`a * b - near`, exactly, of `near = product(a, b)`, in float32; while no part of it is below 1.2e-38."""
    # Dekker, "A floating-point technique for extending the available precision" (1971): each part has 12 bits, so
    # their products are exact, and so are the sums.
    a_high, b_high = _high(a), _high(b)
    a_low, b_low = a - a_high, b - b_high
    return (((a_high * b_high - near) + a_high * b_low) + a_low * b_high) + a_low * b_low


def quotient(a, b):
    """`a / b` in float32, rounded once. Shapes broadcast. For small arrays on GPUs: there division is slow."""
    if not (isinstance(a, jax.Array) or isinstance(b, jax.Array)):
        return np.divide(a, b)
    return _quotient(*jnp.broadcast_arrays(jnp.asarray(a, jnp.float32), jnp.asarray(b, jnp.float32)))


# One function for all calls, so that each shape is compiled once where it is called outside of a program.
@functools.partial(jax.jit, inline=True)
def _quotient(a, b):
    return lax.platform_dependent(a, b, cpu=_divided, default=_divided_in_steps)


def _divided(a, b):
    near = _near(a, b)
    return jnp.where(near == 0, np.float32(0), near)  # no platform has a zero with a sign


def _near(a, b):
    return a / jnp.where(jnp.isnan(a) | jnp.isnan(b), np.float32(np.nan), b)


def _divided_in_steps(a, b):
    near = _near(a, b)
    magnitude = abs(near)
    for _ in range(_UNITS_OFF):
        magnitude = _corrected(magnitude, abs(a), abs(b))
    return jnp.where(near < 0, -magnitude, magnitude)


def _corrected(q, a, b):
    """`a / b` rounded, or one unit nearer to it than `q` is; all positive."""
    near = product(q, b)
    left = (a - near) - product_error(q, b, near)
    above, below = _moved(q, 1), _moved(q, -1)
    # A quotient of two numbers of 24 bits is never in the middle of two such numbers.
    return jnp.where(
        left > (above - q) * 0.5 * b,
        above,
        jnp.where(-left > (q - below) * 0.5 * b, below, q),
    )


def _high(x):
    """`x` without the last 12 bits of its 24."""
    if not isinstance(x, jax.Array):
        return (np.asarray(x, np.float32).view(np.uint32) & np.uint32(0xFFFFF000)).view(np.float32)
    return lax.bitcast_convert_type(lax.bitcast_convert_type(x, jnp.uint32) & np.uint32(0xFFFFF000), jnp.float32)


def _moved(x, units: int):
    """The float32 number so many units behind a positive one."""
    return lax.bitcast_convert_type(lax.bitcast_convert_type(x, jnp.int32) + units, jnp.float32)


def to_float32(x):
    """`x` as float32. A floating array may be somebody's product that is not rounded yet."""
    if not isinstance(x, jax.Array):
        return np.asarray(x, np.float32)
    converted = x.astype(jnp.float32)
    return rounded(converted) if jnp.issubdtype(x.dtype, jnp.floating) else converted
