"""Draws of integers: one of several, with given probabilities, and permutations of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from ..image.exact_arithmetic import quotient
from .draws import beside, random_bits, unit_of_bits
from .uint64 import multiply_high

__all__ = ["choice", "permutation"]

# The random streams of these draws; `draws` has the others.
_CHOICE, _PERMUTATION = 5, 7


def choice(
    keys: jax.Array,
    count: npt.ArrayLike,
    shape: int | Sequence[int] = (),
    *,
    p: npt.ArrayLike | None = None,
    shapes: Array | None = None,
) -> jax.Array:
    """Draws an integer from 0 to `count - 1`, e.g. as an index.

    Args:
        keys: typed threefry keys `[N]`, e.g. from `sample_keys`. Equal keys draw equal numbers; `split` makes others.
        count: at least 1; an integer, or `int32[N]`, one per key, which is not checked.
        shape: of each key's draw.
        p: the probability of each number, `[K]` or `[N, K]`; they are divided by their sum. Those from `count` on must
            be 0. None: all numbers are equally likely.
        shapes: `int32[N, ndim]`, the shape of each key's own draw, in the corner of its row; None: it fills its row.

    Returns:
        `int32[N, *shape]`.

    Raises:
        ConfigError: `count` or a probability that is known while tracing is out of range.

    Example:
        >>> from jaxdali import random
        >>> keys = random.sample_keys(seed=1, operator=0, epoch=0, indices=[0, 1, 2])
        >>> random.choice(keys, 10)
        Array([9, 4, 7], dtype=int32)
    """
    bits = random_bits(keys, _CHOICE, shape, shapes)
    if not isinstance(count, jax.Array) and np.any(np.asarray(count) < 1):
        raise ConfigError(f"count is {count!r}; expected at least 1.")
    if p is None:
        return multiply_high(bits, beside(jnp.asarray(count, jnp.uint32), bits)).astype(jnp.int32)
    unit, ends = unit_of_bits(bits), _ends(p)
    ends = ends.reshape(*(ends.shape[:1] if ends.ndim == 2 else (1,)), *[1] * (unit.ndim - 1), ends.shape[-1])
    return (unit[..., None] >= ends).sum(axis=-1, dtype=jnp.int32)


def _ends(p: npt.ArrayLike) -> Any:
    """The end of each number's interval in [0, 1], except the last: `float32[K - 1]` or `[N, K - 1]`."""
    if not isinstance(p, jax.Array):
        given = np.asarray(p, np.float32)
        if not given.size or given.min() < 0 or not np.isfinite(given).all() or (given.sum(axis=-1) <= 0).any():
            raise ConfigError(f"p is {p!r:.80}; expected probabilities, none below 0, not all of them 0.")
        ends = np.cumsum(given, axis=-1, dtype=np.float32)
        return (ends / ends[..., -1:])[..., :-1]
    # Sequential, so that all platforms round in the same way.
    columns = jnp.moveaxis(p.astype(jnp.float32), -1, 0)
    _, ends = lax.scan(lambda before, one: (before + one, before + one), columns[0] * 0, columns)
    ends = jnp.moveaxis(ends, 0, -1)
    return quotient(ends, ends[..., -1:])[..., :-1]


@on_any_mesh
def permutation(
    keys: jax.Array,
    *,
    repetitions: bool = False,
    no_fixed_points: bool = False,
    taken: npt.ArrayLike | None = None,
) -> jax.Array:
    """Draws an order of the samples of a batch: for each position the index of the sample that comes there.

    Args:
        keys: typed threefry keys `[N]`, one per sample of the batch.
        repetitions: draw each index independently, so that some samples may come twice, and others not at all.
        no_fixed_points: no sample keeps its position; without `repetitions` the order is then one cycle, as DALI's is.
            In a batch of one sample it keeps it.
        taken: `bool[N]`: the samples that take part. Positions and indices count only these. None: all of them.

    Returns:
        `int32[N]`; 0 for samples that take no part.

    Raises:
        ConfigError: `keys` are not typed threefry keys `[N]`.

    Example:
        >>> from jaxdali import random
        >>> keys = random.sample_keys(seed=1, operator=0, epoch=0, indices=[0, 1, 2, 3])
        >>> random.permutation(keys)
        Array([2, 1, 3, 0], dtype=int32)
    """
    if taken is not None:
        return _permutation_of(keys, jnp.asarray(taken, bool), repetitions, no_fixed_points)
    bits, count = random_bits(keys, _PERMUTATION, ()), keys.shape[0]
    places = jnp.arange(count, dtype=jnp.int32)
    if repetitions:
        skips = no_fixed_points and count > 1
        drawn = multiply_high(bits, jnp.uint32(count - skips)).astype(jnp.int32)
        return drawn + (drawn >= places) if skips else drawn
    order = jnp.argsort(bits, stable=True).astype(jnp.int32)
    return jnp.zeros_like(order).at[order].set(jnp.roll(order, 1)) if no_fixed_points else order


def _permutation_of(keys, taken, repetitions: bool, no_fixed_points: bool) -> jax.Array:
    """See `permutation`; equal to it if all samples take part."""
    bits, count = random_bits(keys, _PERMUTATION, ()), taken.sum(dtype=jnp.int32)
    places = jnp.cumsum(taken, dtype=jnp.int32) - 1
    if repetitions:
        skips = jnp.int32(no_fixed_points) * (count > 1)
        drawn = multiply_high(bits, jnp.maximum(count - skips, 0).astype(jnp.uint32)).astype(jnp.int32)
        return jnp.where(taken, drawn + skips * (drawn >= places), 0)
    # Those that take part come first, so the first `count` entries are an order of them.
    order = places[jnp.lexsort((bits, ~taken))]
    if no_fixed_points:
        every = jnp.arange(len(taken), dtype=jnp.int32)
        before = order[(every - 1) % jnp.maximum(count, 1)]
        order = jnp.zeros_like(order).at[jnp.where(every < count, order, len(taken))].set(before, mode="drop")
    return jnp.where(taken, order[jnp.maximum(places, 0)], 0)
