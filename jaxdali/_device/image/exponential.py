"""The exponential function, with the same result in NumPy and on every platform."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from .exact_arithmetic import product, rounded
from .image_arguments import is_host
from .recipe import numpy_of

__all__ = ["exponential"]

_LEAST = np.float32(-87)
# ln 2 as a sum of two float32 numbers; the first one has few bits, so its multiples are exact.
_HIGH, _LOW = np.float32(0.693359375), np.float32(np.log(2) - 0.693359375)
# Taylor series of exp(x), for x up to ln(2) / 2.
_SERIES = tuple(np.float32(value) for value in (1, 1, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040))


def exponential(x: ArrayLike) -> jax.Array | np.ndarray:
    """`exp(x)` for `x: float32[...]` of at most 0, with an error below 2e-7; 0 below -87."""
    xp = numpy_of(x)
    bounded = xp.maximum(x, _LEAST)
    power = xp.floor(product(bounded, np.float32(1 / np.log(2))) + np.float32(0.5))
    rest = rounded(rounded(bounded - product(power, _HIGH)) - product(power, _LOW))
    total = _SERIES[-1]
    for coefficient in _SERIES[-2::-1]:
        total = rounded(product(total, rest) + coefficient)
    found = product(total, _power_of_two(power))
    return xp.where(x < _LEAST, np.float32(0), found)


def _power_of_two(exponent: Array) -> jax.Array | np.ndarray:
    """2 to the power of integers from -126 to 127."""
    if is_host(exponent):
        return ((np.asarray(exponent).astype(np.int32) + 127) << 23).view(np.float32)
    return lax.bitcast_convert_type((exponent.astype(jnp.int32) + 127) << 23, jnp.float32)
