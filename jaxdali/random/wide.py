"""Whole numbers of 64 bits as pairs of uint32, (high, low): JAX has no others without x64.

Only integer operations, so every platform gives the same.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

__all__ = ["multiply", "multiply_high", "ratio16", "shift_right", "square_root"]

Wide = tuple[jax.Array, jax.Array]


def multiply(a, b) -> Wide:
    """`a * b` of uint32 arrays, whole."""
    a_high, a_low, b_high, b_low = a >> 16, a & 0xFFFF, b >> 16, b & 0xFFFF
    low, middle, other = a_low * b_low, a_high * b_low, a_low * b_high
    carried = (low >> 16) + (middle & 0xFFFF) + (other & 0xFFFF)
    high = a_high * b_high + (middle >> 16) + (other >> 16) + (carried >> 16)
    return high, (carried << 16) | (low & 0xFFFF)


def multiply_high(a, b) -> jax.Array:
    """`a * b >> 32`: where `a` is 32 random bits, one of the numbers below `b`."""
    return multiply(a, b)[0]


def shift_right(value: Wide, bits: int, *, rounded: bool = False) -> jax.Array:
    """`value >> bits`, for 1 to 31 bits, or the nearest integer, halves up. It must fit uint32."""
    high, low = value
    if rounded:
        sum_ = low + jnp.uint32(1 << (bits - 1))
        high, low = high + (sum_ < low).astype(jnp.uint32), sum_
    return (high << (32 - bits)) | (low >> bits)


def square_root(value: Wide) -> jax.Array:
    """The integer part of the square root of a number below 2**58, digit by digit."""
    high, low = value

    def add_digit(step, state):
        root, rest = state
        place = (jnp.uint32(56) - 2 * step.astype(jnp.uint32)) & 31
        digits = jnp.where(step < 13, high >> place, low >> place) & 3
        rest = (rest << 2) | digits
        trial = (root << 2) | 1
        fits = rest >= trial
        return (root << 1) | fits.astype(jnp.uint32), rest - jnp.where(fits, trial, 0)

    zero = low * 0  # lies where the operand lies
    return lax.fori_loop(0, 29, add_digit, (zero, zero))[0]


def ratio16(a, b) -> jax.Array:
    """The integer part of `2**16 * min(a / b, 1)` for numbers below 2**31, bit by bit; 1 where `b` is 0."""

    def add_bit(_, state):
        quotient, rest = state
        rest = rest << 1
        fits = rest >= b
        return (quotient << 1) | fits.astype(jnp.uint32), rest - jnp.where(fits, b, 0)

    quotient, _ = lax.fori_loop(0, 16, add_bit, (b * 0, jnp.minimum(a, b)))
    return jnp.where(a >= b, jnp.uint32(1 << 16), quotient)
