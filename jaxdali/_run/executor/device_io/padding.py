"""Combines samples of different shapes into one array, each in the corner of its row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.dtypes import from_numpy_type
from jaxdali.errors import SourceDataError
from .canvas import padded_extent

__all__ = ["check_alike", "padded", "padded_shape"]


def check_alike(samples: Sequence[Any]) -> None:
    """Raises SourceDataError if samples (NumPy or CuPy arrays) differ in type or rank; names the first that differs."""
    first = samples[0]
    for index, sample in enumerate(samples):
        if sample.dtype != first.dtype:
            raise SourceDataError(
                f"Sample must have the same type as the target batch, current: {from_numpy_type(first.dtype).name}, new: "
                f"{from_numpy_type(sample.dtype).name} for sample idx: {index}"
            )
        if sample.ndim != first.ndim:
            raise SourceDataError(
                f"All tensors in a batch must have the same number of dimensions: the first has {first.ndim}, sample "
                f"{index} has {sample.ndim}"
            )


def padded(
    samples: Sequence[Any], dtype: Any, numpy: Any = np, widths: Sequence[int] = ()
) -> tuple[Any, np.ndarray | None]:
    """Combines n > 0 samples of one rank into an array `[n, ...]`, zero outside of them. Pads only axes that differ.

    Args:
        dtype: of the array.
        numpy: the module whose arrays they are: NumPy or CuPy.
        widths: allowed sizes of the first axis of samples, also if all samples have the same size there. The smallest
            that holds them is used, and one must. Empty: like the other axes.

    Returns:
        The array, and the shapes `int32[n, ndim]`, or None if all are the same.
    """
    shapes = np.array([sample.shape for sample in samples], np.int32).reshape(len(samples), -1)
    extents = padded_shape(shapes)
    if widths:
        extents[0] = next(width for width in widths if width >= shapes[:, 0].max())
    data = numpy.zeros((len(samples), *extents), dtype)
    for index, sample in enumerate(samples):
        data[(index, *(slice(extent) for extent in sample.shape))] = sample
    return data, None if (shapes == shapes[0]).all() else shapes


def padded_shape(shapes: np.ndarray) -> list[int]:
    """Returns the shape that samples of shapes `int[n, ndim]`, n > 0, are padded to: only in axes in which they differ."""
    # An axis in which all samples agree, such as the channels of images, is not padded.
    return [
        int(extent) if extent == least else padded_extent(int(extent))
        for least, extent in zip(shapes.min(axis=0), shapes.max(axis=0), strict=True)
    ]
