"""The numbers used in the operands of `jaxdali_images_v1`; ffi/recipes/recipes.h has the same ones."""

from __future__ import annotations

import enum

__all__ = ["GEOMETRY_FIELDS", "MATRIX_CONSTANTS", "MAX_INSTRUCTIONS", "Filter", "Geometry", "InstructionKind"]


class Geometry(enum.IntEnum):
    """Columns of `geometry`, `int32[N, 17]`: pixels of the image as displayed, flags, and `Filter`s."""

    TOP = 0  # TOP to WIDTH: the hard window of the source; taps beyond it repeat its edge
    LEFT = 1
    HEIGHT = 2
    WIDTH = 3
    MIRROR_Y = 4  # the window is mirrored before it is resampled
    MIRROR_X = 5
    EXTENT_Y = 6  # what the window is resized to; only the part that the result needs is computed
    EXTENT_X = 7
    RESULT_TOP = 8  # RESULT_TOP to RESULT_WIDTH: the window of the resized image that becomes the result
    RESULT_LEFT = 9  # pixels outside the resized image are fill
    RESULT_HEIGHT = 10
    RESULT_WIDTH = 11
    RESULT_MIRROR_Y = 12  # the result's window is mirrored
    RESULT_MIRROR_X = 13
    MIN_FILTER = 14  # for axes that shrink
    MAG_FILTER = 15  # for the others
    ANTIALIAS = 16


class Filter(enum.IntEnum):
    """Kernels for MIN_FILTER and MAG_FILTER; both are NONE where pixels are only copied."""

    NONE = 0
    NEAREST = 1
    LINEAR = 2
    CUBIC = 3
    LANCZOS3 = 4
    TRIANGULAR = 5
    GAUSSIAN = 6


class InstructionKind(enum.IntEnum):
    """Instructions of a pixel program; `k` is the instruction's row of `constants`."""

    SAMPLE = 0  # instructions before it apply to source pixels, those after it to resampled ones
    FILL = 1  # from here on, pixels outside the resized image are `k[c]`
    ADD = 2  # v + k[c]
    MULTIPLY = 3  # v * k[c]
    ROUND = 4  # round to the nearest integer, halves away from zero, and clamp to k[0] to k[1]; NaN -> 0
    MATRIX = 5  # k[0:12] row by row: ((m0 * r + m1 * g) + m2 * b) + m3
    TO_FLOAT16 = 6
    TO_BFLOAT16 = 7


GEOMETRY_FIELDS = len(Geometry)
MAX_INSTRUCTIONS = 64
MATRIX_CONSTANTS = 12
