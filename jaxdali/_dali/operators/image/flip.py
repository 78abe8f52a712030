"""Mirrors images and volumes."""

from __future__ import annotations

from typing import Any

from ...graph.call import DataNode, Params
from ..declaration import PerSample, operator
from ..lazy import Lazy
from ..operator_inputs import IMAGES, assuming
from ..values import BatchValue, Context, ImagesValue, images_of
from .volume_operators import is_volumes

__all__ = ["flip"]


def _one_window(stage: str, params: Params) -> bool:
    vertical = params["vertical"]
    return stage != "window" and not isinstance(vertical, DataNode) and not vertical


@operator(
    "flip",
    inputs=[assuming(IMAGES, "HWC", "FHWC", "FDHWC")],
    params=[
        PerSample("horizontal", 1, "mirror left to right if not 0"),
        PerSample("vertical", 0, "mirror top to bottom if not 0"),
        PerSample("depthwise", 0, "mirror volumes front to back if not 0; images have no depth"),
    ],
    keeps_extents=True,
    lazy=Lazy(lambda _params: ("flip",), one_window=_one_window),
)
def flip(
    context: Context, value: BatchValue | ImagesValue, *, horizontal: Any, vertical: Any, depthwise: Any
) -> BatchValue | ImagesValue:
    """Mirrors images and volumes; DALI's `fn.flip`.

    Left to right (`horizontal`), top to bottom (`vertical`), front to back (`depthwise`), or in several of these ways.
    """
    if is_volumes(value):
        assert isinstance(value, BatchValue)
        from jaxdali._device.image.image_volumes import flip_volumes

        data = flip_volumes(value.data, horizontal, vertical, depthwise, value.shapes)
        return BatchValue(data, value.shapes, value.layout, value.wide)
    images = images_of(context, value)
    return images.then(images.images.flip(horizontal, vertical))
