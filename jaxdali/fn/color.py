"""Colour operators."""

from __future__ import annotations

from typing import Any

from .. import types
from ..pipeline.node import DataNode
from ..pipeline.recording import recorded
from ..pipeline.trace import add_operator
from ..pipeline.value import BatchValue
from .arguments import check_numbers, check_unsupported, numpy_dtype

__all__ = ["brightness_contrast"]

ARGUMENTS = ("brightness", "brightness_shift", "contrast", "contrast_center", "dtype", "device", "name")


@recorded("fn.brightness_contrast")
def brightness_contrast(
    data: DataNode,
    *,
    brightness: float | DataNode = 1.0,
    brightness_shift: float | DataNode = 0.0,
    contrast: float | DataNode = 1.0,
    contrast_center: float | DataNode | None = None,
    dtype: types.DALIDataType | None = None,
    device: str | None = None,
    name: str | None = None,
    **dali: Any,
) -> DataNode:
    """`out = brightness_shift * R + brightness * (c + contrast * (in - c))`; DALI's operator of the same name.

    `R` is the largest value of an integer output type, 1 for a float one; `c` is `contrast_center`, by default half of
    the input's range (128 for uint8). Integers are rounded half away from zero and saturated. See
    `jaxdali.image.brightness_contrast`.

    Args:
        data: images or any other numbers.
        brightness, brightness_shift, contrast, contrast_center: numbers, or nodes with one a sample.
        dtype: of the output; not given: that of the input.
        dali: DALI's other arguments, with the values that describe how it is done here; others are refused.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    check_unsupported("brightness_contrast", dali, {}, ARGUMENTS)
    arguments: dict[str, Any] = {
        "brightness": brightness,
        "brightness_shift": brightness_shift,
        "contrast": contrast,
    }
    if contrast_center is not None:
        arguments["contrast_center"] = contrast_center
    check_numbers("brightness_contrast", arguments)
    target = numpy_dtype(dtype)

    def evaluate(_context: Any, inputs: list[BatchValue], arguments: dict[str, Any]) -> BatchValue:
        from ..image import brightness_contrast as compute

        (value,) = inputs
        return BatchValue(compute(value.data, **arguments, dtype=target), value.shapes, value.layout)

    options: dict[str, Any] = {"device": device, "name": name, "keeps_extents": True}
    return add_operator("brightness_contrast", evaluate, [data], arguments, **options).node()
