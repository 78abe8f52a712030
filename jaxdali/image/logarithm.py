"""The natural logarithm, the same number on every platform."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.typing import ArrayLike

from .exact_arithmetic import product, quotient, rounded

__all__ = ["logarithm"]

# ln 2 as a sum of two float32 numbers, of which the first has few bits: its multiples are exact.
_HIGH, _LOW = np.float32(0.693359375), np.float32(np.log(2) - 0.693359375)
# Of 2 * artanh(s) / s in s * s, for s up to 0.172.
_SERIES = tuple(np.float32(2 / (2 * k + 1)) for k in range(5))
# The bits of the square root of a half: where the fraction begins, and that of 1 is in its middle.
_BEGIN = 0x3F3504F3


def logarithm(x: ArrayLike) -> jax.Array:
    """`ln(x)` of `x: float32[...]` from 1.2e-38 to 3e38, within 2e-7 of it, or of 2e-7 of its size."""
    bits = lax.bitcast_convert_type(x, jnp.int32) - _BEGIN
    power = (bits >> 23).astype(jnp.float32)
    fraction = lax.bitcast_convert_type((bits & 0x7FFFFF) + _BEGIN, jnp.float32)
    part = quotient(fraction - 1, fraction + 1)
    square = product(part, part)
    total: Any = _SERIES[-1]
    for coefficient in _SERIES[-2::-1]:
        total = rounded(product(total, square) + coefficient)
    return rounded(rounded(product(total, part) + product(power, _LOW)) + product(power, _HIGH))
