"""Converts numbers to another type."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

from ...graph.call import Params
from ..argument_kinds import DTYPE, numpy_dtype
from ..declaration import REQUIRED, Static, operator
from ..int64_values import narrow_integers, require_held
from ..lazy import Lazy
from ..operator_inputs import ANY
from ..values import BatchValue, Context, ImagesValue
from .pixelwise import pixel_steps, pixels_of

__all__ = ["cast"]


def _limits(_params: Params, inputs: Sequence[tuple[float, float] | None]) -> tuple[float, float] | None:
    limits = inputs[0]
    if limits is None or not all(map(math.isfinite, limits)):
        return limits
    return math.floor(limits[0]), math.ceil(limits[1])


@operator(
    "cast",
    inputs=[dataclasses.replace(ANY, computed=False)],
    params=[
        Static(
            "dtype",
            DTYPE,
            REQUIRED,
            "that of the output. Without jax_enable_x64, INT64 and UINT64 are computed in 32 bits, and a number that "
            "does not fit is an error: `Pipeline.run` returns INT64, iterators the int32 that JAX then has",
        )
    ],
    keeps_extents=True,
    lazy=Lazy(pixel_steps, one_window=lambda stage, _params: stage != "window"),
    limits=_limits,
)
def cast(context: Context, value: BatchValue | ImagesValue, *, dtype: Any) -> BatchValue | ImagesValue:
    """Converts numbers to another type; DALI's `fn.cast`.

    Floats become integers by rounding, halves away from zero, and saturating; NaN becomes 0. Integers saturate. Numbers
    that round to 0 become False, all others True. See `jaxdali.image.round_to_dtype`.
    """
    from jaxdali._device.image.convert import round_to_dtype

    target: Any = numpy_dtype(dtype)
    if isinstance(value, BatchValue) and (narrow := narrow_integers(target)) is not None:
        require_held(context, value.data, narrow)
        return BatchValue(round_to_dtype(value.data, narrow), value.shapes, value.layout, target).bounded(value.most)
    images = pixels_of(context, value, target)
    if isinstance(images, ImagesValue):
        return dataclasses.replace(images.then(images.images.cast(target)), wide=None)
    most = value.most if isinstance(value, BatchValue) and target.kind in "iuf" else None
    return BatchValue(round_to_dtype(images.data, target), images.shapes, images.layout).bounded(most)
