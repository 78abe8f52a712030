"""Random places in masks, and of windows about regions."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from ..errors import ConfigError
from .draws import random_bits
from .wide import multiply_high

__all__ = ["pixel", "window_about"]

# The streams of these draws; `draws` has the others.
_PIXEL, _ABOUT = 8, 10
_LINE = 1024


def pixel(keys, flags) -> jax.Array:
    """Draws one of the pixels of each mask that are true, all of them as likely.

    Args:
        keys: typed threefry keys `[N]`.
        flags: `bool[N, ...]`.

    Returns:
        `int32[N, ndim]`, its place along each axis; the first pixel where none is true.
    """
    shape = flags.shape[1:]
    if not flags.size:
        return jnp.zeros((len(flags), len(shape)), jnp.int32)
    flat = flags.reshape(len(flags), -1)
    # By lines, as one sum over all pixels takes a long time.
    lines = jnp.pad(flat, ((0, 0), (0, -flat.shape[1] % _LINE))).reshape(len(flat), -1, _LINE)
    up_to = jnp.cumsum(lines.sum(axis=2, dtype=jnp.int32), axis=1)
    number = multiply_high(random_bits(keys, _PIXEL, ()), up_to[:, -1].astype(jnp.uint32)).astype(jnp.int32)
    line = jnp.minimum((up_to <= number[:, None]).sum(axis=1, dtype=jnp.int32), lines.shape[1] - 1)
    before = jnp.where(line > 0, jnp.take_along_axis(up_to, jnp.maximum(line - 1, 0)[:, None], axis=1)[:, 0], 0)
    own = jnp.take_along_axis(lines, line[:, None, None], axis=1)[:, 0]
    within = (jnp.cumsum(own, axis=1, dtype=jnp.int32) <= (number - before)[:, None]).sum(axis=1, dtype=jnp.int32)
    place = jnp.where(up_to[:, -1] > 0, line * _LINE + within, 0)
    found = []
    for extent in shape[::-1]:
        found.append(place % extent)
        place = place // extent
    return jnp.stack(found[::-1], axis=1)


def window_about(keys, start, end, size, shape: Any = None) -> jax.Array:
    """Draws where a window begins that holds all of a region, or, of a larger region, lies in it.

    Args:
        keys: typed threefry keys `[N]`.
        start, end: integers `[D]` or `[N, D]`, where regions begin and end.
        size: likewise, extents of the windows.
        shape: likewise, extents of what windows must not leave; None: they may lie anywhere.

    Returns:
        `int32[N, D]`.

    Raises:
        ConfigError: they differ in D.
    """
    given = [jnp.asarray(one).astype(jnp.int32) for one in (start, end, size, *(() if shape is None else (shape,)))]
    if len({one.shape[-1:] for one in given}) > 1:
        raise ConfigError(
            f"regions and windows have {[one.shape[-1:] for one in given]} axes; expected as many of all."
        )
    low, high = jnp.minimum(given[0], given[1] - given[2]), jnp.maximum(given[0], given[1] - given[2])
    if shape is not None:
        low, high = (jnp.clip(one, 0, jnp.maximum(given[3] - given[2], 0)) for one in (low, high))
    bits = random_bits(keys, _ABOUT, low.shape[-1:])
    room = (jnp.broadcast_to(high - low, bits.shape) + 1).astype(jnp.uint32)
    return low + multiply_high(bits, room).astype(jnp.int32)
