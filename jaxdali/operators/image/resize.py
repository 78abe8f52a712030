"""Resizes images."""

from __future__ import annotations

from typing import Any

from ..inputs import IMAGES
from ..kinds import numpy_dtype
from ..record import Only, operator
from ..values import BatchValue, Context
from .resizing import FILTERS, SIZE, SIZED, pixels, resizing_step

__all__ = ["resize"]

_GIVE_SIZE = "give size=(height, width)"
_VARIES = f"the result would differ in size from image to image; {_GIVE_SIZE}"


@operator(
    "resize",
    inputs=[IMAGES],
    params=[SIZE, *SIZED],
    refused={
        **FILTERS,
        "mode": Only("default", f"every image gets the size that is given; {_GIVE_SIZE}"),
        "subpixel_scale": Only(True, "sizes are whole pixels"),
        **dict.fromkeys(("roi_start", "roi_end"), Only(None, "crop first")),
        "roi_relative": Only(False, "crop first"),
        "max_size": Only(None, _GIVE_SIZE),
        "save_attrs": Only(False, "read the shapes of the node that is resized"),
        **dict.fromkeys(("resize_x", "resize_y"), Only(0, _GIVE_SIZE)),
        **dict.fromkeys(("resize_shorter", "resize_longer"), Only(0, _VARIES)),
    },
    step=lambda params: resizing_step(params, lambda _context, images, _params: images.resize()),
)
def resize(context: Context, value: BatchValue, *, size: Any, antialias: bool, dtype: Any) -> BatchValue:
    """Resizes every image to the same size with a triangular filter; DALI's `fn.resize(size=)`."""
    from ...image import resize as compute

    images = value.images(context)
    resized = compute(images, pixels(size), value.shapes, antialias=antialias, dtype=numpy_dtype(dtype))
    return BatchValue(resized, None, "HWC")
