"""Makes masks of objects from polygons and from runs of pixels, as COCO's format has them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from jaxdali.errors import ConfigError

__all__ = ["decoded_runs", "mask_of_polygon", "mask_of_runs"]

# Limit on the pixels of an image with masks.
_MOST_PIXELS = 1 << 28
# Borders are traced in fifths of pixels, as COCO's own tools do.
_STEPS = 5


def decoded_runs(what: str, segmentation: Mapping[str, object]) -> tuple[int, int, np.ndarray]:
    """Returns height, width and runs of a mask, `uint32[n]`: how many pixels are outside, inside, outside ..., column by
    column.

    Args:
        what: what errors call the mask.

    Raises:
        ConfigError: `segmentation` is not a mask, or its runs do not add up to its pixels.
    """
    size, counts = segmentation.get("size"), segmentation.get("counts")
    if not isinstance(size, list) or len(size) != 2 or not all(map(_is_extent, size)):
        raise ConfigError(f"{what} has the size {size!r:.80}, expected [height, width]")
    if isinstance(counts, str):
        counts = _unpacked(what, counts)
    try:
        runs = np.array(counts, np.int64)
    except (TypeError, ValueError, OverflowError):
        runs = np.zeros((0, 0), np.int64)
    pixels = size[0] * size[1]
    if runs.ndim != 1 or (runs < 0).any() or (runs > pixels).any() or runs.sum() != pixels or pixels > _MOST_PIXELS:
        raise ConfigError(
            f"{what} has runs that do not add up to the {size[0]} x {size[1]} pixels of its mask: {counts!r:.80}"
        )
    return size[0], size[1], runs.astype(np.uint32)


def _is_extent(value: object) -> bool:
    # JSON's integers may have thousands of digits.
    return isinstance(value, int) and 0 < value < 1 << 63


def _unpacked(what: str, text: str) -> list[int]:
    """Decodes runs written with 6 bits per character. From the fourth on, each is a difference from the run two before."""
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
    """Returns the mask of runs, `bool[height, width]`."""
    inside = np.arange(len(runs)) % 2 == 1
    return np.repeat(inside, runs).reshape(width, height).T


def mask_of_polygon(points: np.ndarray, height: int, width: int) -> np.ndarray:
    """Returns `bool[height, width]`: the pixels inside a polygon with the corners `[n, 2]`, x and y. Pixels at the border
    count as in COCO's tools: the border is walked in fifths of pixels, and its crossings with each column are kept.
    """
    corners = _rounded(points.astype(np.float64) * _STEPS)
    turns = np.zeros(height * width + 1, np.uint8)
    for start, end in itertools.pairwise([*corners.tolist(), corners[0].tolist()]):
        column, y = _crossings(start, end, width)
        row = np.ceil(np.clip((y + 0.5) / _STEPS - 0.5, 0, height)).astype(np.int64)
        np.bitwise_xor.at(turns, column * height + row, 1)
    return np.bitwise_xor.accumulate(turns[:-1]).view(bool).reshape(width, height).T


def _crossings(start: Sequence[int], end: Sequence[int], width: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns which columns an edge crosses, and at which y, in fifths of pixels. Looks only at the image's columns: corners
    may be millions of pixels away.

    Steps go along the edge's longer side. The step from a column's third fifth to its fourth crosses that column.
    """
    (x0, y0), (x1, y1) = start, end
    first = max(-((2 - min(x0, x1)) // _STEPS), 0)
    column = np.arange(first, max(min((max(x0, x1) - 3) // _STEPS, width - 1) + 1, first))
    third = column * _STEPS + 2
    wide, high = abs(x1 - x0), abs(y1 - y0)
    if wide >= high:
        (x0, y0), (x1, y1) = sorted(((x0, y0), (x1, y1)), key=lambda corner: corner[0])
        slope = (y1 - y0) / wide if wide else 0.0
        return column, np.minimum(*(_rounded(y0 + slope * (third - x0 + k)) for k in (0, 1)))
    if y0 > y1:
        x0, y0, x1, y1 = x1, y1, x0, y0
    slope = (x1 - x0) / high
    # The division may be off by one, so the walk's own formula picks the first step past the border among its neighbours.
    steps = np.ceil((third + 0.5 - x0) / slope).astype(np.int64)[:, None] + np.arange(-2, 3) if wide else third[:, None]
    x = _rounded(x0 + slope * steps)
    behind = x > third[:, None] if slope > 0 else x <= third[:, None]
    return column, y0 + steps[np.arange(len(steps)), behind.argmax(axis=1)] - 1


def _rounded(values: np.ndarray) -> np.ndarray:
    # As in C: truncates towards zero, also for negative numbers.
    return np.trunc(values + 0.5).astype(np.int64)
