"""Conversion to another type."""

from __future__ import annotations

from typing import Any

from ..inputs import ANY
from ..kinds import DTYPE, numpy_dtype
from ..lazy import Lazy
from ..record import REQUIRED, Static, operator
from ..values import BatchValue, Context, ImagesValue
from .pixels import pixel_steps, pixels_of

__all__ = ["cast"]


@operator(
    "cast",
    inputs=[ANY],
    params=[Static("dtype", DTYPE, REQUIRED, "of the output. 64 bits only with jax_enable_x64")],
    keeps_extents=True,
    lazy=Lazy(pixel_steps, one_window=lambda stage, _params: stage != "window"),
)
def cast(context: Context, value: BatchValue | ImagesValue, *, dtype: Any) -> BatchValue | ImagesValue:
    """Converts numbers to another type; DALI's `fn.cast`.

    Floats become integers by rounding, halves away from zero, and saturating; NaN becomes 0. Integers saturate. What rounds
    to 0 is False, all else True. See `jaxdali.image.round_to_dtype`.
    """
    from ...image import round_to_dtype

    target = numpy_dtype(dtype)
    images = pixels_of(context, value, target)
    if isinstance(images, ImagesValue):
        return images.then(images.images.cast(target))
    return BatchValue(round_to_dtype(images.data, target), images.shapes, images.layout)
