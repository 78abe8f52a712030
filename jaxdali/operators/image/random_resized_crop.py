"""Resizes random windows of images."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..inputs import IMAGES
from ..kinds import numpy_dtype
from ..record import operator
from ..undecoded import Undecoded
from ..values import BatchValue, Context
from .random_window import RANDOM_WINDOW, draw_windows
from .resizing import FILTERS, SIZE, SIZED, pixels, resizing_step

__all__ = ["random_resized_crop"]


def _apply(context: Context, images: Undecoded, params: Mapping[str, Any]) -> Undecoded:
    return images.cut(draw_windows(context, images.extents, params)).resize()


@operator(
    "random_resized_crop",
    inputs=[IMAGES],
    params=[SIZE, *RANDOM_WINDOW, *SIZED],
    refused=FILTERS,
    draws=True,
    step=lambda params: resizing_step(params, _apply),
)
def random_resized_crop(
    context: Context, value: BatchValue, *, size: Any, antialias: bool, dtype: Any, **window: Any
) -> BatchValue:
    """Resizes a random window of every image to the same size; DALI's `fn.random_resized_crop`.

    Straight behind a decoder, only the window is decoded.
    """
    from ...image import crop_windows
    from ...image import resize as compute

    images = value.images(context)
    windows = draw_windows(context, value.image_shapes(), window)
    cut = crop_windows(images, windows, value.shapes)
    resized = compute(cut, pixels(size), windows[:, 2:], antialias=antialias, dtype=numpy_dtype(dtype))
    return BatchValue(resized, None, "HWC")
