"""Cuts a window out of every image."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.dtypes import UINT8
from ...graph.call import Params
from ..argument_kinds import DTYPE, numpy_dtype
from ..declaration import Static, operator
from ..lazy import Lazy
from ..operator_inputs import IMAGES, assuming
from ..values import BatchValue, Context, ImagesValue, images_of
from .pixelwise import recipe_dtype, within_extents
from .volume_operators import DEPTH, counts_frames, cut_volumes, is_volumes
from .window import (
    CROP,
    OLD,
    OUT_OF_BOUNDS,
    WINDOW,
    Window,
    is_inside,
    may_grow,
    read_window,
    unlimited_windows,
    window_extents,
)

__all__ = ["crop"]


def _steps(params: Params) -> Sequence[str] | None:
    window = Window.of(params)
    cut = () if window is None else (window.step,)
    return (*cut, "pixels") if recipe_dtype(params) else None


def _one_window(stage: str, params: Params) -> bool:
    return stage == "window" and is_inside(params) and params["dtype"] in (None, UINT8)


@operator(
    "crop",
    inputs=[assuming(IMAGES, "HWC", "DHWC", "FDHWC")],
    params=[
        CROP,
        *WINDOW[1:],
        *DEPTH,
        Static("dtype", DTYPE, None, "that of the output; by default the input's"),
        *OUT_OF_BOUNDS,
    ],
    old=OLD,
    prepare=lambda params: read_window("fn.crop", params),
    lazy=Lazy(_steps, window_extents, grows=may_grow, one_window=_one_window, counts_frames=counts_frames),
    sized=unlimited_windows,
)
def crop(context: Context, value: BatchValue | ImagesValue, *, dtype: Any, **params: Any) -> BatchValue | ImagesValue:
    """Cuts a window out of every image, volume or sequence; DALI's `fn.crop`. If its size is a node, results differ in
    size. Without a window nothing is cut.
    """
    window, target = Window.of(params), numpy_dtype(dtype)
    if is_volumes(value):
        assert isinstance(value, BatchValue)
        from jaxdali._device.image.convert import round_to_dtype

        found = value
        if window is not None:
            fill = round_to_dtype(np.asarray(window.fill, np.float32), value.data.dtype)
            found = cut_volumes(context, value, window, params, fill)
        return found if target is None else within_extents(found, round_to_dtype(found.data, target))
    images = images_of(context, value, target)
    cut = images if window is None else window.cut(context, images, params)
    return cut if target is None else dataclasses.replace(cut.then(cut.images.cast(target)), wide=None)
