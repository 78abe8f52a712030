"""Draws from Poisson distributions."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..image.exact_arithmetic import product, rounded
from ..image.exponential import exponential
from .draws import normal_of_bits, random_bits, unit_of_bits

__all__ = ["poisson"]

_STREAM = 16
# Below this mean, probabilities are added up until they exceed a uniform draw; the chance of more than _MOST events is
# below 1e-11.
_SMALL = np.float32(12)
_MOST = 44


def poisson(keys: jax.Array, mean: Array, *, shapes: Array | None = None) -> jax.Array:
    """Draws from a Poisson distribution: numbers of events, given their mean.

    Below a mean of 12, a uniform draw is looked up in the cumulative probabilities. Otherwise a normal draw is
    transformed by the first terms of the Cornish-Fisher expansion; about one draw in ten thousand is then off by one.
    There platforms may differ, because XLA's `erfinv` does.

    Args:
        keys: typed threefry keys `[N]`, e.g. from `sample_keys`.
        mean: `float32[N, ...]`, one per draw; negative values count as 0.
        shapes: `int32[N, ndim]`, the shape of each key's own draw, in the corner of its row; None: it fills its row.

    Returns:
        `float32`, of the shape of `mean`: whole numbers.

    Raises:
        ConfigError: a shape does not fit.
    """
    if np.ndim(mean) < 1 or len(mean) != len(keys):
        raise ConfigError(f"mean has shape {np.shape(mean)} for {len(keys)} keys; expected [N, ...].")
    mean = jnp.maximum(jnp.asarray(mean, jnp.float32), 0)
    bits = random_bits(keys, _STREAM, mean.shape[1:], shapes)
    return jnp.where(mean < _SMALL, _counted(mean, unit_of_bits(bits)), _of_normal(mean, normal_of_bits(bits)))


def _counted(mean, unit):
    mean = jnp.minimum(mean, _SMALL)
    part = exponential(-mean)
    total, found = part, jnp.zeros_like(mean)
    for events in range(1, _MOST + 1):
        found = found + (unit >= total).astype(jnp.float32)
        part = product(part, product(mean, np.float32(1 / events)))
        total = rounded(total + part)
    return found


def _of_normal(mean, normal):
    root = jnp.sqrt(jnp.maximum(mean, _SMALL))
    square = normal * normal
    terms = (
        mean + root * normal,
        np.float32(1 / 3) + square * np.float32(1 / 6),
        -normal * (np.float32(1 / 36) + square * np.float32(1 / 72)) / root,
        (np.float32(-8 / 405) + square * (np.float32(7 / 810) + square * np.float32(1 / 270))) / (root * root),
    )
    return jnp.maximum(jnp.floor(sum(terms)), 0)
