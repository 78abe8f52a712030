"""The natural logarithm, with the same result on every platform."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.typing import ArrayLike

from .exact_arithmetic import product, quotient, rounded

__all__ = ["logarithm"]

# ln 2 as a sum of two float32 numbers; the first one has few bits, so its multiples are exact.
_HIGH, _LOW = np.float32(0.693359375), np.float32(np.log(2) - 0.693359375)
# Series of 2 * artanh(s) / s in powers of s * s, for s up to 0.172.
_SERIES = tuple(np.float32(2 / (2 * k + 1)) for k in range(5))
# The bits of the square root of one half. Fractions start there, so that 1 is in the middle of their range.
_BEGIN = 0x3F3504F3


def logarithm(x: ArrayLike) -> jax.Array:
    """`ln(x)` for `x: float32[...]` from 1.2e-38 to 3e38, with an absolute or relative error below 2e-7."""
    bits = lax.bitcast_convert_type(x, jnp.int32) - _BEGIN
    power = (bits >> 23).astype(jnp.float32)
    fraction = lax.bitcast_convert_type((bits & 0x7FFFFF) + _BEGIN, jnp.float32)
    part = quotient(fraction - 1, fraction + 1)
    square = product(part, part)
    total: Any = _SERIES[-1]
    for coefficient in _SERIES[-2::-1]:
        total = rounded(product(total, square) + coefficient)
    return rounded(rounded(product(total, part) + product(power, _LOW)) + product(power, _HIGH))
