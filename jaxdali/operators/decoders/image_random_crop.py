"""Decodes random windows of images."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..image.random_window import RANDOM_WINDOW, draw_windows
from ..record import operator
from ..undecoded import Undecoded
from ..values import BatchValue, Context, EncodedValue
from .files import ACCEPTED, DECODING, DEVICES, FILES, REFUSED, check_files, decode_whole, decoding_of, step

__all__ = ["image_random_crop"]


def _apply(context: Context, images: Undecoded, params: Mapping[str, Any]) -> Undecoded:
    return images.cut(draw_windows(context, images.extents, params))


@operator(
    "decoders.image_random_crop",
    inputs=[FILES],
    params=[*RANDOM_WINDOW, *DECODING],
    accepted=ACCEPTED,
    refused=REFUSED,
    devices=DEVICES,
    raises={"GraphError": "`data` does not come straight from a source"},
    check=check_files,
    draws=True,
    decoding=decoding_of,
    step=lambda params: step(params, _apply),
)
def image_random_crop(context: Context, files: EncodedValue, **params: Any) -> BatchValue:
    """Decodes a random window of each image to RGB; DALI's `fn.decoders.image_random_crop`.

    Windows differ in size. Where `fn.resize` with a fixed size follows, only the windows are decoded. A `canvas` is for the
    images of which the windows are parts.
    """
    import jax.numpy as jnp

    from ...image import crop_windows

    images = decode_whole(context, files)
    shapes = images.image_shapes()
    windows = draw_windows(context, shapes, params)
    cut = crop_windows(images.data, windows, images.shapes)
    return BatchValue(cut, jnp.concatenate([windows[:, 2:], shapes[:, 2:]], axis=1), "HWC")
