"""Chooses static canvas shapes for images of different sizes: few of them, and only growing."""

from __future__ import annotations

import dataclasses
import logging
import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from jaxdali._base.batch import Codec, Row, Status
from jaxdali.errors import ConfigError

__all__ = ["Canvas", "CanvasNeed", "CanvasPolicy", "ChannelsNeed", "MeasuredNeed", "Need", "WideNeed", "padded_extent"]

logger = logging.getLogger("jaxdali")

# A warning is logged if a canvas has more than this many times the pixels of its images: resizing earlier would help.
_WASTE = 4.0

# Number of exact canvas sizes. Without a limit, batches that each have a size of their own (as with batch size 1) would
# each compile a program.
_EXACT_SIZES = 4


def padded_extent(extent: int) -> int:
    """Rounds an extent up (to at least 4) to one of a few sizes per octave, so that few shapes are compiled: two per
    octave up to 64, four from 128 on.

    Beyond 128, at most a fifth of an axis is padding; for short axes, such as the frames of clips, at most a half.
    Later operations compute padding just like samples.
    """
    step = 4
    while step * (4 if step < 32 else 8) < extent:
        step *= 2
    return max(step, -(-extent // step) * step)


@dataclasses.dataclass(frozen=True)
class Canvas:
    """A static shape. `exact`: every image of the batch fills it, so there is no padding."""

    height: int
    width: int
    exact: bool


@dataclasses.dataclass(frozen=True, eq=False)
class CanvasNeed:
    """A canvas for images of different sizes that a program makes from the images of a column.

    Attributes:
        column: index of the column.
        bound: `int64[N, 2] -> int64[N, 2]`: from the extents (height, width) of the column's images, an upper bound of
            the extents of the program's images. Called without images that cannot be decoded.
        exact: the program's images have exactly these extents.
    """

    column: int
    bound: Callable[[np.ndarray], np.ndarray]
    exact: bool = True

    def extents(self, sizes: np.ndarray) -> np.ndarray:
        """Returns the extents `int64[N, 2]` of the program's images, zeros for images that cannot be decoded.

        Args:
            sizes: `int[N, 2 or more]`, sizes of the column's images.
        """
        found = np.zeros((len(sizes), 2), np.int64)
        readable = (sizes[:, :2] > 0).all(axis=1)
        found[readable] = self.bound(sizes[readable, :2].astype(np.int64))
        return found


@dataclasses.dataclass(frozen=True, eq=False)
class ChannelsNeed:
    """The largest number of channels in a batch, for a program that keeps the channels of image files.

    Attributes:
        column: index of the column.
    """

    column: int

    def choose(self, rows: np.ndarray) -> int:
        """Returns 1 to 4, from rows `int32[N, 8]`; 3 if no file can be decoded."""
        good = rows[rows[:, Row.STATUS] == Status.OK]
        colors = (good[:, Row.CODEC] == Codec.JPEG) & (good[:, Row.COMPONENTS] > 1)
        return int(np.where(colors, 3, good[:, Row.COMPONENTS]).max()) if len(good) else 3


@dataclasses.dataclass(frozen=True)
class WideNeed:
    """The type of a column's numbers, if JAX has it in fewer bits, for a program whose results have types as well.

    Attributes:
        column: index of the column.
    """

    column: int


# Of numbers: the lower and the upper limit of all, and upper limits of each number of a sample, if they are needed.
Limits: TypeAlias = tuple[float, float, tuple[float, ...]]


@dataclasses.dataclass(eq=False)
class MeasuredNeed:
    """Limits of numbers that determine how large something becomes, for a program that must know them.

    Attributes:
        column: index of the column.
        tell: receives the limits too, before later needs are computed.
        each: limits of each number of a sample are needed as well.
    """

    column: int
    tell: Callable[[Limits], None]
    each: bool = False
    _exact: Limits | None = None
    _most: tuple[float, float] = (0.0, 0.0)
    _places: tuple[float, ...] = ()

    def choose(self, numbers: np.ndarray) -> Limits:
        """Returns (lower limit, upper limit, upper limits of each number) of the numbers: those of the first batch
        exactly, as long as later batches have the same. Otherwise from a few classes, and only growing, so that few
        programs are compiled. The limits have the same signs as the numbers.

        Args:
            numbers: of all samples of a batch, `[N, K]` if all samples have K numbers, else `[any]`. Without K, or if
                they are not needed, there are no limits of each number.
        """
        finite = numbers[np.isfinite(numbers)]
        least, most = (float(finite.min()), float(finite.max())) if finite.size else (1.0, 1.0)
        places = self._of_places(numbers)
        found: Limits = (min(least, 1.0) if least > 0 else least, max(most, -1.0) if most < 0 else most, places)
        if self._exact is None:
            self._exact = found
        if found != self._exact:
            below, above = self._most
            below = min(below, -_class_above(-least)) if least < 0 else below
            above = max(above, _class_above(most)) if most > 0 else above
            self._most = below, above
            if len(self._places) != len(places):
                self._places = (0.0,) * len(places)
            self._places = tuple(
                max(before, _class_above(one)) if one > 0 else before
                for before, one in zip(self._places, places, strict=True)
            )
            below, above = (below if least < 0 else _SMALL * (least > 0), above if most > 0 else -_SMALL * (most < 0))
            found = (below, above, self._places)
        self.tell(found)
        return found

    def _of_places(self, numbers: np.ndarray) -> tuple[float, ...]:
        if not self.each or numbers.ndim != 2 or not len(numbers):
            return ()
        return tuple(np.where(np.isfinite(numbers), numbers, 1.0).max(axis=0).tolist())


# A positive number smaller than any size.
_SMALL = 2.0**-20


def _class_above(number: float) -> float:
    """Rounds up to one of four classes per octave."""
    step = 2.0 ** (math.floor(math.log2(number)) - 2)
    return math.ceil(number / step) * step


# What a program must be told about a batch before it is traced.
Need: TypeAlias = CanvasNeed | ChannelsNeed | MeasuredNeed | WideNeed


class CanvasPolicy:
    """Chooses the canvas of each batch for one `CanvasNeed`.

    A batch whose images all have one size gets exactly that size, for the first few such sizes. Otherwise extents are
    rounded up to a few classes and never shrink, so that a data set compiles a handful of programs and then no more.

    Args:
        max_bytes: limit for one batch of canvases.
    """

    def __init__(self, name: str, max_bytes: int):
        self._name = name
        self._max_bytes = max_bytes
        self._height = self._width = 0
        self._exact: set[tuple[int, int]] = set()
        self._warned = False

    def choose(self, sizes: np.ndarray, first_sample: int = 0) -> Canvas:
        """Returns the canvas for a batch of images.

        Args:
            sizes: int[N, 2]; rows of zeros are images that cannot be decoded. They count as having the size of the
                others, if those agree.
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
        # Checked before anything is remembered: a refused batch must not make the next canvas too large.
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
