"""Resizing with a triangular filter; DALI's LINEAR interpolation with antialiasing."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from ..errors import ConfigError
from .arguments import along_batch, check_images, check_shapes, check_size
from .convert import check_dtype, round_to_dtype
from .exact import quotient

__all__ = ["resize"]

# The taps are computed in int32, and the largest number there is below 4 * extent_in * extent_out.
_MAX_EXTENT_PRODUCT = 1 << 29


def resize(images, size, shapes=None, *, antialias: bool = True, dtype=None) -> jax.Array:
    """Resizes each image to the same size.

    A pixel `i` of the result, along each axis, is the average of the source pixels `j` around
    `(i + 0.5) * s - 0.5`, with `s = extent_in / extent_out`, weighted by
    `max(0, 1 - |distance| / r)` and normalised; `r` is `max(1, s)`, or 1 without antialiasing.
    Beyond an edge the pixel at the edge is repeated. Weights come from integers, sums are float32;
    a sum's order is the compiler's, so two platforms may differ by about 1e-6 of the range, and by
    one level of uint8 where the exact result is a half.

    Args:
        images: `[N, H, W, C]`, integer or floating.
        size: (height, width) of the result in pixels, known while tracing.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas. Not given:
            every image fills `H` by `W`. An image without pixels (a failed one) becomes all zeros.
        antialias: whether the filter widens when an axis shrinks.
        dtype: of the result, converted to by `round_to_dtype`; not given: that of `images`.

    Returns:
        `dtype[N, size[0], size[1], C]`.

    Raises:
        ConfigError: a shape does not fit, or an extent is too large (extent_in * extent_out >
            2**29).
    """
    images = check_images(images)
    height, width = check_size(size)
    source = check_dtype(images.dtype, "images have dtype")
    target = source if dtype is None else check_dtype(dtype)
    _, canvas_height, canvas_width, _ = images.shape
    if shapes is not None:
        check_shapes(shapes, images)
    passes = [
        (1, canvas_height, height, "nhwc,nyh->nywc", "nhwc,yh->nywc"),
        (2, canvas_width, width, "nhwc,nxw->nhxc", "nhwc,xw->nhxc"),
    ]
    for _, extent_in, extent_out, *_ in passes:
        if extent_in < 1 or extent_in * extent_out > _MAX_EXTENT_PRODUCT:
            raise ConfigError(
                f"cannot resize {images.shape[1:3]} to {(height, width)}: each extent_in * "
                f"extent_out must be 1 to {_MAX_EXTENT_PRODUCT}. Resize in two steps."
            )
    # Each pass costs (its own multiplications) x (the other axis as it is then), so the one that
    # shrinks more goes first.
    rows_first = canvas_width * width * (canvas_height - height)
    columns_first = canvas_height * height * (canvas_width - width)
    if columns_first > rows_first:  # what each order saves
        passes.reverse()
    out = images.astype(jnp.float32)
    for axis, extent_in, extent_out, batched, shared in passes:
        if shapes is None:
            if extent_in == extent_out:
                continue  # every weight would be 0 or 1
            weights = _weights(jnp.full((1, 1, 1), extent_in), extent_in, extent_out, antialias)[0]
        else:
            extents = along_batch(shapes, images)[:, axis - 1].reshape(-1, 1, 1)
            weights = _weights(extents, extent_in, extent_out, antialias)
        out = jnp.einsum(
            shared if shapes is None else batched,
            out,
            weights,
            precision=lax.Precision.HIGHEST,
            preferred_element_type=jnp.float32,
        )
    return round_to_dtype(out, target)


def _weights(extent, canvas: int, out: int, antialias: bool) -> jax.Array:
    """Weight of each source pixel in each result pixel along one axis.

    All lengths are multiplied by `2 * out`, which makes centres, distances and weights integers:
    the centre of result pixel i is `(2i + 1) * extent - out`, a source pixel is `step = 2 * out`,
    and the radius is `reach = 2 * max(extent, out)`. They are the same on every platform.

    Args:
        extent: `int32[N, 1, 1]`, pixels of the source; 0 makes all weights 0.
        canvas: columns of the result, at least any extent.
        out: pixels of the result.

    Returns:
        `float32[N, out, canvas]`, each row adds up to 1; columns from `extent` on are 0.
    """
    step = 2 * out
    reach = 2 * jnp.maximum(extent, out) if antialias else jnp.full_like(extent, 2 * out)
    i = lax.broadcasted_iota(jnp.int32, (1, out, 1), 1)
    j = lax.broadcasted_iota(jnp.int32, (1, 1, canvas), 2)
    center = (2 * i + 1) * extent - out
    taps = jnp.maximum(reach - jnp.abs(center - step * j), 0).astype(jnp.float32)
    before = _sum_beyond(reach - center, step)
    after = _sum_beyond(reach - (step * (extent - 1) - center), step)
    taps = taps + jnp.where(j == 0, before, 0.0) + jnp.where(j == extent - 1, after, 0.0)
    taps = jnp.where(j < extent, taps, 0.0)
    total = jnp.sum(taps, axis=2, keepdims=True)
    # Exact, so that an axis that keeps its extent keeps its values: each row is one 1.
    return quotient(taps, jnp.where(total > 0, total, 1.0))


def _sum_beyond(height, step: int) -> jax.Array:
    """Sum of the positive ones of `height - step`, `height - 2 * step`, ...: the taps beyond an
    edge.
    """
    count = jnp.maximum(height, 0) // step
    # count * (first + last) / 2, where first + last is an integer
    both = 2 * height - step * (count + 1)
    return 0.5 * count.astype(jnp.float32) * both.astype(jnp.float32)
