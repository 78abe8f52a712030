"""Decodes images."""

from __future__ import annotations

from ..lazy import Lazy
from ..values import Context, EncodedValue, ImagesValue
from .decoder_inputs import color_steps, image_decoder, is_rgb, open_files

__all__ = ["image"]

_CACHE: dict[str, str] = dict.fromkeys(
    ("cache_batch_copy", "cache_debug", "cache_size", "cache_threshold", "cache_type"),
    "images are decoded each time; keep decoded ones in a source where that takes too long",
)


@image_decoder("decoders.image", accepted=_CACHE, lazy=Lazy(color_steps, one_window=is_rgb))
def image(context: Context, files: EncodedValue, **_params: object) -> ImagesValue:
    """Decodes images; DALI's `fn.decoders.image`.

    They are `dtype[H, W, 3]` (GRAY: `[H, W, 1]`, ANY_DATA: 1 to 4), layout "HWC".

    JPEG (baseline and progressive, gray, CMYK), PNG, WebP, BMP, TIFF, PNM, GIF, TGA,
    JPEG 2000 and AVIF. On the CPU the
    pixels are those of Pillow's `Image.open(file).convert("RGB")`, but that levels of 16 bits become the nearest of 8, if
    `dtype` is not UINT16. Other formats, and channels of 32 bits, are UNSUPPORTED: return arrays from your source.
    device="mixed": files on the host, images on the pipeline's device.
    """
    return open_files(context, files)
