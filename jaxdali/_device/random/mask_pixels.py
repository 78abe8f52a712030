"""Draws pixels of masks, and positions of windows around regions."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxdali.errors import ConfigError
from ..ffi import cpu_calls
from ..ffi.platforms import two_ways
from .draws import random_bits
from .uint64 import multiply_high

__all__ = ["picked", "pixel", "pixel_words", "window_about"]

# The random streams of these draws; `draws` has the others.
_PIXEL, _ABOUT = 8, 10
_LINE = 1024


def pixel(keys: jax.Array, flags: jax.Array, extents: ArrayLike | None = None) -> jax.Array:
    """Draws one of each mask's true pixels, all equally likely.

    Args:
        keys: typed threefry keys `[N]`.
        flags: `bool[N, ...]`.
        extents: `int32[N or 1, ndim]` of the masks, each in the corner of its row. If no pixel of a mask is true, one
            of all its pixels is drawn; with None, the first one is taken.

    Returns:
        `int32[N, ndim]`, the pixel's position along each axis.

    Example:
        >>> import jax.numpy as jnp
        >>> from jaxdali import random
        >>> keys = random.sample_keys(seed=1, operator=0, epoch=0, indices=[0, 1])
        >>> random.pixel(keys, jnp.array([[[0, 1], [0, 0]], [[0, 0], [1, 0]]], bool)).tolist()
        [[0, 1], [1, 0]]
    """
    shape = flags.shape[1:]
    if not flags.size:
        return jnp.zeros((len(flags), len(shape)), jnp.int32)
    words = pixel_words(keys)
    index = picked(flags.reshape(len(flags), -1), words)
    found = _along_axes(jnp.maximum(index, 0), np.asarray([shape], np.int32))
    if extents is None:
        return found
    pixels = jnp.prod(extents, axis=1).astype(jnp.uint32)
    any_pixel = multiply_high(words, jnp.broadcast_to(pixels, words.shape)).astype(jnp.int32)
    return jnp.where(index[:, None] < 0, _along_axes(any_pixel, jnp.maximum(extents, 1)), found)


def pixel_words(keys) -> jax.Array:
    """The random words that pick pixels, `uint32[N]`."""
    return random_bits(keys, _PIXEL, ())


def picked(flags, words) -> jax.Array:
    """`int32[N]`: the index of one of the true flags of `bool[N, P]`, picked by words `uint32[N]`; -1 if none is true."""
    return _picked(flags, words)


def _along_axes(index, extents):
    """Converts flat indices in C order to indices along each axis."""
    found = []
    for axis in reversed(range(extents.shape[1])):
        found.append(index % extents[:, axis])
        index = index // extents[:, axis]
    return jnp.stack(found[::-1], axis=1)


def _picked_generically(flat, words):
    # Line by line, because one cumulative sum over all pixels takes a long time.
    lines = jnp.pad(flat, ((0, 0), (0, -flat.shape[1] % _LINE))).reshape(len(flat), -1, _LINE)
    up_to = jnp.cumsum(lines.sum(axis=2, dtype=jnp.int32), axis=1)
    number = multiply_high(words, up_to[:, -1].astype(jnp.uint32)).astype(jnp.int32)
    line = jnp.minimum((up_to <= number[:, None]).sum(axis=1, dtype=jnp.int32), lines.shape[1] - 1)
    before = jnp.where(line > 0, jnp.take_along_axis(up_to, jnp.maximum(line - 1, 0)[:, None], axis=1)[:, 0], 0)
    own = jnp.take_along_axis(lines, line[:, None, None], axis=1)[:, 0]
    within = (jnp.cumsum(own, axis=1, dtype=jnp.int32) <= (number - before)[:, None]).sum(axis=1, dtype=jnp.int32)
    return jnp.where(up_to[:, -1] > 0, line * _LINE + within, -1)


_picked = two_ways(
    "jaxdali_picked", lambda _, words: (words.shape, jnp.int32), _picked_generically, cpu_calls.pick_true, on_gpus=False
)


def window_about(
    keys: jax.Array, start: ArrayLike, end: ArrayLike, size: ArrayLike, shape: ArrayLike | None = None
) -> jax.Array:
    """Draws where a window begins that contains a region; if the region is larger, the window lies within it.

    Args:
        keys: typed threefry keys `[N]`.
        start: integers `[D]` or `[N, D]`, where each region begins.
        end: integers `[D]` or `[N, D]`, where each region ends.
        size: integers `[D]` or `[N, D]`, the extents of the windows.
        shape: integers `[D]` or `[N, D]`, the extents that windows must not leave; None: no limit.

    Returns:
        `int32[N, D]`.

    Raises:
        ConfigError: the arguments differ in D.

    Example:
        >>> from jaxdali import random
        >>> keys = random.sample_keys(seed=1, operator=0, epoch=0, indices=[0, 1])
        >>> random.window_about(keys, start=[4, 4], end=[6, 6], size=[2, 2]).tolist()
        [[4, 4], [4, 4]]
    """
    given = [
        jnp.atleast_2d(jnp.asarray(one).astype(jnp.int32))
        for one in (start, end, size, *(() if shape is None else (shape,)))
    ]
    if len({one.shape[-1:] for one in given}) > 1:
        raise ConfigError(
            f"regions and windows have {[one.shape[-1:] for one in given]} axes; expected the same number for all."
        )
    low, high = jnp.minimum(given[0], given[1] - given[2]), jnp.maximum(given[0], given[1] - given[2])
    if shape is not None:
        low, high = (jnp.clip(one, 0, jnp.maximum(given[3] - given[2], 0)) for one in (low, high))
    bits = random_bits(keys, _ABOUT, low.shape[-1:])
    room = (jnp.broadcast_to(high - low, bits.shape) + 1).astype(jnp.uint32)
    return low + multiply_high(bits, room).astype(jnp.int32)
