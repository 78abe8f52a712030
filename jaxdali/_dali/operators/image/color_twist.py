"""Changes hue and saturation, also together with brightness and contrast."""

from __future__ import annotations

from typing import Any

from jaxdali._base.aliases import Array
from jaxdali._base.dtypes import UINT8
from ..argument_kinds import DTYPE, numpy_dtype
from ..declaration import PerSample, Static, operator
from ..lazy import Lazy
from ..operator_inputs import ANY, assuming
from ..values import BatchValue, Context, ImagesValue
from .channel_mixing import mixed
from .pixelwise import pixel_steps

__all__ = ["color_twist", "hsv", "hue", "saturation"]

_HUE = PerSample("hue", 0.0, "rotation of the hue, in degrees")
_SATURATION = PerSample("saturation", 1.0, "factor of the saturation")
_DTYPE = Static("dtype", DTYPE, None, "that of the output; by default the input's")
_RECORD: dict[str, Any] = {
    "inputs": [assuming(ANY, "HWC", "FHWC")],
    "keeps_extents": True,
    "lazy": Lazy(pixel_steps),
}
_RGB = {"image_type": "the three channels are taken for red, green and blue, as in DALI"}


@operator(
    "color_twist",
    params=[
        PerSample("brightness", 1.0, "factor of the result"),
        PerSample("contrast", 1.0, "factor of the distance from 128, or from 0.5 for floats"),
        _HUE,
        _SATURATION,
        _DTYPE,
    ],
    accepted=_RGB,
    **_RECORD,
)
def color_twist(
    context: Context, value: BatchValue | ImagesValue, *, dtype: Any, **factors: object
) -> BatchValue | ImagesValue:
    """Changes hue, saturation, contrast and brightness of images of three channels, the last axis; DALI's operator.

    `out = brightness * (c + contrast * (M @ in - c))`: `M` rotates hues and scales saturation as `fn.hsv` does, `c` is
    128 for integers and 0.5 for floats. See `jaxdali.image.color_twist`.
    """
    from jaxdali._device.image.color_matrix import twist_matrix

    def matrix(source: object) -> Any:
        return twist_matrix(source, context.samples, **factors)

    return mixed(context, value, matrix, numpy_dtype(dtype))


@operator(
    "hsv",
    params=[
        _HUE,
        _SATURATION,
        PerSample("value", 1.0, "factor of the result"),
        Static("dtype", DTYPE, UINT8, "that of the output, also if the input is floats"),
    ],
    **_RECORD,
)
def hsv(
    context: Context, images: BatchValue | ImagesValue, *, dtype: object, **params: object
) -> BatchValue | ImagesValue:
    """Rotates hues and scales saturation and value of images of three channels, the last axis; DALI's operator.

    As in DALI this is one matrix applied to RGB, see `jaxdali.image.hsv`.
    """
    return _turned(context, images, dtype, params["hue"], params["saturation"], params["value"])


@operator("hue", params=[_HUE, _DTYPE], accepted=_RGB, **_RECORD)
def hue(context: Context, value: BatchValue | ImagesValue, *, dtype: object, hue: object) -> BatchValue | ImagesValue:
    """Rotates hues of images of three channels, the last axis; DALI's operator. See `jaxdali.image.hsv`."""
    return _turned(context, value, dtype, hue, 1.0, 1.0)


@operator("saturation", params=[_SATURATION, _DTYPE], accepted=_RGB, **_RECORD)
def saturation(
    context: Context, value: BatchValue | ImagesValue, *, dtype: object, saturation: object
) -> BatchValue | ImagesValue:
    """Scales the saturation of images of three channels, the last axis; DALI's operator. See `jaxdali.image.hsv`."""
    return _turned(context, value, dtype, 0.0, saturation, 1.0)


def _turned(
    context: Context, value: BatchValue | ImagesValue, dtype: Any, hue: object, saturation: object, factor: object
) -> BatchValue | ImagesValue:
    from jaxdali._device.image.color_matrix import hue_matrix

    def matrix(_source: object) -> Array:
        return hue_matrix(context.samples, hue, saturation, factor)

    return mixed(context, value, matrix, numpy_dtype(dtype))
