"""Decodes a window of each image."""

from __future__ import annotations

from ...graph.call import Params
from ..image.window import REFUSED as REFUSED_OF_WINDOWS
from ..image.window import WINDOW, Window, is_cut, read_window, window_extents
from ..lazy import Lazy
from ..values import Context, EncodedValue, ImagesValue
from .decoder_inputs import color_steps, image_decoder, is_rgb, open_files, window_steps

__all__ = ["image_crop"]


def _steps(params: Params) -> tuple[str, ...]:
    return window_steps(params) if is_cut(params) else color_steps(params)


@image_decoder(
    "decoders.image_crop",
    params=WINDOW,
    refused=REFUSED_OF_WINDOWS,
    prepare=lambda params: read_window("fn.decoders.image_crop", params),
    lazy=Lazy(_steps, window_extents, one_window=is_rgb),
)
def image_crop(context: Context, files: EncodedValue, **params: object) -> ImagesValue:
    """Decodes a window of each image; DALI's `fn.decoders.image_crop`. Only the window is decoded. Where its size is a node,
    results differ in size. Without a window the whole images are decoded.
    """
    window, images = Window.of(params), open_files(context, files)
    return images if window is None else window.cut(context, images, params)
