"""The resampling kernels, as tables.

DALI interpolates these tables linearly, in float32, where a textbook would evaluate a kernel. So do we, on every
platform: table look-ups need no `exp` and no `sin`, whose results differ between platforms.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from jaxdali.errors import ConfigError
from ..ffi.recipes import Filter

__all__ = ["FILTERS", "GAUSSIAN_SUPPORT", "TABLES", "Table", "check_filter", "support"]

# By the names that users give.
FILTERS = {
    "nearest": Filter.NEAREST,
    "linear": Filter.LINEAR,
    "cubic": Filter.CUBIC,
    "lanczos3": Filter.LANCZOS3,
    "triangular": Filter.TRIANGULAR,
    "gaussian": Filter.GAUSSIAN,
}

_STEPS_A_PIXEL = 32
# A Gaussian's support is computed from its sigma, as in DALI, because each rounding may decide about one tap more.
GAUSSIAN_SUPPORT = np.float32(4 * math.sqrt(2))


class Table(NamedTuple):
    """A kernel between `-radius` and `radius` pixels."""

    samples: np.ndarray
    """`float32[n]`, at equal distances."""
    radius: int


def _cubic(x: float) -> float:
    """Keys' kernel, a = -0.5."""
    x = abs(x)
    if x <= 1:
        return (1.5 * x - 2.5) * x * x + 1
    return ((-0.5 * x + 2.5) * x - 4) * x + 2 if x < 2 else 0.0


def _lanczos3(x: float) -> float:
    def sinc(x: float) -> float:
        return math.sin(math.pi * x) / (math.pi * x) if x else 1.0

    return sinc(x) * sinc(x / 3) if abs(x) < 3 else 0.0


def _sampled(kernel, radius: int) -> Table:
    half = radius * _STEPS_A_PIXEL
    samples = np.asarray([kernel(k / _STEPS_A_PIXEL) for k in range(-half, half + 1)], np.float32)
    samples.setflags(write=False)
    return Table(samples, radius)


_TRIANGLE = Table(np.asarray([0, 1, 0], np.float32), 1)

TABLES = {
    Filter.LINEAR: _TRIANGLE,
    Filter.TRIANGULAR: _TRIANGLE,
    Filter.CUBIC: _sampled(_cubic, 2),
    Filter.LANCZOS3: _sampled(_lanczos3, 3),
    Filter.GAUSSIAN: _sampled(lambda x: math.exp(-4 * x * x), 1),
}


def check_filter(value, name: str) -> Filter:
    """Returns the filter with a name in FILTERS, or raises a ConfigError."""
    if isinstance(value, str) and value in FILTERS:
        return FILTERS[value]
    raise ConfigError(f"{name} is {value!r}; expected one of {', '.join(map(repr, FILTERS))}.")


def support(filter: Filter, scale: np.float32) -> np.float32:
    """The width of a kernel's support in source pixels, float32.

    Args:
        scale: source pixels per result pixel; 1 to not widen the kernel.
    """
    width = np.float32(2) * (np.float32(TABLES[filter].radius) * np.maximum(np.float32(1), scale))
    if filter != Filter.GAUSSIAN:
        return width
    sigma = np.float32(float(width) * 0.25 / math.sqrt(2))
    return np.maximum(np.float32(1), GAUSSIAN_SUPPORT * sigma)
