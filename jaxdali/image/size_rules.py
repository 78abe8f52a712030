"""The arithmetic of DALI's size rules: how large an axis becomes of which an extent is asked for, and which part of it is
sampled. Of any number of axes, in NumPy or traced; every platform and NumPy give the same numbers, for each operation rounds
once (exact.py).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .exact_arithmetic import product, product_error, quotient

__all__ = ["MODES", "ROUNDINGS", "Settled", "region_columns", "region_of_interest", "settle"]

MODES = ("default", "stretch", "not_larger", "not_smaller")
ROUNDINGS = ("round", "truncate", "ceil")

# The largest number of pixels that float32 and int32 both hold.
_LARGEST = 2147483520.0
# A smaller region is widened to so many pixels: one pixel, or the middle of two, becomes the whole result.
_SMALLEST_REGION = np.float32(1e-3)
# A result of less than a tenth of a pixel still has one; its region does not grow further than this.
_MOST_GROWTH = np.float32(9)
_LARGEST_COORDINATE = np.float32(1e9)


class Settled(NamedTuple):
    """What `settle` returns, of N samples and their axes."""

    extents: Any
    """`float32[N, axes]`, whole numbers of at least 1."""
    low: Any
    """`float32[N, axes]`, where the regions begin that are sampled."""
    high: Any
    """`float32[N, axes]`, where they end."""
    mirrored: Any
    """`bool[N, axes]`"""


def settle(
    xp,
    wanted,
    low,
    high,
    length,
    rule: str,
    limit,
    *,
    subpixel_scale: bool,
    rounding: str = "round",
    alignment: Any = None,
) -> Settled:
    """Extents in whole pixels, and regions that keep the scale.

    Args:
        wanted: `float32[N, axes]`, what is asked for; 0 where an axis is open; negative where it is to be mirrored.
        low, high: of the regions.
        length: of the regions; 0 of samples without pixels.
        rule: one of MODES.
        limit: of extents, or None; only a positive number is one.
        rounding: one of ROUNDINGS.
        alignment: `float32[axes]`, which place of a region stays where extents are rounded, 0 where it begins to 1 where it
            ends; None: its middle.
    """
    real = _real_extents(xp, wanted, length, rule, limit)
    mirrored = xp.signbit(real) & (real != 0)
    real = xp.minimum(xp.abs(real), np.float32(_LARGEST))
    rounded = xp.maximum(_whole(xp, real, rounding), 1)
    if subpixel_scale:
        stays = np.float32(0.5) if alignment is None else xp.where(mirrored, np.float32(1) - alignment, alignment)
        low, high = _keep_scale(xp, low, high, real, rounded, stays)
    return Settled(rounded, low, high, mirrored)


def region_of_interest(xp, lo, hi, wanted, whole):
    """A region of interest in its order, the extents wanted negative where it was reversed; `whole`: it is in fractions."""
    if whole is not None:
        lo, hi = product(lo, whole), product(hi, whole)
    small = xp.abs(hi - lo) < _SMALLEST_REGION
    wider = xp.where(lo <= hi, _SMALLEST_REGION / 2, -_SMALLEST_REGION / 2)
    lo, hi = xp.where(small, lo - wider, lo), xp.where(small, hi + wider, hi)
    return xp.minimum(lo, hi), xp.maximum(lo, hi), xp.where(hi < lo, -wanted, wanted)


def _real_extents(xp, wanted, length, rule: str, limit):
    """The extents before they are rounded, negative where an axis is mirrored: `float32[N, 2]`.

    Args:
        wanted: what is asked for; 0 where an axis is open.
        length: of the region.
        rule: one of MODES.
        limit: of extents, or None; only a positive number is one.
    """
    given = (wanted != 0) & (length > 0)
    any_given = xp.any(given, axis=1, keepdims=True)
    scale = quotient(xp.abs(wanted), xp.where(length > 0, length, np.float32(1)))
    if rule in ("default", "stretch"):
        open_axis = product(length, _mean_scale(xp, scale, given)) if rule == "default" else length
        real = xp.where(given, wanted, open_axis)
        if limit is not None:
            real = xp.where((limit > 0) & (xp.abs(real) > limit), xp.copysign(limit, real), real)
        return xp.where(any_given, real, length)
    if rule == "not_smaller":
        final = xp.max(xp.where(given, scale, np.float32(0)), axis=1, keepdims=True)
    else:
        final = xp.min(xp.where(given, scale, np.float32(np.inf)), axis=1, keepdims=True)
    final = xp.where(any_given, final, np.float32(1))
    real = xp.where(given & (scale == final), xp.abs(wanted), product(length, final))
    if limit is not None:
        real = _within(xp, real, length, final, limit)
    return xp.where(any_given, xp.copysign(real, wanted), length)


def _mean_scale(xp, scale, given):
    """Of the axes that are given, that of those that are open: `float32[N, axes]`."""
    if scale.shape[1] == 2:
        return scale[:, ::-1]
    # The geometric mean.
    several = xp.where(given, scale, np.float32(1))
    whole, count = several[:, :1], xp.sum(given, axis=1, keepdims=True)
    for axis in range(1, scale.shape[1]):
        whole = product(whole, several[:, axis : axis + 1])
    mean = xp.where(count == 2, xp.sqrt(whole), whole)
    if scale.shape[1] == 3:  # where two are given, or one
        return mean
    root = whole ** quotient(np.float32(1), xp.maximum(count, 1).astype(np.float32))
    return xp.where(count > 2, root, mean)


def _within(xp, real, length, final, limit):
    """`real` extents, or smaller ones of the same aspect that keep within the limit."""
    # A length times `final`, exactly: the product and what rounding took from it.
    near = product(length, final)
    exceeds = (limit > 0) & ((near > limit) | ((near == limit) & (product_error(length, final, near) > 0)))
    ratio = xp.where(exceeds, quotient(limit, xp.where(length > 0, length, np.float32(1))), np.float32(np.inf))
    if limit.shape[1] != 2:  # axes of which none decides are rounded twice
        least = xp.min(ratio, axis=1, keepdims=True)
        limited = xp.where(ratio == least, limit, product(length, least))
        return xp.where(xp.any(exceeds, axis=1, keepdims=True), limited, real)
    first = ratio[:, :1] <= ratio[:, 1:]  # whether the first axis is the one that decides
    limited = xp.concatenate(
        [
            xp.where(first, limit[:, :1], _rescaled(xp, length[:, :1], limit[:, 1:], length[:, 1:])),
            xp.where(first, _rescaled(xp, length[:, 1:], limit[:, :1], length[:, :1]), limit[:, 1:]),
        ],
        axis=1,
    )
    return xp.where(xp.any(exceeds, axis=1, keepdims=True), limited, real)


def _rescaled(xp, length, limit, other):
    """`length * limit / other`, rounded once, as a quotient in float64 would be."""
    other = xp.where(other > 0, other, np.float32(1))
    above = product(length, limit)
    near = quotient(above, other)
    back = product(near, other)
    left = ((above - back) - product_error(near, other, back)) + product_error(length, limit, above)
    return near + quotient(left, other)


def _whole(xp, x, rounding: str):
    """A whole number of what is not negative; to the nearest, halves go upwards."""
    below = xp.floor(x)
    if rounding == "truncate":
        return below
    # `floor(x + 0.5)` would be wrong at 0.49999997.
    return xp.where((x > below) if rounding == "ceil" else (x - below >= 0.5), below + 1, below)


def _keep_scale(xp, lo, hi, real, rounded, stays):
    """The region that maps to `rounded` extents as (lo, hi) does to the real ones.

    Args:
        stays: which place of the region is one of both, 0 where it begins to 1 where it ends.
    """
    growth = quotient(rounded - real, xp.where(real > 0, real, np.float32(1)))
    growth = xp.minimum(growth, _MOST_GROWTH)
    before, behind = (product(product(hi - lo, part), growth) for part in (stays, np.float32(1) - stays))
    return tuple(xp.clip(edge, -_LARGEST_COORDINATE, _LARGEST_COORDINATE) for edge in (lo - before, hi + behind))


def region_columns(xp, lo, hi, whole, mirrored, empty):
    """`Resized.region` of regions in pixels of images that are not mirrored yet."""
    lo, hi = xp.where(mirrored, whole - hi, lo), xp.where(mirrored, whole - lo, hi)
    lo, hi = xp.where(empty, np.float32(0), lo), xp.where(empty, np.float32(1), hi)
    return xp.stack([edge[:, axis] for axis in range(whole.shape[1]) for edge in (lo, hi)], axis=1)
