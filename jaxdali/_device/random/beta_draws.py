"""Draws from beta distributions."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..image.exact_arithmetic import product, quotient, rounded
from ..image.exponential import exponential
from ..image.logarithm import logarithm
from .draw_log import log_draw
from .draws import beside, normal_of_bits, random_bits, unit_of_bits

__all__ = ["beta"]

# The random stream of these draws; `draws` has the others.
_BETA = 6

# Each attempt succeeds with a probability of more than 0.95. All fail once in 10**11 draws, whose value is then wrong.
_ATTEMPTS = 8
# Words for the attempts, a normal and a uniform draw each; and one more for a parameter below 1.
_WORDS = 2 * _ATTEMPTS + 1


def beta(
    keys: jax.Array,
    alpha: ArrayLike = 1.0,
    beta: ArrayLike = 1.0,
    shape: Sequence[int] = (),
    *,
    shapes: Array | None = None,
) -> jax.Array:
    """Draws from a beta distribution.

    They are `x / (x + y)` of two gamma draws, by Marsaglia and Tsang, "A simple method for generating gamma variables"
    (2000); values below 1e-37 become 0. `erfinv` is XLA's, so platforms may differ in the last places, and once in a
    million draws in a whole draw.

    Args:
        keys: typed threefry keys `[N]`, e.g. from `sample_keys`. Equal keys draw equal numbers; `split` makes others.
        alpha: positive; a scalar, or one value per key, `[N]`.
        beta: positive; a scalar, or one value per key, `[N]`.
        shape: of each key's draw.
        shapes: `int32[N, ndim]`, the shape of each key's own draw, in the corner of its row; None: it fills its row.

    Returns:
        `float32[N, *shape]`, values in 0 to 1.

    Raises:
        ConfigError: a parameter that is known while tracing is not positive, or a shape does not fit.

    Example:
        >>> import jax, numpy as np
        >>> from jaxdali import random
        >>> keys = random.sample_keys(seed=1, operator=0, epoch=0, indices=[0, 1, 2])
        >>> np.asarray(jax.jit(random.beta)(keys, 2.0, 2.0)).round(3)
        array([0.814, 0.682, 0.202], dtype=float32)
    """
    whole = None if shapes is None else jnp.pad(shapes, ((0, 0), (0, 2))).at[:, -2:].set(jnp.asarray((2, _WORDS)))
    log_draw(keys, "beta", shape)
    bits = random_bits(keys, _BETA, (*shape, 2, _WORDS), whole)
    logarithms = []
    for index, (name, value) in enumerate((("alpha", alpha), ("beta", beta))):
        if np.shape(value) not in ((), keys.shape):
            raise ConfigError(f"{name} has shape {np.shape(value)} for {keys.shape[0]} keys; expected a scalar or [N].")
        if not isinstance(value, jax.Array) and not np.all(np.asarray(value) > 0):
            raise ConfigError(f"{name} is {value!r}; expected a number above 0.")
        words = bits[..., index, :]
        # Without the barrier, XLA would precompute constants, which it rounds differently.
        given = lax.optimization_barrier(jnp.broadcast_to(jnp.asarray(value, jnp.float32), keys.shape))
        logarithms.append(_log_gamma(words, beside(given, words[..., 0])))
    # The smaller one's share, or what is left of 1. `1 / (1 + ratio)` would round twice, and be 1 twice as often near 1.
    ratio = exponential(-abs(logarithms[0] - logarithms[1]))
    share = quotient(ratio, rounded(1 + ratio))
    return jnp.where(logarithms[0] < logarithms[1], share, rounded(1 - share))


def _log_gamma(words, shape):
    """The logarithm of a gamma draw with a given shape parameter."""
    # For a shape below 1: a draw with shape + 1, times a power of a uniform draw.
    small = shape < 1
    d = rounded(jnp.where(small, shape + 1, shape) - np.float32(1 / 3))
    near, x = quotient(1, jnp.sqrt(9 * d))[..., None], normal_of_bits(words[..., :_ATTEMPTS])
    base = rounded(1 + product(x, near))
    v = product(product(base, base), base)
    log_v, far = logarithm(jnp.maximum(v, np.float32(1e-30))), d[..., None]
    limit = rounded(product(product(x, np.float32(0.5)), x) + far) + rounded(product(far, log_v) - product(far, v))
    taken = (v > 0) & (_log_unit(words[..., _ATTEMPTS : 2 * _ATTEMPTS]) < limit)
    # The first accepted one, as sums of one-hot values to avoid a gather.
    first = taken & (jnp.cumsum(taken, axis=-1, dtype=jnp.int32) == 1)
    found = jnp.sum(jnp.where(first, rounded(logarithm(far) + log_v), 0), axis=-1)
    power = quotient(1, jnp.where(small, shape, 1))
    return rounded(found) + jnp.where(small, product(_log_unit(words[..., -1]), power), 0)


def _log_unit(words):
    """The logarithm of a uniform draw that is never 0."""
    return logarithm(unit_of_bits(words) + np.float32(2**-25))
