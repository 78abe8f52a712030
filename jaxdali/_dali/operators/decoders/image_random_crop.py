"""Decodes random windows of images."""

from __future__ import annotations

from ..image.random_window import RANDOM_WINDOW, draw_windows
from ..lazy import Lazy
from ..values import Context, EncodedValue, ImagesValue
from .decoder_inputs import image_decoder, is_rgb, open_files, window_steps

__all__ = ["image_random_crop"]


@image_decoder(
    "decoders.image_random_crop",
    params=RANDOM_WINDOW,
    is_random=True,
    lazy=Lazy(window_steps, lambda _params, extents: extents.within(), one_window=is_rgb),
)
def image_random_crop(context: Context, files: EncodedValue, **params: object) -> ImagesValue:
    """Decodes a random window of each image; DALI's `fn.decoders.image_random_crop`.

    Windows differ in size. Only they are decoded. A `canvas` is for the images of which the windows are parts.
    """
    value = open_files(context, files)
    return value.then(value.images.cut(draw_windows(context, value.images.extents, params)))
