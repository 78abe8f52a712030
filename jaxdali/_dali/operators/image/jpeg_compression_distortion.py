"""Distorts images as saving them as JPEG does."""

from __future__ import annotations

from jaxdali.errors import GraphError
from ..declaration import PerSample, operator
from ..operator_inputs import IMAGES, assuming
from ..random.draw_arguments import single
from ..values import BatchValue, Context
from .warping import images_in

__all__ = ["jpeg_compression_distortion"]


@operator(
    "jpeg_compression_distortion",
    inputs=[assuming(IMAGES, "HWC", "FHWC")],
    params=[PerSample("quality", 50, "1 to 100, the best; other values are clipped")],
    keeps_extents=True,
)
def jpeg_compression_distortion(context: Context, value: BatchValue, *, quality: object) -> BatchValue:
    """Shows UINT8 RGB images as they look after being saved as JPEG and read again; DALI's operator.

    The numbers are those of libjpeg, as DALI's on the CPU, without a file. See `jaxdali.image.jpeg_distortion`.
    """
    from jaxdali._device.image.jpeg_distortion import jpeg_distortion

    value = images_in(context, value)
    if value.data.dtype != "uint8" or value.data.shape[-1] != 3:
        raise GraphError(
            f"fn.jpeg_compression_distortion expects images of UINT8 with 3 channels, got {value.data.dtype} with "
            f"{value.data.shape[-1]}; cast or convert them first"
        )
    data = jpeg_distortion(value.data, single(context, "quality", quality), value.shapes)
    return BatchValue(data, value.shapes, value.layout)
