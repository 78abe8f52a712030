"""Transforms the boxes of images that are mirrored or pasted."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali.errors import GraphError
from ..argument_kinds import FLAG
from ..declaration import REQUIRED, Input, PerSample, Static, operator
from ..values import BatchValue, Context

__all__ = ["bb_flip", "bbox_paste"]

_BOXES = Input("boxes", "boxes as fractions of their image, FLOAT [number, 4], or [4]", takes="boxes")
_LTRB = Static("ltrb", FLAG, False, "boxes are left, top, right, bottom; False: x, y, width, height")


@operator(
    "bb_flip",
    inputs=[_BOXES],
    params=[
        PerSample("horizontal", 1, "mirror left to right if not 0"),
        PerSample("vertical", 0, "mirror top to bottom if not 0"),
        _LTRB,
    ],
    keeps_extents=True,
)
def bb_flip(context: Context, value: BatchValue, *, horizontal: Array, vertical: Array, ltrb: bool) -> BatchValue:
    """Mirrors boxes like their images; DALI's `fn.bb_flip`."""
    from jaxdali._device.boxes.flips import flip_boxes

    return _made(value, flip_boxes(_checked(context, value), horizontal, vertical, ltrb))


@operator(
    "bbox_paste",
    inputs=[_BOXES],
    params=[
        PerSample("ratio", REQUIRED, "extents of the canvas divided by those of the image, at least 1"),
        PerSample("paste_x", 0.5, "horizontal position of the image in the free space, 0 (left) to 1"),
        PerSample("paste_y", 0.5, "vertical position of the image in the free space, 0 (top) to 1"),
        _LTRB,
    ],
    keeps_extents=True,
)
def bbox_paste(
    context: Context, value: BatchValue, *, ratio: Array, paste_x: Array, paste_y: Array, ltrb: bool
) -> BatchValue:
    """Moves the boxes of images that are pasted on a larger canvas; DALI's `fn.bbox_paste`."""
    from jaxdali._device.boxes.flips import paste_boxes

    return _made(value, paste_boxes(_checked(context, value), ratio, paste_x, paste_y, ltrb))


def _checked(context: Context, value: BatchValue) -> Any:
    word = context.call.operator.display_name
    if value.data.dtype != np.float32 or value.data.ndim not in (2, 3) or value.data.shape[-1] != 4:
        raise GraphError(
            f"{word} expects boxes, FLOAT of shape [number, 4] or [4], got {value.data.dtype} of {value.data.shape[1:]}"
        )
    if value.shapes is not None:
        context.require(value.shapes[:, -1] == 4, f"{word} expects boxes of four numbers")
    return value.data


def _made(value: BatchValue, data: object) -> BatchValue:
    from jaxdali._device.numeric.ragged import outside_filled

    return BatchValue(outside_filled(data, value.shapes), value.shapes)
