"""Resizes random windows of images."""

from __future__ import annotations

from typing import Any

from ...graph.call import Params
from ..argument_kinds import EXTENTS, numpy_dtype
from ..declaration import REQUIRED, Static, operator
from ..image_extents import Extents
from ..lazy import Lazy
from ..operator_inputs import IMAGES, assuming
from ..values import BatchValue, Context, ImagesValue, images_of
from .pixelwise import recipe_dtype
from .random_window import RANDOM_WINDOW, draw_windows
from .resizing import HINTS, RESIZED, filters_of, is_plain, whole_pixels

__all__ = ["random_resized_crop"]


def _steps(params: Params) -> tuple[str, ...] | None:
    return ("cut", "resample") if recipe_dtype(params) else None


@operator(
    "random_resized_crop",
    inputs=[assuming(IMAGES, "HWC", "FHWC")],
    params=[
        Static(
            "size",
            EXTENTS,
            REQUIRED,
            "(height, width), or one number for both; fractions are rounded to the nearest pixel",
        ),
        *RANDOM_WINDOW,
        *RESIZED,
    ],
    accepted=HINTS,
    is_random=True,
    lazy=Lazy(
        _steps, lambda params, _extents: Extents.of_size(*whole_pixels(params["size"])), grows=True, one_window=is_plain
    ),
)
def random_resized_crop(context: Context, value: BatchValue | ImagesValue, *, size: Any, **params: Any) -> ImagesValue:
    """Resizes a random window of every image to the same size; DALI's `fn.random_resized_crop`.

    Windows are whole pixels, and the filter does not read beyond them. After a decoder, only the window is decoded.
    """
    images = images_of(context, value, numpy_dtype(params["dtype"]))
    windows = draw_windows(context, images.images.extents, params)
    cut = images.images.cut(windows)
    return images.then(cut.resample(whole_pixels(size), **filters_of(params)))
