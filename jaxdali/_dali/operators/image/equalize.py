"""Equalizes the levels of images."""

from __future__ import annotations

from jaxdali.errors import GraphError
from ..declaration import operator
from ..operator_inputs import IMAGES, assuming
from ..values import BatchValue, Context
from .warping import images_in

__all__ = ["equalize"]


@operator("equalize", inputs=[assuming(IMAGES, "HW", "HWC", "FHWC")], keeps_extents=True)
def equalize(context: Context, value: BatchValue) -> BatchValue:
    """Equalizes the levels of each channel of UINT8 images, as OpenCV's equalizeHist; DALI's operator.

    A channel with a single level stays as it is.
    """
    from jaxdali._device.image.level_changes import CHANGES, change_levels

    value = images_in(context, value, own_channels=True)
    if value.data.dtype != "uint8":
        raise GraphError(f"fn.equalize expects images of UINT8, got {value.data.dtype}; cast them first")
    data = change_levels(value.data, CHANGES.index("equalize"), 0.0, value.shapes)
    return BatchValue(data, value.shapes, value.layout)
