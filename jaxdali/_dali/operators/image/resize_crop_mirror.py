"""Resizes, crops and mirrors in one pass."""

from __future__ import annotations

from typing import Any

from ...graph.call import Params
from ..argument_kinds import numpy_dtype
from ..declaration import PerSample, operator
from ..lazy import Lazy
from ..operator_inputs import IMAGES, assuming
from ..values import BatchValue, Context, ImagesValue, images_of
from .resized_volumes import resized_volumes
from .resized_windows import cut_resized, most_of_windows, resized_windows_bounds
from .resizing import HINTS, RESIZED, SIZED, read_sizes, resize_steps, resized
from .volume_operators import DEPTH, is_volumes
from .window import CROP, WINDOW, Window, is_cut, read_window

__all__ = ["resize_crop_mirror"]

_SPOKEN = "fn.resize_crop_mirror"
_HORIZONTAL, _VERTICAL, _DEPTHWISE = 1, 2, 4


def _steps(params: Params) -> tuple[str, ...] | None:
    steps = resize_steps(params)
    return None if steps is None else (*steps, "flip")


@operator(
    "resize_crop_mirror",
    inputs=[assuming(IMAGES, "HWC", "FHWC", "FDHWC")],
    params=[
        *SIZED,
        CROP,
        *WINDOW[1:],
        *DEPTH,
        PerSample("mirror", 0, "the sum of 1 (left to right), 2 (top to bottom) and 4 (volumes front to back)"),
        *RESIZED,
    ],
    accepted=HINTS,
    prepare=lambda params: read_window(_SPOKEN, read_sizes(params, _SPOKEN)),
    lazy=Lazy(_steps, resized_windows_bounds, grows=True),
)
def resize_crop_mirror(
    context: Context, value: BatchValue | ImagesValue, *, mirror: object, **params: Any
) -> BatchValue | ImagesValue:
    """Resizes every image or volume, cuts a window out of the result, and mirrors it; DALI's operator.

    Only what becomes the window is resized. The window may be larger than the result: the pixels at the edge are then
    repeated. Sizes are those of `fn.resize`, windows those of `fn.crop`.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.image_volumes import flip_volumes

    bits: Any = jnp.asarray(mirror).astype(jnp.int32)
    horizontal, vertical, depthwise = (bits & flag for flag in (_HORIZONTAL, _VERTICAL, _DEPTHWISE))
    cuts = is_cut(params)
    if is_volumes(value):
        assert isinstance(value, BatchValue)

        def of_volumes(found: object, extents: object, most: tuple[int, ...]) -> tuple[Any, tuple[int, ...]]:
            return cut_resized(context, found, extents, params), most_of_windows(context, params, most)

        made = resized_volumes(value, params, cut=of_volumes if cuts else None)
        data = flip_volumes(made.data, horizontal, vertical, depthwise, made.shapes)
        return BatchValue(data, made.shapes, made.layout)

    def of_images(found: object, extents: object) -> tuple[Any, tuple[int, int] | None]:
        window = Window.of(params)
        return cut_resized(context, found, extents, params), window and window.size

    images = resized(images_of(context, value, numpy_dtype(params["dtype"])), params, of_images if cuts else None)
    return images.then(images.images.flip(horizontal, vertical))
