"""Resizes images."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import numpy as np
from jax.typing import ArrayLike, DTypeLike

from jaxdali.errors import ConfigError
from .convert import check_dtype
from .exact_arithmetic import to_float32
from .filters import check_filter
from .image_arguments import along_batch, check_images, check_shapes, check_size
from .images import Images
from .pixel_program import PIXEL_DTYPES
from .resample import MAX_EXTENT_PRODUCT, is_exact
from .resize_pixels import resize_pixels

__all__ = ["resize"]


def resize(
    images: ArrayLike,
    size: Sequence[int],
    shapes: ArrayLike | None = None,
    *,
    antialias: bool = True,
    dtype: DTypeLike | None = None,
    min_filter: str = "linear",
    mag_filter: str = "linear",
    region: ArrayLike | None = None,
    extents: ArrayLike | None = None,
) -> jax.Array:
    """Resizes each image to the same size, or to extents of its own.

    Along each axis, pixel `i` of the result is a weighted average of the source pixels `j` around
    `(i + 0.5) * s - 0.5`, with `s = extent_in / extent_out`. Linear weights are `max(0, 1 - |distance| / r)`,
    normalised; `r` is `max(1, s)`, or 1 without antialiasing. Other filters are cubic (`r` is twice that), Lanczos
    (three times) and Gaussian, from DALI's tables; or the nearest pixel is copied. Beyond an edge, the pixel at the
    edge is repeated.

    Every platform gives the same numbers, and so does `decode_resample`: a linear weight is one integer divided by
    another, rounded to float32; the vertical axis comes first; a sum is float32, `j` ascending, and each product and
    each sum is rounded.

    Args:
        images: `[N, H, W, C]`, integer or floating.
        size: (height, width) of the result in pixels, known while tracing.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas. None: every image fills `H` by `W`.
            An image without pixels (a failed one) becomes all zeros.
        antialias: whether the filter widens when an axis shrinks.
        dtype: that of the result, converted by `round_to_dtype`; None: that of `images`.
        min_filter: the filter of axes that shrink: "nearest", "linear", "cubic", "lanczos3", "triangular" (the same as
            "linear") or "gaussian".
        mag_filter: the filter of all other axes, one of the same.
        region: `float32[N, 4]`, y_lo, y_hi, x_lo, x_hi in pixels of each image: the part to resize, lo < hi. The filter
            reads beyond it, up to the image's edge. None: the whole image.
        extents: `int32[N, 2]`, the height and width that each image gets, at most `size`, in the top left corner of the
            result; zeros outside. None: `size`.

    Returns:
        `dtype[N, size[0], size[1], C]`.

    Raises:
        ConfigError: a shape does not fit, a filter is none of those, or an extent is too large (extent_in * extent_out
            > 2**29, or extent_in**2 / extent_out near 2**31).

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images = np.arange(16, dtype=np.uint8).reshape(1, 4, 4, 1)
        >>> image.resize(images, (2, 2), min_filter="nearest")[0, :, :, 0]
        Array([[ 5,  7],
               [13, 15]], dtype=uint8)
    """
    images = check_images(images)
    height, width = check_size(size)
    source = check_dtype(images.dtype, "images have dtype")
    target = source if dtype is None else check_dtype(dtype)
    _, canvas_height, canvas_width, _ = images.shape
    if shapes is not None:
        check_shapes(shapes, images)
    filters = check_filter(min_filter, "min_filter"), check_filter(mag_filter, "mag_filter")
    passes = ((1, canvas_height, height), (2, canvas_width, width))
    for _, extent_in, extent_out in passes:
        if not is_exact(extent_in, extent_out):
            raise ConfigError(
                f"cannot resize {images.shape[1:3]} to {(height, width)}: each extent_in * "
                f"extent_out must be 1 to {MAX_EXTENT_PRODUCT}, and extent_in**2 / extent_out below 2**31. "
                "Resize in two steps."
            )
    for name, value, columns in (("extents", extents, 2), ("region", region, 4)):
        if value is not None and np.shape(value) != (images.shape[0], columns):
            raise ConfigError(
                f"{name} have shape {np.shape(value)} for {images.shape[0]} images; expected [N, {columns}]."
            )
    extents = None if extents is None else along_batch(extents, images)
    region = None if region is None else along_batch(to_float32(region), images)
    if source in PIXEL_DTYPES and target in PIXEL_DTYPES:
        filters = {"min_filter": min_filter, "mag_filter": mag_filter}
        wanted = (height, width) if extents is None else extents
        resized = Images.of(images, shapes).resample(wanted, region, antialias=antialias, dtype=target, **filters)
        return resized.array((height, width), on_error="zeros")[0]
    options = {"antialias": antialias, "dtype": target, "filters": filters, "region": region, "extents": extents}
    return resize_pixels(images, (height, width), shapes, **options)
