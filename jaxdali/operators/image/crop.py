"""Cuts a window out of every image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import types
from ...graph.call import Params
from ..declaration import Static, operator
from ..inputs import IMAGES
from ..kinds import DTYPE, numpy_dtype
from ..lazy import Lazy
from ..values import BatchValue, Context, ImagesValue, images_of
from .pixels import recipe_dtype, within_extents
from .volumes import DEPTH, cut_volumes, is_volumes
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
    assert window is not None
    return (window.step, "pixels") if recipe_dtype(params) else None


def _one_window(stage: str, params: Params) -> bool:
    return stage == "window" and is_inside(params) and params["dtype"] in (None, types.UINT8)


@operator(
    "crop",
    inputs=[IMAGES],
    params=[
        CROP,
        *WINDOW[1:],
        *DEPTH,
        Static("dtype", DTYPE, None, "that of the output; by default the input's"),
        *OUT_OF_BOUNDS,
    ],
    old=OLD,
    prepare=lambda params: read_window("fn.crop", params, required=True),
    lazy=Lazy(_steps, window_extents, grows=may_grow, one_window=_one_window),
    sized=unlimited_windows,
)
def crop(context: Context, value: BatchValue | ImagesValue, *, dtype: Any, **params: Any) -> BatchValue | ImagesValue:
    """Cuts a window out of every image or volume; DALI's `fn.crop`. If its size is a node, results differ in size."""
    window, target = Window.of(params), numpy_dtype(dtype)
    assert window is not None
    if is_volumes(value):
        assert isinstance(value, BatchValue)
        from ...image import round_to_dtype

        found = cut_volumes(
            context, value, window, params, round_to_dtype(np.asarray(window.fill, np.float32), value.data.dtype)
        )
        return found if target is None else within_extents(found, round_to_dtype(found.data, target))
    cut = window.cut(context, images_of(context, value, target), params)
    return cut if target is None else cut.then(cut.images.cast(target))
