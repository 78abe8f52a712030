"""The rows of a column: for files the custom calls' operands; for arrays a check whether shapes may differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jaxdali._base.batch import ROW_FIELDS
from jaxdali._feed import _host
from jaxdali._feed.ring.host_batch import HostColumn
from jaxdali._feed.ring.slot_reader import RECORD
from jaxdali.errors import SourceDataError
from .step import Step

__all__ = ["array_shapes", "check_shapes", "image_rows", "numbers_of", "stacked_rows"]


def check_shapes(step: Step) -> None:
    """Checks the shapes of a step's arrays. First chooses the width of columns whose lengths the sampler knows.

    Raises:
        SourceDataError: a sample of a column with `shapes="same"` has another shape than the first, or a sample is
            longer than the widest padding of its column. It names the first such sample.
    """
    for column in step.columns:
        about = column.column
        if about.by_sampler and step.longest is not None:
            longest = step.longest(step.epoch, step.iteration)
            # A user's own sampler may exceed all widths; then the check below names the sample.
            column.widths = (next((width for width in about.extents if width >= longest), about.extents[-1]),)
        if column.widths:
            _check_length(step, column)
        if about.encoded or about.shapes != "same" or not len(column):
            continue
        first = column.dense_shape[1:] if about.sample_shape is None else about.sample_shape
        if column.uniform and column.dense_shape[1:] == first:
            continue
        row = int((column.shapes != first).any(axis=1).argmax())
        raise SourceDataError(
            f"samples differ in shape in {about.name!r}: the first of the data has {first}, this one "
            f"{tuple(column.shapes[row].tolist())}. Declare it, Loader(..., {about.ragged_argument}), to get a pair "
            "(padded array, int32 shapes) in every batch; or have __getitem__ return one shape for all",
            step.origin(about.name, row),
        )


def _check_length(step: Step, column: HostColumn) -> None:
    lengths, longest = column.shapes[:, 0], column.widths[-1]
    if (lengths > longest).any():
        row = int((lengths > longest).argmax())
        name, whole = column.column.name, column.column.extents[-1]
        said = (
            f"ragged= pads its first axis to at most {whole}; have __getitem__ cut it, or declare more"
            if longest == whole
            else f"none of the lengths that the sampler was given for this batch is above {longest}; give it the "
            "lengths of the samples"
        )
        raise SourceDataError(
            f"{name!r} of this sample has shape {tuple(column.shapes[row].tolist())}, but {said}",
            step.origin(name, row),
        )


def array_shapes(column: HostColumn) -> np.ndarray:
    """Returns int[N, ndim], the shapes of the samples of a column of arrays."""
    if column.clips is not None:
        return column.clips.shapes
    held = column.device_batch
    if held is None:
        return column.shapes
    if held.shapes is not None:
        return np.asarray(held.shapes)
    return np.tile(np.asarray(held.data.shape[1:], np.int64), (len(held.data), 1))


def image_rows(column: HostColumn) -> tuple[np.ndarray, np.ndarray]:
    """Describes the images of an encoded column.

    Returns:
        rows: int32[N, 8], see `jaxdali.image.Row`.
        sizes: int32[N, 3], height, width and channels after orientation, if it is applied; zeros if the image is bad.
            Those of `sizes_of_rows`.
    """
    rows, sizes = np.zeros((len(column), ROW_FIELDS), np.int32), np.zeros((len(column), 3), np.int32)
    if column.records is not None:
        records = column.records.view(np.uint8).reshape(-1, RECORD.itemsize)
        about = column.column
        _host.describe_files(column.lease, records, about.max_image_pixels, about.as_stored, rows, sizes)
    return rows, sizes


def stacked_rows(columns: Sequence[HostColumn]) -> tuple[np.ndarray, np.ndarray]:
    """Returns what `image_rows` does, for T columns together: `int32[N, T, 8]` and `int32[N, T, 3]`."""
    rows, sizes = zip(*map(image_rows, columns), strict=True)
    return np.stack(rows, axis=1), np.stack(sizes, axis=1)


def numbers_of(column: HostColumn) -> np.ndarray:
    """Returns all numbers of a column's samples: `[N, K]` if each has K numbers, else concatenated."""
    samples = [np.ravel(column.at(index)) for index in range(len(column))]
    same = len({len(sample) for sample in samples}) == 1
    return (np.stack if same else np.concatenate)(samples).astype(np.float64) if samples else np.zeros(0)
