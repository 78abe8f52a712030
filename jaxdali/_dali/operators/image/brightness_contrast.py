"""Changes brightness and contrast."""

from __future__ import annotations

from typing import Any

from ..argument_kinds import DTYPE, numpy_dtype
from ..declaration import PerSample, Static, operator
from ..lazy import Lazy
from ..operator_inputs import ANY, assuming
from ..values import BatchValue, Context, ImagesValue
from .pixelwise import pixel_steps, pixels_of, within_extents

__all__ = ["brightness", "brightness_contrast", "contrast"]


_BRIGHTNESS = (
    PerSample("brightness", 1.0, "factor of the result"),
    PerSample("brightness_shift", 0.0, "added to the result, in units of the output's range"),
)
_CONTRAST = (
    PerSample("contrast", 1.0, "factor of the distance from `contrast_center`"),
    PerSample("contrast_center", None, "the level that contrast does not change; by default half of the input's range"),
)
_DTYPE = Static("dtype", DTYPE, None, "that of the output; by default the input's")
_RECORD: dict[str, Any] = {
    "inputs": [assuming(ANY, "HWC", "FHWC")],
    "keeps_extents": True,
    "lazy": Lazy(pixel_steps, one_window=lambda stage, _params: stage != "window"),
}


@operator("brightness_contrast", params=[*_BRIGHTNESS, *_CONTRAST, _DTYPE], **_RECORD)
def brightness_contrast(
    context: Context, value: BatchValue | ImagesValue, *, dtype: object, **factors: object
) -> BatchValue | ImagesValue:
    """Changes the brightness and the contrast of images; DALI's operator of the same name.

    `out = brightness_shift * R + brightness * (c + contrast * (in - c))`.
    `R` is the largest value of an integer output type, 1 for a float one; `c` is `contrast_center`, by default half of
    the input's range (128 for uint8). Integers are rounded half away from zero and saturated. See
    `jaxdali.image.brightness_contrast`.
    """
    return _changed(context, value, dtype, **factors)


@operator("brightness", params=[*_BRIGHTNESS, _DTYPE], **_RECORD)
def brightness(
    context: Context, value: BatchValue | ImagesValue, *, dtype: object, **factors: object
) -> BatchValue | ImagesValue:
    """Changes the brightness of images; DALI's operator of the same name.

    `out = brightness_shift * R + brightness * in`, see `fn.brightness_contrast`.
    """
    return _changed(context, value, dtype, **factors)


@operator("contrast", params=[*_CONTRAST, _DTYPE], **_RECORD)
def contrast(
    context: Context, value: BatchValue | ImagesValue, *, dtype: object, **factors: object
) -> BatchValue | ImagesValue:
    """Changes the contrast of images; DALI's operator of the same name.

    `out = c + contrast * (in - c)`, see `fn.brightness_contrast`.
    """
    return _changed(context, value, dtype, **factors)


def _changed(
    context: Context, value: BatchValue | ImagesValue, dtype: Any, contrast_center: object = None, **factors: Any
) -> BatchValue | ImagesValue:
    from jaxdali._device.image.color import brightness_contrast as compute

    target = numpy_dtype(dtype)
    if contrast_center is not None:
        factors["contrast_center"] = contrast_center
    images = pixels_of(context, value, target)
    if isinstance(images, ImagesValue):
        return images.then(images.images.brightness_contrast(**factors, dtype=target))
    return within_extents(images, compute(images.data, **factors, dtype=target))
