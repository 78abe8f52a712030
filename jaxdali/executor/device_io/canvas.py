"""How large a canvas must be: static shapes for images of different sizes, few of them, growing only."""

from __future__ import annotations

import dataclasses
import logging
import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ...batch import Codec, Row, Status
from ...errors import ConfigError

__all__ = ["Canvas", "CanvasNeed", "CanvasPolicy", "ChannelsNeed", "MeasuredNeed", "Need", "padded_extent"]

logger = logging.getLogger("jaxdali")

# A canvas with more than this many times the images' own pixels is warned of: `resize` before it helps.
_WASTE = 4.0

# Batches of one size each, but not all of the same one (always so with a batch size of 1), would compile a program each.
_EXACT_SIZES = 4


def padded_extent(extent: int) -> int:
    """Rounds an extent up to one of a few classes an octave (at least 4), so that few shapes are compiled: two up to 64,
    four from 128 on.

    Beyond 128, at most a fifth of an axis is padding; of short axes, such as the frames of clips, at most a half: what
    follows computes padding as it does samples.
    """
    step = 4
    while step * (4 if step < 32 else 8) < extent:
        step *= 2
    return max(step, -(-extent // step) * step)


@dataclasses.dataclass(frozen=True)
class Canvas:
    """A static shape. `exact`: every image of the batch fills it, so there is no padding to know about."""

    height: int
    width: int
    exact: bool


@dataclasses.dataclass(frozen=True, eq=False)
class CanvasNeed:
    """Images of different sizes that a program makes of those of a column, and wants a canvas for.

    Attributes:
        column: index of the column.
        bound: `int64[N, 2] -> int64[N, 2]`: of the extents (height, width) of its images those that the program's images do
            not exceed. Images that cannot be decoded are left out.
        exact: the program's images have just these.
    """

    column: int
    bound: Callable[[np.ndarray], np.ndarray]
    exact: bool = True

    def extents(self, sizes: np.ndarray) -> np.ndarray:
        """`int64[N, 2]` of the program's images, zeros for those that cannot be decoded.

        Args:
            sizes: `int[N, 2 or more]` of the column's.
        """
        found = np.zeros((len(sizes), 2), np.int64)
        readable = (sizes[:, :2] > 0).all(axis=1)
        found[readable] = self.bound(sizes[readable, :2].astype(np.int64))
        return found


@dataclasses.dataclass(frozen=True, eq=False)
class ChannelsNeed:
    """Files whose images keep their channels: the program wants to know how many the widest of a batch has.

    Attributes:
        column: index of the column.
    """

    column: int

    def choose(self, rows: np.ndarray) -> int:
        """1 to 4, of `int32[N, 8]`; 3 where no file can be decoded."""
        good = rows[rows[:, Row.STATUS] == Status.OK]
        colors = (good[:, Row.CODEC] == Codec.JPEG) & (good[:, Row.COMPONENTS] > 1)
        return int(np.where(colors, 3, good[:, Row.COMPONENTS]).max()) if len(good) else 3


@dataclasses.dataclass(eq=False)
class MeasuredNeed:
    """Numbers that say how large something becomes: the program wants to know what they do not exceed.

    Attributes:
        column: index of the column.
        tell: is told the limits, too, before those of the needs behind are asked for.
    """

    column: int
    tell: Callable[[tuple[float, float]], None]
    _exact: tuple[float, float] | None = None
    _most: tuple[float, float] = (0.0, 0.0)

    def choose(self, numbers: np.ndarray) -> tuple[float, float]:
        """(least, largest), or less and more: those of the first batch as long as others have the same, then of few classes
        that only grow, so that few programs are compiled. Where 0 is located is kept.

        Args:
            numbers: of all samples of a batch.
        """
        finite = numbers[np.isfinite(numbers)]
        least, most = (float(finite.min()), float(finite.max())) if finite.size else (1.0, 1.0)
        found = (min(least, 1.0) if least > 0 else least, max(most, -1.0) if most < 0 else most)
        if self._exact is None:
            self._exact = found
        if found != self._exact:
            below, above = self._most
            below = min(below, -_class_above(-least)) if least < 0 else below
            above = max(above, _class_above(most)) if most > 0 else above
            self._most = below, above
            found = (below if least < 0 else _SMALL * (least > 0), above if most > 0 else -_SMALL * (most < 0))
        self.tell(found)
        return found


# Above 0, and no size.
_SMALL = 2.0**-20


def _class_above(number: float) -> float:
    """Of four classes an octave the first that is not below."""
    step = 2.0 ** (math.floor(math.log2(number)) - 2)
    return math.ceil(number / step) * step


# What a program is told of a batch before it is traced.
Need: TypeAlias = CanvasNeed | ChannelsNeed | MeasuredNeed


class CanvasPolicy:
    """Chooses the canvas of each batch for one `CanvasNeed`.

    A batch whose images all have one size gets exactly that, the first few such sizes; otherwise extents are rounded up
    to few classes and never shrink, so that a data set compiles a handful of programs and then no more.

    Args:
        max_bytes: limit of one batch of canvases.
    """

    def __init__(self, name: str, max_bytes: int):
        self._name = name
        self._max_bytes = max_bytes
        self._height = self._width = 0
        self._exact: set[tuple[int, int]] = set()
        self._warned = False

    def choose(self, sizes: np.ndarray, first_sample: int = 0) -> Canvas:
        """Args:
            sizes: int[N, 2]; rows of zeros are images that cannot be decoded, and as large as the others are, if
                those agree.
            first_sample: index in the epoch of row 0, for the error.

        Raises:
            ConfigError: the canvas would be larger than `max_bytes`.
        """
        height, width = (int(extent) for extent in sizes[:, :2].max(axis=0, initial=1))
        readable = sizes[sizes[:, 0] > 0]
        uniform = len(readable) > 0 and bool((readable[:, 0] == height).all() and (readable[:, 1] == width).all())
        if uniform and ((height, width) in self._exact or len(self._exact) < _EXACT_SIZES):
            canvas = Canvas(height, width, True)
        else:
            height = max(self._height, padded_extent(height))
            width = max(self._width, padded_extent(width))
            canvas = Canvas(height, width, False)
        # Before anything is remembered: a batch that is refused must not make the next one too large.
        self._check(canvas, sizes, first_sample)
        if canvas.exact:
            self._exact.add((height, width))
        else:
            self._height, self._width = height, width
        return canvas

    def _check(self, canvas: Canvas, sizes: np.ndarray, first_sample: int) -> None:
        pixels = sizes[:, 0].astype(np.int64) * sizes[:, 1]
        total = canvas.height * canvas.width * len(sizes)
        if total * 3 > self._max_bytes:
            row = int(pixels.argmax())
            raise ConfigError(
                f"decoding {self._name!r} needs a canvas of {canvas.height}x{canvas.width} for {len(sizes)} images "
                f"({total * 3} bytes, max_canvas_bytes is {self._max_bytes}); the largest image is sample "
                f"{first_sample + row} with {sizes[row, 0]}x{sizes[row, 1]}. Resize in the source, "
                "lower the batch size or raise max_canvas_bytes"
            )
        if not self._warned and pixels.all() and total > _WASTE * int(pixels.sum()):
            self._warned = True
            logger.warning(
                "the canvas of %r has %.1f times the pixels of its images; images of similar size, or a source that "
                "resizes, would save memory and time",
                self._name,
                total / int(pixels.sum()),
            )
