"""An encoded column of a slot as the operands of the custom calls: rows and sizes."""

from __future__ import annotations

import numpy as np

from .._ffi import load
from ..batch import ALIGNMENT, Codec, Row, Status
from ..workers.collect import HostColumn

__all__ = ["image_rows"]


def image_rows(column: HostColumn) -> tuple[np.ndarray, np.ndarray]:
    """Describes the images of an encoded column.

    Returns:
        rows: int32[N, 8], see `jaxdali.batch.Row`.
        sizes: int32[N, 3], height, width and channels after orientation; zeros where the image is bad.
    """
    rows, sizes = load.cpu_module().probe_rows(
        column.lease, column.offsets, column.sizes, column.column.max_image_pixels
    )
    for index in np.flatnonzero(column.decoded):
        height, width = (int(extent) for extent in column.shapes[index, :2])
        rows[index, Row.OFFSET] = column.offsets[index] // ALIGNMENT
        rows[index, Row.SIZE] = column.sizes[index]
        rows[index, Row.HEIGHT :] = (height, width, 3, Codec.RAW, 1, Status.OK)
        sizes[index] = (height, width, 3)
    known = (column.status != Status.OK) & ~column.decoded
    rows[known, Row.STATUS] = column.status[known]
    sizes[known] = 0
    return rows, sizes
