"""The common part of operators that mix the channels of each pixel."""

from __future__ import annotations

from collections.abc import Callable

from jaxdali.errors import GraphError
from ..values import BatchValue, Context, ImagesValue
from .pixelwise import pixels_of, within_extents

__all__ = ["mixed"]


def mixed(
    context: Context, value: BatchValue | ImagesValue, matrix: Callable[[object], object], dtype: object
) -> BatchValue | ImagesValue:
    """Returns the images with their three channels mixed.

    Args:
        matrix: `type of the images -> float32[3, 4]` or `[N, 3, 4]`.
        dtype: that of the result; None for that of the images.

    Raises:
        GraphError: the images have another number of channels.
    """
    found = pixels_of(context, value, dtype)
    channels = found.images.channels if isinstance(found, ImagesValue) else found.data.shape[-1]
    layout = "" if isinstance(found, ImagesValue) else found.layout
    if channels != 3 or (layout and not layout.endswith("C")):
        with_layout = f' and layout "{layout}"' if layout else ""
        raise GraphError(
            f"{context.call.operator.display_name} expects images of three channels, the last axis, got "
            f"{channels}{with_layout}"
        )
    if isinstance(found, ImagesValue):
        return found.then(found.images.mix(matrix(found.images.dtype), dtype))
    from jaxdali._device.image.color_matrix import mix

    return within_extents(found, mix(found.data, matrix(found.data.dtype), dtype))
