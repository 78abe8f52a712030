"""Reconstructs a mosaic's colours along the directions in which its levels change little.

This is Chang, Cheung and Pang's variable number of gradients, as in OpenCV.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from .barrier import materialize
from .exact_arithmetic import product, quotient

__all__ = ["REACH", "SMALLEST", "variable_gradients"]

# How far to look around each pixel, in each direction; even, so that the colour pattern stays the same.
REACH = 4
# The fewest rows and columns of a mosaic.
SMALLEST = 8

_N, _S, _W, _E, _NE, _SW, _NW, _SE = (-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1), (-1, -1), (1, 1)


def variable_gradients(wide: Any, kinds: tuple[Any, Any]) -> jax.Array:
    """Makes images from mosaics.

    Args:
        wide: `uint8[N, H + 2 * REACH, W + 2 * REACH]`, including what is beyond the edges.
        kinds: whether each of the H rows, and each of the W columns, has blue; they broadcast against `[N, H, W]`.

    Returns:
        `uint8[N, H, W, 3]`.
    """
    height, width = wide.shape[1] - 2 * REACH, wide.shape[2] - 2 * REACH
    levels = materialize(wide.astype(jnp.int32))

    def at(down: int, right: int) -> jax.Array:
        """The levels of a neighbour."""
        return _part(levels, REACH + down, REACH + right, height, width)

    # For each pixel, and those directly around it: level changes vertically, horizontally, and along both diagonals,
    # within one colour and over all; and twice the mean of its four neighbours.
    changes = [materialize(one) for one in _changes(levels)]

    def change(kind: int, down: int = 0, right: int = 0) -> jax.Array:
        return _part(changes[kind], 1 + down, 1 + right, height, width)

    row, column = kinds
    green = row != column
    slopes, sums = [], []
    for step, kind, mixed in (
        (_N, 0, 0),
        (_S, 0, 0),
        (_W, 1, 1),
        (_E, 1, 1),
        (_NE, 2, 4),
        (_SW, 2, 4),
        (_NW, 3, 5),
        (_SE, 3, 5),
    ):
        if kind < 2:
            slopes.append(change(kind) + change(kind, *step))
        else:
            down, right = step
            of_green = change(kind) + change(kind, down, 0) + change(kind, 0, right) + change(kind, down, right)
            slopes.append(jnp.where(green, of_green, change(mixed) + change(mixed, *step)))
        sums.append(_sums(at, change, step, green))
    steepest, least = slopes[0], slopes[0]
    for slope in slopes[1:]:
        steepest, least = jnp.maximum(steepest, slope), jnp.minimum(least, slope)
    limit = least + jnp.maximum(steepest // 2, 1)
    count: Any = 0
    totals: list[Any] = [0, 0, 0]
    for slope, three in zip(slopes, sums, strict=True):
        flat = slope < limit
        count = count + flat.astype(jnp.int32)
        totals = [total + jnp.where(flat, one, 0) for total, one in zip(totals, three, strict=True)]
    factor = quotient(jnp.float32(0.5), count.astype(jnp.float32))
    own = at(0, 0)

    def other(total: ArrayLike) -> jax.Array:
        """A colour that the pixel lacks, from sums over the directions."""
        beside = product((total - totals[0]).astype(jnp.float32), factor)
        return jnp.clip(own + jnp.rint(beside).astype(jnp.int32), 0, 255)

    first, second = other(totals[1]), other(totals[2])
    # For green pixels the first is the colour of their row; for others it is green, and the second the opposite colour.
    blue = jnp.where(green, jnp.where(row, first, second), jnp.where(row, own, second))
    red = jnp.where(green, jnp.where(row, second, first), jnp.where(row, second, own))
    return jnp.stack([red, jnp.where(green, own, first), blue], axis=-1).astype(jnp.uint8)


def _part(array: Any, top: int, left: int, height: int, width: int) -> jax.Array:
    return array[:, top : top + height, left : left + width]


def _changes(levels: Any) -> list[jax.Array]:
    """The changes at each pixel except the outermost `REACH - 1`."""
    height, width = (extent - 2 * (REACH - 1) for extent in levels.shape[1:])

    def at(step: tuple[int, int]) -> jax.Array:
        return _part(levels, REACH - 1 + step[0], REACH - 1 + step[1], height, width)

    n, s, w, e, ne, sw, nw, se = (at(step) for step in (_N, _S, _W, _E, _NE, _SW, _NW, _SE))
    rising, falling = 2 * abs(ne - sw), 2 * abs(nw - se)
    return [
        abs(nw - sw) + 2 * abs(n - s) + abs(ne - se),
        abs(nw - ne) + 2 * abs(w - e) + abs(sw - se),
        rising,
        falling,
        rising + abs(n - w) + abs(s - e),
        falling + abs(n - e) + abs(s - w),
        (n + w + e + s) >> 1,
    ]


def _sums(at: Any, change: Any, step: tuple[int, int], green: Any) -> tuple[jax.Array, ...]:
    """Twice the pixel's own colour along a direction, and twice the other two."""
    down, right = step
    own = at(0, 0) + at(2 * down, 2 * right)
    if down and right:
        along = (own, change(6, down, right), 2 * at(down, right))
        of_green = (2 * at(down, right), at(0, right) + at(2 * down, right), at(down, 0) + at(down, 2 * right))
    elif down:
        along = (own, 2 * at(down, 0), at(down, -1) + at(down, 1))
        of_green = (own, at(2 * down, -1) + at(2 * down, 1), 2 * at(down, 0))
    else:
        along = (own, 2 * at(0, right), at(-1, right) + at(1, right))
        of_green = (own, 2 * at(0, right), at(-1, 2 * right) + at(1, 2 * right))
    return tuple(jnp.where(green, one, other) for one, other in zip(of_green, along, strict=True))
