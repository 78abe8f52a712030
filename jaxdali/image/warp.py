"""Images whose pixels come from elsewhere in them: affine maps, and rotations."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..errors import ConfigError
from .affine import inverted
from .arguments import check_images, check_number, check_size
from .convert import check_dtype, round_to_dtype
from .exact import product, rounded, to_float32
from .held import held
from .recipe import Size, numpy_of
from .trigonometry import sine_and_cosine

__all__ = ["largest_rotated", "rotate", "rotated_extents", "sampled", "warp_affine"]

# What an extent may be larger than a whole number, and still is one.
_SLACK = np.float32(0.01)


def warp_affine(
    images,
    matrix,
    size: Size | None = None,
    shapes=None,
    *,
    extents=None,
    fill: float | None = None,
    filter: str = "linear",
    inverse_map: bool = True,
    dtype=None,
) -> jax.Array:
    """Moves pixels by an affine map; DALI's `fn.warp_affine`.

    Pixel `(x, y)` of the result is what the image has at `matrix @ (x + 0.5, y + 0.5, 1)`; (0.5, 0.5) is the middle of
    its first pixel. Positions are computed in float32, each by itself, the same on every platform. On the CPU, DALI adds
    them up along rows, and is off by up to a thousandth of a pixel there.

    Args:
        images: `[N, H, W, C]`.
        matrix: `float32[2, 3]` or `[N, 2, 3]`.
        size: (height, width) of the result's array; None: that of `images`.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas; None: every image fills it.
        extents: `int32[N, 2]` of each result, outside of which there are zeros; None: results fill the array.
        fill: what lies outside of the images; None: their nearest pixel.
        filter: "linear" or "nearest".
        inverse_map: the matrix leads from the result to the image; else from the image to the result.
        dtype: of the result, rounded by `round_to_dtype`; None: that of `images`.

    Returns:
        `dtype[N, *size, C]`.

    Raises:
        ConfigError: a shape does not fit.
    """
    images = check_images(images)
    size = _size(images, size)
    if np.shape(matrix) not in ((2, 3), (len(images), 2, 3)):
        raise ConfigError(
            f"matrix has shape {np.shape(matrix)} for {len(images)} images; expected [2, 3], or one a sample [N, 2, 3]."
        )
    matrix = to_float32(matrix)
    if not inverse_map:
        matrix = inverted(matrix)
    m = matrix.reshape(-1, 2, 3, 1, 1)
    x = (np.arange(size[1], dtype=np.float32) + np.float32(0.5)).reshape(1, 1, -1)
    y = (np.arange(size[0], dtype=np.float32) + np.float32(0.5)).reshape(1, -1, 1)
    places = [
        rounded(rounded(product(m[:, axis, 0], x) + product(m[:, axis, 1], y)) + m[:, axis, 2]) for axis in range(2)
    ]
    warped = sampled(images, places[1], places[0], shapes, fill=fill, filter=filter, dtype=dtype)
    if extents is None:
        return warped
    within = _below(extents[:, 0], size, 0) & _below(extents[:, 1], size, 1)
    return jnp.where(within[..., None], warped, jnp.zeros((), warped.dtype))


def rotate(
    images,
    degrees,
    size: Size | None = None,
    shapes=None,
    *,
    extents=None,
    fill: float | None = None,
    filter: str = "linear",
    dtype=None,
) -> jax.Array:
    """Rotates images counter-clockwise round their middle; DALI's `fn.rotate`.

    Args:
        images, shapes, fill, filter, dtype: as for `warp_affine`.
        degrees: a scalar or one a sample, `[N]`.
        size: (height, width) of the result's array; None: that of `images`.
        extents: `int32[N, 2]` of each result, such as `rotated_extents(degrees, shapes)`; None: results fill the array.

    Returns:
        `dtype[N, *size, C]`.

    Raises:
        ConfigError: a shape does not fit.
    """
    images = check_images(images)
    check_number(degrees, "degrees")
    if np.shape(degrees) not in ((), (len(images),)):
        raise ConfigError(
            f"degrees have shape {np.shape(degrees)} for {len(images)} images; expected a scalar or one a sample, [N]."
        )
    size = _size(images, size)
    sine, cosine = sine_and_cosine(to_float32(degrees).reshape(-1))
    own = np.asarray([images.shape[1:3]], np.int32) if shapes is None else shapes[:, :2]
    made = np.asarray([size], np.int32) if extents is None else extents
    xp = numpy_of(sine, own, made)
    from_y, from_x = (product(own[:, axis].astype(np.float32), np.float32(0.5)) for axis in range(2))
    to_y, to_x = (product(made[:, axis].astype(np.float32), np.float32(0.5)) for axis in range(2))
    rows = [
        [cosine, -sine, rounded(rounded(from_x - product(cosine, to_x)) + product(sine, to_y))],
        [sine, cosine, rounded(rounded(from_y - product(sine, to_x)) - product(cosine, to_y))],
    ]
    matrix = xp.stack([xp.stack(xp.broadcast_arrays(*row), axis=-1) for row in rows], axis=-2)
    matrix = jnp.broadcast_to(matrix, (len(images), 2, 3))
    return warp_affine(images, matrix, size, shapes, extents=extents, fill=fill, filter=filter, dtype=dtype)


def rotated_extents(degrees: Any, extents: Any) -> Any:
    """How large images are that are rotated as a whole: `int32[N, 2]`, of NumPy where both arguments are.

    They have an odd or an even number of rows as the image has of rows, or of columns where it is rather turned to its side.

    Args:
        degrees: `float32[]` or `[N]`.
        extents: `int32[N, 2 or more]`, height and width.
    """
    degrees = to_float32(degrees).reshape(-1)
    sine, cosine = (abs(part) for part in sine_and_cosine(degrees))
    xp = numpy_of(degrees, extents)
    high, wide = (extents[:, axis].astype(np.float32) for axis in range(2))
    # 225 degrees and the like are those of which DALI says so.
    rest = rounded(degrees - product(np.float32(360), xp.floor(product(degrees, np.float32(1 / 360)))))
    turned = ((rest >= 45) & (rest < 135)) | ((rest > 225) & (rest <= 315))
    found = []
    for along, across, even in (
        (high, wide, xp.where(turned, extents[:, 1], extents[:, 0])),
        (wide, high, xp.where(turned, extents[:, 0], extents[:, 1])),
    ):
        reach = rounded(product(along, cosine) + product(across, sine))
        extent = xp.maximum(xp.ceil(reach - _SLACK), 1).astype(np.int32)
        found.append(extent + (extent + even) % 2)
    return xp.stack(found, axis=1)


def largest_rotated(extents: np.ndarray) -> np.ndarray:
    """What `rotated_extents` does not exceed, whatever the angle: `int64[N, 2]`."""
    diagonal = np.ceil(np.hypot(extents[:, 0], extents[:, 1])).astype(np.int64) + 2
    return np.stack([diagonal, diagonal], axis=1)


def sampled(images, y, x, shapes=None, *, fill: float | None = None, filter: str = "linear", dtype=None) -> jax.Array:
    """What images have at places, between whose pixels is interpolated.

    Args:
        images: `[N, H, W, C]`.
        y, x: `float32[N or 1, h, w]`, in pixels; the middle of the first one is at 0.5.
        shapes, fill, filter, dtype: as for `warp_affine`.

    Returns:
        `dtype[N, h, w, C]`.

    Raises:
        ConfigError: `filter` is another one.
    """
    if filter not in ("linear", "nearest"):
        raise ConfigError(f'filter is {filter!r}; expected "linear" or "nearest"')
    target = check_dtype(images.dtype if dtype is None else dtype)
    y, x = (jnp.broadcast_to(place, (len(images), *place.shape[1:])) for place in (y, x))
    own = jnp.broadcast_to(jnp.asarray(images.shape[1:3], jnp.int32), (len(images), 2)) if shapes is None else shapes
    at = _Taps(held(images), own, fill)
    if filter == "nearest":
        found = at(jnp.floor(y), jnp.floor(x), images.dtype)
        return round_to_dtype(found, target)
    y, x = y - np.float32(0.5), x - np.float32(0.5)
    above, left = jnp.floor(y), jnp.floor(x)
    down, right = (y - above)[..., None], (x - left)[..., None]
    rows = []
    for row in (above, above + 1):
        one, other = at(row, left, np.float32), at(row, left + 1, np.float32)
        rows.append(rounded(one + product(right, rounded(other - one))))
    return round_to_dtype(rounded(rows[0] + product(down, rounded(rows[1] - rows[0]))), target)


class _Taps:
    """Pixels of images by their row and column."""

    def __init__(self, images: Any, own: Any, fill: float | None):
        samples, height, width, channels = images.shape
        self._rows = images.reshape(-1, channels)
        self._first = (jnp.arange(samples, dtype=jnp.int32) * (height * width)).reshape(-1, 1, 1)
        self._width = width
        self._last = [jnp.maximum(own[:, axis].astype(jnp.int32) - 1, 0).reshape(-1, 1, 1) for axis in range(2)]
        self._fill = fill

    def __call__(self, y: Any, x: Any, dtype: Any) -> jax.Array:
        # What leaves the range of int32 leaves the image, too; NaN is nowhere.
        limit = np.float32(1 << 30)
        places = [jnp.nan_to_num(jnp.clip(place, -limit, limit), nan=-limit).astype(jnp.int32) for place in (y, x)]
        row, column = (jnp.clip(place, 0, last) for place, last in zip(places, self._last, strict=True))
        index = self._first + row * self._width + column
        found = self._rows.at[index].get(mode="promise_in_bounds").astype(dtype)
        if self._fill is None:
            return found
        inside = (row == places[0]) & (column == places[1])
        value = round_to_dtype(jnp.asarray(self._fill, jnp.float32), dtype)
        return jnp.where(inside[..., None], found, value)


def _size(images: Any, size: Size | None) -> Size:
    return (images.shape[1], images.shape[2]) if size is None else check_size(size)


def _below(extent: Any, size: Size, axis: int) -> jax.Array:
    """`bool[N, h, w]`, places before an extent."""
    place = lax.broadcasted_iota(jnp.int32, (1, *size), axis + 1)
    return place < extent.reshape(-1, 1, 1)
