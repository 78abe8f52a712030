"""The arithmetic of DALI's size rules: how large axes become for requested extents, and which part of them is sampled.

Works for any number of axes, in NumPy or traced. Every platform and NumPy give the same numbers, because each operation
rounds once (exact_arithmetic.py).

In come float32 rows, one per sample: requested extents, and where regions begin and end. `region_of_interest` orders a
region that may be reversed; `resolve_sizes` finds extents by the rule and within the limit, rounds them, and adjusts
regions so that the scale stays; `region_columns` turns regions into what `Resized` has. Out go whole extents, regions,
and what is mirrored. It relies on `xp`, which is numpy or jax.numpy, and on callers (sizes.py, axis_sizes.py) for
checked arguments.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .exact_arithmetic import product, product_error, quotient

__all__ = ["MODES", "ROUNDINGS", "Settled", "region_columns", "region_of_interest", "resolve_sizes"]

MODES = ("default", "stretch", "not_larger", "not_smaller")
ROUNDINGS = ("round", "truncate", "ceil")

# The largest number of pixels that both float32 and int32 can represent.
_LARGEST = 2147483520.0
# Smaller regions are widened to this many pixels: one pixel, or the middle between two, becomes the whole result.
_SMALLEST_REGION = np.float32(1e-3)
# A result of less than a tenth of a pixel still gets one pixel; its region does not grow beyond this factor.
_MOST_GROWTH = np.float32(9)
_LARGEST_COORDINATE = np.float32(1e9)


class Settled(NamedTuple):
    """What `resolve_sizes` returns, for N samples and their axes."""

    extents: Any
    """`float32[N, axes]`, whole numbers of at least 1."""
    low: Any
    """`float32[N, axes]`, where the regions begin that are sampled."""
    high: Any
    """`float32[N, axes]`, where they end."""
    mirrored: Any
    """`bool[N, axes]`"""


def resolve_sizes(
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
    """Computes extents in whole pixels, and regions that keep the scale.

    Args:
        wanted: `float32[N, axes]`, the requested extents; 0 if an axis is open; negative if it is to be mirrored.
        low, high: start and end of the regions.
        length: of the regions; 0 for samples without pixels.
        rule: one of MODES.
        limit: of extents, or None; only positive numbers count.
        rounding: one of ROUNDINGS.
        alignment: `float32[axes]`, the position in a region that stays fixed when extents are rounded, from 0 (start)
            to 1 (end); None: its middle.
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
    """Orders a region of interest, and negates the extents of reversed axes; with `whole`, it is given in fractions."""
    if whole is not None:
        lo, hi = product(lo, whole), product(hi, whole)
    small = xp.abs(hi - lo) < _SMALLEST_REGION
    wider = xp.where(lo <= hi, _SMALLEST_REGION / 2, -_SMALLEST_REGION / 2)
    lo, hi = xp.where(small, lo - wider, lo), xp.where(small, hi + wider, hi)
    return xp.minimum(lo, hi), xp.maximum(lo, hi), xp.where(hi < lo, -wanted, wanted)


def _real_extents(xp, wanted, length, rule: str, limit):
    """The extents before rounding, negative if an axis is mirrored: `float32[N, 2]`.

    Args:
        wanted: the requested extents; 0 if an axis is open.
        length: of the region.
        rule: one of MODES.
        limit: of extents, or None; only positive numbers count.
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
    """The scale of the open axes, from those of the given axes: `float32[N, axes]`."""
    if scale.shape[1] == 2:
        return scale[:, ::-1]
    # It is their geometric mean.
    several = xp.where(given, scale, np.float32(1))
    whole, count = several[:, :1], xp.sum(given, axis=1, keepdims=True)
    for axis in range(1, scale.shape[1]):
        whole = product(whole, several[:, axis : axis + 1])
    mean = xp.where(count == 2, xp.sqrt(whole), whole)
    if scale.shape[1] == 3:  # when one or two are given
        return mean
    root = whole ** quotient(np.float32(1), xp.maximum(count, 1).astype(np.float32))
    return xp.where(count > 2, root, mean)


def _within(xp, real, length, final, limit):
    """`real` extents, or smaller ones with the same aspect ratio that are within the limit."""
    # A length times `final`, exactly: the product and its rounding error.
    near = product(length, final)
    exceeds = (limit > 0) & ((near > limit) | ((near == limit) & (product_error(length, final, near) > 0)))
    ratio = xp.where(exceeds, quotient(limit, xp.where(length > 0, length, np.float32(1))), np.float32(np.inf))
    if limit.shape[1] != 2:  # all but the limiting axis are rounded twice
        least = xp.min(ratio, axis=1, keepdims=True)
        limited = xp.where(ratio == least, limit, product(length, least))
        return xp.where(xp.any(exceeds, axis=1, keepdims=True), limited, real)
    first = ratio[:, :1] <= ratio[:, 1:]  # whether the first axis is the limiting one
    limited = xp.concatenate(
        [
            xp.where(first, limit[:, :1], _rescaled(xp, length[:, :1], limit[:, 1:], length[:, 1:])),
            xp.where(first, _rescaled(xp, length[:, 1:], limit[:, :1], length[:, :1]), limit[:, 1:]),
        ],
        axis=1,
    )
    return xp.where(xp.any(exceeds, axis=1, keepdims=True), limited, real)


def _rescaled(xp, length, limit, other):
    """`length * limit / other`, rounded once, as a float64 quotient would be."""
    other = xp.where(other > 0, other, np.float32(1))
    above = product(length, limit)
    near = quotient(above, other)
    back = product(near, other)
    left = ((above - back) - product_error(near, other, back)) + product_error(length, limit, above)
    return near + quotient(left, other)


def _whole(xp, x, rounding: str):
    """Rounds what is not negative to an integer; to the nearest with halves up, or as `rounding` says."""
    below = xp.floor(x)
    if rounding == "truncate":
        return below
    # `floor(x + 0.5)` would be wrong at 0.49999997.
    return xp.where((x > below) if rounding == "ceil" else (x - below >= 0.5), below + 1, below)


def _keep_scale(xp, lo, hi, real, rounded, stays):
    """The region that maps to `rounded` extents with the scale that (lo, hi) has with the real ones.

    Args:
        stays: the position in the region that stays fixed, from 0 (start) to 1 (end).
    """
    growth = quotient(rounded - real, xp.where(real > 0, real, np.float32(1)))
    growth = xp.minimum(growth, _MOST_GROWTH)
    before, behind = (product(product(hi - lo, part), growth) for part in (stays, np.float32(1) - stays))
    return tuple(xp.clip(edge, -_LARGEST_COORDINATE, _LARGEST_COORDINATE) for edge in (lo - before, hi + behind))


def region_columns(xp, lo, hi, whole, mirrored, empty):
    """`Resized.region` for regions in pixels of images before mirroring."""
    lo, hi = xp.where(mirrored, whole - hi, lo), xp.where(mirrored, whole - lo, hi)
    lo, hi = xp.where(empty, np.float32(0), lo), xp.where(empty, np.float32(1), hi)
    return xp.stack([edge[:, axis] for axis in range(whole.shape[1]) for edge in (lo, hi)], axis=1)
