"""Changes levels: each channel of each image has a table of 256 entries, which may depend on the image's contents.

The tables are those of automatic augmentation, and may differ between images: whatever the changes, all images go
through the same single pass over their pixels.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxdali._base.aliases import Array
from ..ffi import pixel_calls
from ..ffi.platforms import two_ways
from .barrier import materialize
from .exact_arithmetic import product, quotient, rounded
from .level_counts import counted

__all__ = ["CHANGES", "change_levels", "sharpen"]

# The changes of levels, by their numbers.
CHANGES = (
    *("identity", "brightness", "contrast", "auto_contrast", "equalize"),
    *("posterize", "solarize", "solarize_add", "invert"),
)
_LUMA = (0.299, 0.587, 0.114)


def change_levels(
    images: jax.Array, change: Array, parameter: Array = 0.0, shapes: jax.Array | None = None
) -> jax.Array:
    """Changes the levels of each image in its own way.

    `brightness` multiplies levels by the parameter; `contrast` moves them away from the image's mean luminance by that
    factor; `auto_contrast` stretches each channel's levels to 0 to 255; `equalize` makes each channel's levels equally
    frequent, as OpenCV's equalizeHist; `posterize` keeps the bits of the parameter, a mask; `solarize` inverts levels
    from the parameter on; `solarize_add` adds the parameter to levels below 128; `invert` is 255 - level.

    Args:
        images: `uint8[N, H, W, C]`; `contrast` needs three channels, red, green and blue.
        change: index in `CHANGES`, a number for all images or `[N]`.
        parameter: of the change, a number for all images or `[N]`.
        shapes: `int32[N, 3]`, the extents of each image; None: they fill the array. The area outside stays zero.

    Returns:
        `uint8[N, H, W, C]`.

    Raises:
        ValueError: images are not uint8 images.
    """
    inside = _inside(images, shapes)
    if not images.size:  # which has no lowest and no highest level
        return images
    count = len(images)
    change = jnp.broadcast_to(jnp.asarray(change), (count,)).astype(jnp.int32)
    parameter = jnp.broadcast_to(jnp.asarray(parameter, jnp.float32), (count,))[:, None, None]
    extents = jnp.asarray([images.shape[1:3]], jnp.int32) if shapes is None else jnp.asarray(shapes, jnp.int32)[:, :2]
    tables = _tables(images, inside, shapes, change, parameter)
    return _looked_up(images, tables, extents, ragged=shapes is not None)


def _looked_up_generically(images, tables, extents, *, ragged):
    count, _, _, channels = images.shape
    images, tables = materialize(images), materialize(tables)
    place = (
        jnp.arange(count, dtype=jnp.int32)[:, None, None, None] * channels
        + jnp.arange(channels, dtype=jnp.int32)[None, None, None]
    )
    made = tables.reshape(-1).at[place * 256 + images.astype(jnp.int32)].get(mode="promise_in_bounds")
    return jnp.where(_inside(images, extents), made, jnp.uint8(0)) if ragged else made


_looked_up = two_ways(
    "jaxdali_looked_up",
    lambda images, *_, ragged: (images.shape, jnp.uint8),
    _looked_up_generically,
    lambda images, tables, extents, ragged: pixel_calls.look_up_levels(images, tables, extents),
)


def _inside(images: jax.Array, shapes: jax.Array | None) -> Any:
    if images.ndim != 4 or images.dtype != jnp.uint8:
        raise ValueError(f"expected uint8 images [N, H, W, C], got {images.dtype}{list(images.shape)}")
    if shapes is None:
        return None
    rows, columns = (jnp.arange(images.shape[axis], dtype=jnp.int32) for axis in (1, 2))
    inside = (rows[None, :, None] < shapes[:, 0, None, None]) & (columns[None, None, :] < shapes[:, 1, None, None])
    return inside[..., None]


def _tables(
    images: jax.Array, inside: jax.Array | None, shapes: jax.Array | None, change: jax.Array, parameter: jax.Array
) -> jax.Array:
    """The table of each channel of each image, `uint8[N, C, 256]`."""
    count, height, width, channels = images.shape
    levels = jnp.arange(256, dtype=jnp.float32)[None, None]
    pixels = jnp.full((count,), height * width, jnp.int32) if shapes is None else shapes[:, 0] * shapes[:, 1]
    read = materialize(images)
    low = jnp.min(read if inside is None else jnp.where(inside, read, jnp.uint8(255)), axis=(1, 2))
    high = jnp.max(read, axis=(1, 2))
    sums = jnp.sum(read, axis=(1, 2), dtype=jnp.uint32).astype(jnp.float32)
    means = quotient(sums, jnp.maximum(pixels, 1).astype(jnp.float32)[:, None])
    center: Any = 0.0
    for channel, weight in enumerate(_LUMA[:channels]):
        center = rounded(center + product(means[:, channel], np.float32(weight)))
    center = center[:, None, None]
    whole = levels.astype(jnp.int32)
    mask = parameter.astype(jnp.int32)
    made = {
        "brightness": product(levels, parameter),
        "contrast": center + product(levels - center, parameter),
        "auto_contrast": _stretched(levels, low, high),
        "equalize": _equalized(images, shapes, pixels, change),
        "posterize": (whole & mask).astype(jnp.float32),
        "solarize": jnp.where(levels < parameter, levels, 255 - levels),
        "solarize_add": jnp.where(levels < 128, levels + parameter, levels),
        "invert": 255 - levels,
    }
    found = jnp.broadcast_to(levels, (count, channels, 256))
    for name, values in made.items():
        found = jnp.where((change == CHANGES.index(name))[:, None, None], values, found)
    return jnp.floor(jnp.clip(found, 0, 255) + 0.5).astype(jnp.uint8)


def _stretched(levels: jax.Array, low: jax.Array, high: jax.Array) -> jax.Array:
    span = (high.astype(jnp.float32) - low.astype(jnp.float32))[:, :, None]
    scale = quotient(jnp.full_like(span, 255), jnp.where(span > 0, span, 255))
    return product(levels - jnp.where(span > 0, low.astype(jnp.float32)[:, :, None], 0), scale)


def _equalized(images: jax.Array, shapes: jax.Array | None, pixels: jax.Array, change: jax.Array) -> jax.Array:
    """As in OpenCV, the first level that occurs becomes 0, and halves are rounded to even."""
    count, _, _, channels = images.shape

    extents = jnp.asarray([images.shape[1:3]], jnp.int32) if shapes is None else jnp.asarray(shapes, jnp.int32)[:, :2]
    wanted = (change == CHANGES.index("equalize")).any()
    # Depends on what varies over the devices of a `shard_map`, as the counts do.
    none = jnp.zeros((count, channels, 256), jnp.int32) + jnp.sum(images[:0], dtype=jnp.int32)
    frequency = lax.cond(
        wanted, lambda: counted(images, extents, jnp.maximum(extents, 1)).reshape(none.shape), lambda: none
    )
    first = jnp.argmax(frequency > 0, axis=-1)[..., None]
    of_first = jnp.take_along_axis(frequency, first, axis=-1)
    rest = (pixels[:, None, None] - of_first).astype(jnp.float32)
    scale = quotient(jnp.full_like(rest, 255), jnp.maximum(rest, 1))
    so_far = (jnp.cumsum(frequency, axis=-1) - of_first).astype(jnp.float32)
    made = jnp.round(product(so_far, scale))
    alone = rest == 0
    return jnp.where(alone, first.astype(jnp.float32), jnp.maximum(made, 0))


def sharpen(images: jax.Array, strength: Array, shapes: jax.Array | None = None) -> jax.Array:
    """Adds `strength` times the difference between a pixel and its neighbourhood; below 0 it blurs, at -1 completely.

    The neighbourhood is the mean of 3 x 3 pixels, with the middle one counted five times; at the border it is reflected
    without repeating the outermost pixel.

    Args:
        images: `uint8[N, H, W, C]`.
        strength: a number for all images, or `[N]`.
        shapes: as in `change_levels`.

    Returns:
        `uint8[N, H, W, C]`.

    Raises:
        ValueError: images are not uint8 images.
    """
    inside = _inside(images, shapes)
    numbers = materialize(images).astype(jnp.int32)
    total = numbers
    for axis in (1, 2):
        extents = None if shapes is None else shapes[:, axis - 1]
        total = total + _neighbours(total, axis, extents)
    blurred = _thirteenth(total + 4 * numbers)
    strength = jnp.broadcast_to(jnp.asarray(strength, jnp.float32), (len(images),))[:, None, None, None]
    pixels = numbers.astype(jnp.float32)
    made = pixels + product(pixels - blurred, strength)
    made = jnp.floor(jnp.clip(made, 0, 255) + 0.5).astype(jnp.uint8)
    return made if inside is None else jnp.where(inside, made, jnp.uint8(0))


def _thirteenth(total: jax.Array) -> jax.Array:
    """The mean for a sum of 3 x 3 levels whose weights add up to 13."""
    return product(total.astype(jnp.float32), np.float32(1 / 13))


def _neighbours(numbers: jax.Array, axis: int, extents: jax.Array | None) -> jax.Array:
    """The sum of both neighbours along an axis."""
    length = numbers.shape[axis]
    place = jnp.arange(length, dtype=jnp.int32).reshape([-1 if k == axis else 1 for k in range(4)])
    last: Any = length - 1 if extents is None else extents.reshape(-1, 1, 1, 1) - 1
    before = jnp.roll(numbers, 1, axis)
    behind = jnp.roll(numbers, -1, axis)
    return jnp.where(place == last, jnp.where(last == 0, numbers, before), behind) + jnp.where(
        place == 0, jnp.where(last == 0, numbers, behind), before
    )
