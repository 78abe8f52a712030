"""Sine and cosine with the same result in NumPy and on every platform."""

from __future__ import annotations

import numpy as np
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from .exact_arithmetic import product, rounded
from .recipe import numpy_of

__all__ = ["sine_and_cosine"]

# pi / 180 as a sum of two float32 numbers.
_HIGH = np.float32(np.pi / 180)
_LOW = np.float32(np.pi / 180 - float(_HIGH))
# Taylor series of sin(x) / x and cos(x) in powers of x * x, up to 45 degrees.
_SINE = tuple(np.float32(value) for value in (1.0, -1 / 6, 1 / 120, -1 / 5040, 1 / 362880))
_COSINE = tuple(np.float32(value) for value in (1.0, -1 / 2, 1 / 24, -1 / 720, 1 / 40320))


def sine_and_cosine(degrees: ArrayLike) -> tuple[Array, Array]:
    """Sine and cosine of angles `float32[...]` below 2**20 degrees; for NumPy values in NumPy, with the same bits as
    JAX.

    Errors are below 2e-7, and multiples of 90 degrees are exact. The platforms' own functions differ in the last place,
    which would move a pixel here and there.
    """
    xp = numpy_of(degrees)
    quarter = xp.floor(product(degrees, np.float32(1 / 90)) + np.float32(0.5))
    # Exact: at most 45 or so, in units of the angle's last place.
    rest = rounded(degrees - product(quarter, np.float32(90)))
    x = rounded(product(rest, _HIGH) + product(rest, _LOW))
    square = product(x, x)
    sine, cosine = product(x, _series(_SINE, square)), _series(_COSINE, square)
    turn = rounded(quarter - product(np.float32(4), xp.floor(product(quarter, np.float32(0.25)))))
    swapped = (turn == 1) | (turn == 3)
    one, other = xp.where(swapped, cosine, sine), xp.where(swapped, sine, cosine)
    return xp.where(turn >= 2, -one, one), xp.where((turn == 1) | (turn == 2), -other, other)


def _series(coefficients: tuple[np.float32, ...], x: ArrayLike) -> Array:
    """Evaluates a polynomial, rounding after each step."""
    total = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        total = rounded(product(total, x) + coefficient)
    return total
