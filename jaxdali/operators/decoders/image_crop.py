"""Decodes a window of each image."""

from __future__ import annotations

from typing import Any

from ..image.window import REFUSED as REFUSED_OF_WINDOWS
from ..image.window import WINDOW, Window, read_window, window_extents
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

__all__ = ["image_crop"]


@operator(
    "decoders.image_crop",
    inputs=[FILES],
    params=[*WINDOW, *DECODING],
    accepted=ACCEPTED,
    refused=REFUSED_OF_WINDOWS,
    old=OLD,
    devices=DEVICES,
    raises={"GraphError": "`data` does not come straight from a source"},
    prepare=lambda params: read_window("fn.decoders.image_crop", params, required=True),
    check=check_files,
    decoding=decoding_of,
    lazy=Lazy(window_steps, window_extents, one_window=is_rgb),
)
def image_crop(context: Context, files: EncodedValue, **params: Any) -> ImagesValue:
    """Decodes a window of each image; DALI's `fn.decoders.image_crop`. Only the window is decoded. Where its size is a node,
    results differ in size.
    """
    window = Window.of(params)
    assert window is not None
    return window.cut(context, open_files(context, files), params)
