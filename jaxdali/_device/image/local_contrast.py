"""Equalizes the levels of images part by part (contrast limited adaptive histogram equalization)."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxdali.errors import ConfigError, check_integer
from ..any_mesh import on_any_mesh
from ..ffi import cpu_calls
from ..ffi.platforms import two_ways
from .barrier import materialize
from .exact_arithmetic import product, quotient, rounded
from .lab import from_lab, to_lab
from .level_counts import counted
from .sampling import cleared

__all__ = ["clahe"]

_LEVELS = 256


@on_any_mesh
def clahe(
    images: ArrayLike,
    tiles: tuple[int, int] = (8, 8),
    clip_limit: float = 2.0,
    shapes: ArrayLike | None = None,
    *,
    luma_only: bool = True,
) -> jax.Array:
    """Equalizes the levels of each tile of an image, and interpolates between neighbouring tiles; OpenCV's CLAHE.

    Args:
        images: `uint8[N, H, W, C]`; three channels are red, green and blue.
        tiles: the number of tiles along (height, width). An image that they do not divide is extended by its mirror
            image.
        clip_limit: the largest count of a level in a tile, as a multiple of the mean count; 0 or less: no limit.
        shapes: `int32[N, 3]` of each image in the corner of its row, outside of which there are zeros.
        luma_only: of three channels, change the lightness (L of CIE L*a*b*) instead of each channel separately.

    Returns:
        `uint8[N, H, W, C]`.

    Raises:
        ConfigError: images are not such an array, or there are no tiles.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images = np.arange(100, 104, dtype=np.uint8).reshape(1, 2, 2, 1)
        >>> image.clahe(images, tiles=(1, 1), clip_limit=0)[0, :, :, 0]
        Array([[ 64, 128],
               [191, 255]], dtype=uint8)
    """
    images = jnp.asarray(images)
    if images.ndim != 4 or images.dtype != jnp.uint8:
        raise ConfigError(f"expected uint8 images [N, H, W, C], got {images.dtype}{list(images.shape)}.")
    rows, columns = (check_integer("tiles", count, 1) for count in tiles)
    if luma_only and images.shape[3] == 3:
        lightness, a, b = to_lab(images)
        level = _changed(lightness.astype(jnp.uint8)[..., None], (rows, columns), clip_limit, shapes)
        found = from_lab(level[..., 0].astype(jnp.int32), a, b)
    else:
        found = _changed(images, (rows, columns), clip_limit, shapes)
    return cleared(found, shapes)


def _changed(images: Any, tiles: tuple[int, int], clip_limit: float, shapes: Any) -> jax.Array:
    """Changes each channel separately. What lies beyond an image's extents is undefined."""
    count, *canvas, _ = images.shape
    whole = jnp.broadcast_to(jnp.asarray(canvas, jnp.int32), (count, 2))
    extents = list((whole if shapes is None else jnp.asarray(shapes, jnp.int32)[:, :2]).T)
    # If either axis is not divisible, both are extended, even a divisible one, as in OpenCV.
    even = (extents[0] % tiles[0] == 0) & (extents[1] % tiles[1] == 0)
    sizes = [
        jnp.maximum(jnp.where(even, extent, extent + many - extent % many) // many, 1)
        for extent, many in zip(extents, tiles, strict=True)
    ]
    tables = _tables(counted(images, jnp.stack(extents, axis=1), jnp.stack(sizes, axis=1), tiles), sizes, clip_limit)
    shares = [one for axis in (0, 1) for one in _neighbours(canvas[axis], tiles[axis], sizes[axis])]
    return _mixed(images, tables, jnp.stack(extents, axis=1), *shares)


def _mixed_generically(images, tables, _, *shares):
    count, _, columns, channels, _ = tables.shape
    images, tables = materialize(images.astype(jnp.int32)), materialize(tables.reshape(count, -1))
    channel = jnp.arange(channels, dtype=jnp.int32)[None, None, None]
    above, below, down = (one[:, :, None, None] for one in shares[:3])
    left, right, across = (one[:, None, :, None] for one in shares[3:])

    def value(row: ArrayLike, column: ArrayLike) -> Any:
        place = (((row * columns + column) * channels + channel) * _LEVELS + images).reshape(count, -1)
        found = jnp.take_along_axis(tables, place, axis=1, mode="promise_in_bounds")
        return found.reshape(images.shape).astype(jnp.float32)

    def along(row: ArrayLike) -> Any:
        return rounded(product(value(row, left), rounded(1 - across)) + product(value(row, right), across))

    made = rounded(product(along(above), rounded(1 - down)) + product(along(below), down))
    return jnp.clip(jnp.round(made), 0, 255).astype(jnp.uint8)


_mixed = two_ways(
    "jaxdali_mixed_levels",
    lambda images, *_: (images.shape, jnp.uint8),
    _mixed_generically,
    cpu_calls.mix_levels,
    on_gpus=False,
)


def _tables(frequency: Any, sizes: Any, clip_limit: float) -> jax.Array:
    """What each level becomes in each tile, shaped like `frequency`."""
    total = (sizes[0] * sizes[1]).reshape(-1, 1, 1, 1, 1)
    level = jnp.arange(_LEVELS, dtype=jnp.int32)[None, None, None, None]
    if clip_limit > 0:
        limit = jnp.maximum(jnp.floor(product(total.astype(jnp.float32), np.float32(clip_limit / _LEVELS))), 1)
        kept = jnp.minimum(frequency, limit.astype(jnp.int32))
        left = (frequency - kept).sum(axis=-1, keepdims=True)
        rest = left % _LEVELS
        step = jnp.maximum(_LEVELS // jnp.maximum(rest, 1), 1)
        frequency = kept + left // _LEVELS + ((level % step == 0) & (level // step < rest)).astype(jnp.int32)
    scale = quotient(jnp.full(total.shape, _LEVELS - 1, jnp.float32), total.astype(jnp.float32))
    made = product(jnp.cumsum(frequency, axis=-1).astype(jnp.float32), scale)
    return jnp.clip(jnp.round(made), 0, 255).astype(jnp.uint8)


def _neighbours(length: int, many: int, size: Any) -> tuple[Any, Any, Any]:
    """For each pixel along an axis the tile before it, the one after it, and the weight of the latter, `[N, length]`."""
    place = jnp.arange(length, dtype=jnp.float32)[None]
    inverse = quotient(jnp.ones_like(size, jnp.float32), size.astype(jnp.float32))[:, None]
    between = rounded(product(place, inverse) - np.float32(0.5))
    first = jnp.floor(between)
    share = rounded(between - first)
    before = jnp.maximum(first.astype(jnp.int32), 0)
    # Also valid beyond an image's end, where there are no more tiles.
    before, behind = (jnp.minimum(one, many - 1) for one in (before, first.astype(jnp.int32) + 1))
    return before, behind, share
