"""The numbers in the operands of `jaxdali_images_v1`; ffi/recipes/recipes.h holds the same."""

from __future__ import annotations

import enum

__all__ = ["GEOMETRY_FIELDS", "MATRIX_CONSTANTS", "MAX_INSTRUCTIONS", "Filter", "Geometry", "InstructionKind"]


class Geometry(enum.IntEnum):
    """Columns of `geometry`, `int32[N, 17]`; pixels of the image as it is shown, flags, `Filter`s."""

    TOP = 0  # TOP to WIDTH: the hard window of the source; taps beyond it repeat its edge
    LEFT = 1
    HEIGHT = 2
    WIDTH = 3
    MIRROR_Y = 4  # the window is mirrored before it is resampled
    MIRROR_X = 5
    EXTENT_Y = 6  # what the window is resized to; only what is asked of it is computed
    EXTENT_X = 7
    RESULT_TOP = 8  # RESULT_TOP to RESULT_WIDTH: the window of the resized image that is the result
    RESULT_LEFT = 9  # outside of the resized image it is fill
    RESULT_HEIGHT = 10
    RESULT_WIDTH = 11
    RESULT_MIRROR_Y = 12  # the result's window is mirrored
    RESULT_MIRROR_X = 13
    MIN_FILTER = 14  # for axes that shrink
    MAG_FILTER = 15  # for the others
    ANTIALIAS = 16


class Filter(enum.IntEnum):
    """Kernels of MIN_FILTER and MAG_FILTER; both are NONE where pixels are only copied."""

    NONE = 0
    NEAREST = 1
    LINEAR = 2
    CUBIC = 3
    LANCZOS3 = 4
    TRIANGULAR = 5
    GAUSSIAN = 6


class InstructionKind(enum.IntEnum):
    """Instructions of a pixel program; `k` is the instruction's row of `constants`."""

    SAMPLE = 0  # what is before it is done to source pixels, what is after it to resampled ones
    FILL = 1  # pixels outside of the resized image are `k[c]` from here on
    ADD = 2  # v + k[c]
    MULTIPLY = 3  # v * k[c]
    ROUND = 4  # the nearest whole number, halves away from zero, within k[0] to k[1]; NaN -> 0
    MATRIX = 5  # k[0:12] row by row: ((m0 * r + m1 * g) + m2 * b) + m3
    TO_FLOAT16 = 6
    TO_BFLOAT16 = 7


GEOMETRY_FIELDS = len(Geometry)
MAX_INSTRUCTIONS = 64
MATRIX_CONSTANTS = 12
