"""Reads the shapes of images from their files."""

from __future__ import annotations

from typing import Any

from jaxdali._base.batch import Row
from jaxdali._base.dtypes import ANY_DATA, GRAY, INT64, RGB
from ..argument_kinds import DTYPE, FLAG, IMAGE_TYPE, numpy_dtype
from ..declaration import Static, operator
from ..int64_values import wide_type
from ..values import BatchValue, Context, EncodedValue
from .decoder_inputs import FILES, ON_ERROR, check_files

__all__ = ["peek_image_shape"]

# From this EXIF orientation on, height and width are exchanged.
_TURNED = 5


@operator(
    "peek_image_shape",
    inputs=[FILES],
    params=[
        Static("dtype", DTYPE, INT64, "that of the output"),
        Static(
            "adjust_orientation",
            FLAG,
            True,
            "give the shape after EXIF orientation; False: the shape stored in JPEG files. Other formats are always "
            "rotated",
        ),
        Static(
            "image_type",
            IMAGE_TYPE,
            RGB,
            "GRAY: one channel; ANY_DATA: the file's number of channels; otherwise 3",
        ),
        ON_ERROR,
    ],
    raises={"GraphError": "`data` does not come straight from a source"},
    check=check_files,
    devices=["cpu"],
)
def peek_image_shape(
    context: Context,
    files: EncodedValue,
    *,
    dtype: Any,
    adjust_orientation: bool,
    image_type: object,
    on_error: str | None,
) -> BatchValue:
    """Reads the shapes of images from their headers, and decodes nothing; DALI's operator.

    A shape is (height, width, channels).
    """
    import jax
    import jax.numpy as jnp

    from jaxdali._device.image.convert import round_to_dtype

    rows, sizes = files.batch.rows, files.batch.sizes
    status = rows[:, Row.STATUS]
    context.report(files.column, on_error, status)
    height, width = sizes[:, 0], sizes[:, 1]
    if not adjust_orientation:
        turned = rows[:, Row.ORIENTATION] >= _TURNED
        height, width = jnp.where(turned, width, height), jnp.where(turned, height, width)
    channels = jnp.where(status == 0, 1 if image_type is GRAY else 3, 0)
    if image_type is ANY_DATA:
        channels = jnp.where(status == 0, rows[:, Row.COMPONENTS], 0)
    found = jnp.stack([height, width, channels], axis=1).astype(jnp.int32)
    target: Any = numpy_dtype(dtype)
    return BatchValue(round_to_dtype(found, jax.dtypes.canonicalize_dtype(target)), wide=wide_type(target))
