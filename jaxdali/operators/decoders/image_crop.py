"""Decodes a window of each image."""

from __future__ import annotations

from ..image.window import REFUSED as REFUSED_OF_WINDOWS
from ..image.window import WINDOW, Window, read_window, window_extents
from ..lazy import Lazy
from ..values import Context, EncodedValue, ImagesValue
from .files import image_decoder, is_rgb, open_files, window_steps

__all__ = ["image_crop"]


@image_decoder(
    "decoders.image_crop",
    params=WINDOW,
    refused=REFUSED_OF_WINDOWS,
    prepare=lambda params: read_window("fn.decoders.image_crop", params, required=True),
    lazy=Lazy(window_steps, window_extents, one_window=is_rgb),
)
def image_crop(context: Context, files: EncodedValue, **params: object) -> ImagesValue:
    """Decodes a window of each image; DALI's `fn.decoders.image_crop`. Only the window is decoded. Where its size is a node,
    results differ in size.
    """
    window = Window.of(params)
    assert window is not None
    return window.cut(context, open_files(context, files), params)
