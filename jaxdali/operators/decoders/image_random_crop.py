"""Decodes random windows of images."""

from __future__ import annotations

from typing import Any

from ..image.random_window import RANDOM_WINDOW, draw_windows
from ..lazy import Lazy
from ..record import operator
from ..values import Context, EncodedValue, ImagesValue
from .files import (
    ACCEPTED,
    DECODING,
    DEVICES,
    FILES,
    OLD,
    check_files,
    decoding_of,
    is_rgb,
    open_files,
    window_steps,
)

__all__ = ["image_random_crop"]


@operator(
    "decoders.image_random_crop",
    inputs=[FILES],
    params=[*RANDOM_WINDOW, *DECODING],
    accepted=ACCEPTED,
    old=OLD,
    devices=DEVICES,
    raises={"GraphError": "`data` does not come straight from a source"},
    check=check_files,
    draws=True,
    decoding=decoding_of,
    lazy=Lazy(window_steps, lambda _params, extents: extents.within(), one_window=is_rgb),
)
def image_random_crop(context: Context, files: EncodedValue, **params: Any) -> ImagesValue:
    """Decodes a random window of each image; DALI's `fn.decoders.image_random_crop`.

    Windows differ in size. Only they are decoded. A `canvas` is for the images of which the windows are parts.
    """
    value = open_files(context, files)
    return value.then(value.images.cut(draw_windows(context, value.images.extents, params)))
