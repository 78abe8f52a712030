"""Masks of objects: from polygons and from runs of pixels, as COCO's format has them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from ..errors import ConfigError

__all__ = ["decoded_runs", "mask_of_polygon", "mask_of_runs"]

# Pixels of an image with masks.
_MOST_PIXELS = 1 << 28
# Points on a pixel's side where borders are looked for; that of COCO's own tools.
_STEPS = 5


def decoded_runs(what: str, segmentation: Mapping[str, object]) -> tuple[int, int, np.ndarray]:
    """Height, width, and the runs of a mask, `uint32[n]`: how many pixels are out of it, in it, out of it ..., by columns.

    Args:
        what: whose it is, for errors.

    Raises:
        ConfigError: it is none, or its runs are more or fewer than its pixels.
    """
    size, counts = segmentation.get("size"), segmentation.get("counts")
    if not (isinstance(size, list) and len(size) == 2 and all(isinstance(one, int) and one > 0 for one in size)):
        raise ConfigError(f"{what} has the size {size!r:.80}, expected [height, width]")
    if isinstance(counts, str):
        counts = _unpacked(what, counts)
    try:
        runs = np.array(counts, np.int64)
    except (TypeError, ValueError, OverflowError):
        runs = np.zeros((0, 0), np.int64)
    pixels = size[0] * size[1]
    if runs.ndim != 1 or (runs < 0).any() or (runs > pixels).any() or runs.sum() != pixels or pixels > _MOST_PIXELS:
        raise ConfigError(f"{what} has runs that are not the {size[0]} x {size[1]} pixels of its mask: {counts!r:.80}")
    return size[0], size[1], runs.astype(np.uint32)


def _unpacked(what: str, text: str) -> list[int]:
    """Runs that were written with 6 bits a character; from the fourth on as differences to the last but one."""
    found: list[int] = []
    value = shift = 0
    for character in text:
        bits = ord(character) - 48
        if not 0 <= bits < 64 or shift > 60:
            raise ConfigError(f"{what} has runs with characters that COCO's format does not use: {text!r:.80}")
        value |= (bits & 31) << shift
        shift += 5
        if not bits & 32:
            if bits & 16:
                value -= 1 << shift
            found.append(value + (found[-2] if len(found) > 2 else 0))
            value = shift = 0
    return found


def mask_of_runs(runs: np.ndarray, height: int, width: int) -> np.ndarray:
    """`bool[height, width]` of runs."""
    inside = np.arange(len(runs)) % 2 == 1
    return np.repeat(inside, runs).reshape(width, height).T


def mask_of_polygon(points: np.ndarray, height: int, width: int) -> np.ndarray:
    """`bool[height, width]`: the pixels in a polygon with the corners `[n, 2]` of x and y. Which ones at the border count is
    what COCO's tools say: it is walked in fifths of pixels, and of each column the places are kept where it is crossed.
    """
    corners = _rounded(points.astype(np.float64) * _STEPS)
    corners = np.concatenate([corners, corners[:1]])
    walked = [_walk(start, end) for start, end in itertools.pairwise(corners)]
    x, y = (np.concatenate([one[axis] for one in walked]) for axis in (0, 1))
    crossed = np.flatnonzero(x[1:] != x[:-1]) + 1
    column = (np.where(x[crossed] < x[crossed - 1], x[crossed], x[crossed] - 1) + 0.5) / _STEPS - 0.5
    row = np.ceil(np.clip((np.minimum(y[crossed], y[crossed - 1]) + 0.5) / _STEPS - 0.5, 0, height))
    kept = (column == np.floor(column)) & (column >= 0) & (column <= width - 1)
    places = column[kept].astype(np.int64) * height + row[kept].astype(np.int64)
    turns = np.bincount(places, minlength=height * width + 1)[: height * width]
    return (np.cumsum(turns) % 2 == 1).reshape(width, height).T


def _walk(start: Sequence[int], end: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """The points of an edge, a step apart along its longer side, in the order from `start` to `end`."""
    (x0, y0), (x1, y1) = (map(int, point) for point in (start, end))
    wide, high = abs(x1 - x0), abs(y1 - y0)
    flat = wide >= high
    backwards = x0 > x1 if flat else y0 > y1
    if backwards:
        x0, y0, x1, y1 = x1, y1, x0, y0
    steps = np.arange(max(wide, high) + 1)
    if backwards:
        steps = steps[::-1]
    if flat:
        slope = (y1 - y0) / wide if wide else 0.0
        return steps + x0, _rounded(y0 + slope * steps)
    return _rounded(x0 + (x1 - x0) / high * steps), steps + y0


def _rounded(values: np.ndarray) -> np.ndarray:
    # As C does it: towards zero, below it, too.
    return np.trunc(values + 0.5).astype(np.int64)
