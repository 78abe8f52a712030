"""64-bit integers as pairs of uint32, (high, low), because JAX has no others without x64.

Every platform gives the same results: floats are only used for an estimate, which is then corrected exactly.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

__all__ = ["multiply", "multiply_high", "ratio16", "shift_right", "square_root"]

Wide = tuple[jax.Array, jax.Array]

_TWO_32 = 4294967296.0


def multiply(a, b) -> Wide:
    """The full product of uint32 arrays."""
    a_high, a_low, b_high, b_low = a >> 16, a & 0xFFFF, b >> 16, b & 0xFFFF
    low, middle, other = a_low * b_low, a_high * b_low, a_low * b_high
    carried = (low >> 16) + (middle & 0xFFFF) + (other & 0xFFFF)
    high = a_high * b_high + (middle >> 16) + (other >> 16) + (carried >> 16)
    return high, (carried << 16) | (low & 0xFFFF)


def multiply_high(a, b) -> jax.Array:
    """`a * b >> 32`: if `a` is 32 random bits, a random number below `b`."""
    return multiply(a, b)[0]


def shift_right(value: Wide, bits: int, *, rounded: bool = False) -> jax.Array:
    """`value >> bits`, for 1 to 31 bits, optionally rounded to nearest with halves up. The result must fit uint32."""
    high, low = value
    if rounded:
        sum_ = low + jnp.uint32(1 << (bits - 1))
        high, low = high + (sum_ < low).astype(jnp.uint32), sum_
    return (high << (32 - bits)) | (low >> bits)


def square_root(value: Wide) -> jax.Array:
    """The integer part of the square root of a number below 2**58.

    A float32 root has a relative error below 2**-20 on every platform. A Newton step on the remainder leaves an error
    of at most 1, which is corrected by trying.
    """
    near = jnp.sqrt(_as_float(value))
    root = jnp.minimum(near, jnp.float32((1 << 29) - 64)).astype(jnp.uint32)
    left_high, left_low = _subtract(value, multiply(root, root))
    signed = left_high.astype(jnp.int32).astype(jnp.float32) * _TWO_32 + left_low.astype(jnp.float32)
    step = jnp.round(signed / (2 * jnp.maximum(root, 1)).astype(jnp.float32)).astype(jnp.int32)
    root = jnp.maximum(root.astype(jnp.int32) + step, 0).astype(jnp.uint32)
    return _largest(root, lambda root: _at_most(multiply(root, root), value))


def ratio16(a, b) -> jax.Array:
    """The integer part of `2**16 * min(a / b, 1)` for numbers below 2**31; 1 where `b` is 0."""
    divisor = jnp.maximum(b, 1)
    near = jnp.minimum(a.astype(jnp.float32) / divisor.astype(jnp.float32), jnp.float32(1)) * 65536
    quotient = _largest(
        near.astype(jnp.uint32), lambda quotient: _at_most(multiply(quotient, divisor), (a >> 16, a << 16))
    )
    return jnp.where(a >= b, jnp.uint32(1 << 16), quotient)


def _as_float(value: Wide) -> jax.Array:
    return value[0].astype(jnp.float32) * _TWO_32 + value[1].astype(jnp.float32)


def _subtract(a: Wide, b: Wide) -> Wide:
    """`a - b` modulo 2**64."""
    return a[0] - b[0] - (a[1] < b[1]).astype(jnp.uint32), a[1] - b[1]


def _at_most(a: Wide, b: Wide) -> jax.Array:
    return (a[0] < b[0]) | ((a[0] == b[0]) & (a[1] <= b[1]))


def _largest(near, holds) -> jax.Array:
    """The largest number for which `holds` is true; it is at most 1 away from `near`, and 0 always qualifies."""
    one = jnp.uint32(1)
    below = jnp.where(near > 0, near - one, near)
    return jnp.where(holds(near + one), near + one, jnp.where(holds(near), near, below))
