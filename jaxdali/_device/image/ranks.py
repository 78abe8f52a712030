"""Minimum, maximum and median of each pixel's neighbours."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from .barrier import materialize
from .image_arguments import is_host
from .sampling import cleared
from .stencil import BORDERS, border_index, widened

__all__ = ["dilate", "erode", "median_blur"]

# Up to this many neighbours, the loop over them is unrolled.
_FEW = 25


@on_any_mesh
def dilate(
    images: ArrayLike,
    mask: npt.ArrayLike = 3,
    anchor: npt.ArrayLike = -1,
    shapes: Array | None = None,
    *,
    iterations: int = 1,
    border: str = "constant",
) -> jax.Array:
    """The largest of each pixel's neighbours, like OpenCV's dilate with a rectangle.

    Args:
        images: `[N, H, W, C]`, numbers.
        mask: (height, width) of the neighbourhood, at least 1: a number, two, `[N]` or `[N, 2]`.
        anchor: (row, column) of the pixel in it: a number, two, `[N]` or `[N, 2]`; -1: its middle, half of the extent
            rounded down.
        shapes: `int32[N, 3]` of each image in the corner of its row, outside of which there are zeros.
        iterations: how many times to repeat it.
        border: how images are extended: reflect_101, reflect_1001, wrap, clamp; or "constant": pixels beyond the edges
            do not count.

    Returns:
        An array like `images`.

    Raises:
        ConfigError: images are not such an array, or an argument is out of range.

    Example:
        >>> import jax, numpy as np
        >>> from jaxdali import image
        >>> images = np.array([0, 0, 9, 0, 0, 0], np.uint8).reshape(1, 1, 6, 1)
        >>> jax.jit(image.dilate)(images)[0, 0, :, 0]
        Array([0, 9, 9, 9, 0, 0], dtype=uint8)
    """
    return _extreme(jnp.maximum, images, mask, anchor, shapes, iterations, border)


@on_any_mesh
def erode(
    images: ArrayLike,
    mask: npt.ArrayLike = 3,
    anchor: npt.ArrayLike = -1,
    shapes: Array | None = None,
    *,
    iterations: int = 1,
    border: str = "constant",
) -> jax.Array:
    """The smallest of each pixel's neighbours, like OpenCV's erode with a rectangle.

    Args:
        images: `[N, H, W, C]`, numbers.
        mask: (height, width) of the neighbourhood, at least 1: a number, two, `[N]` or `[N, 2]`.
        anchor: (row, column) of the pixel in it: a number, two, `[N]` or `[N, 2]`; -1: its middle, half of the extent
            rounded down.
        shapes: `int32[N, 3]` of each image in the corner of its row, outside of which there are zeros.
        iterations: how many times to repeat it.
        border: how images are extended: reflect_101, reflect_1001, wrap, clamp; or "constant": pixels beyond the edges
            do not count.

    Returns:
        An array like `images`.

    Raises:
        ConfigError: images are not such an array, or an argument is out of range.

    Example:
        >>> import jax, numpy as np
        >>> from jaxdali import image
        >>> images = np.array([9, 9, 0, 9, 9, 9], np.uint8).reshape(1, 1, 6, 1)
        >>> jax.jit(image.erode)(images)[0, 0, :, 0]
        Array([9, 0, 0, 0, 9, 9], dtype=uint8)
    """
    return _extreme(jnp.minimum, images, mask, anchor, shapes, iterations, border)


def _extreme(
    pick: Any, images: Any, mask: npt.ArrayLike, anchor: npt.ArrayLike, shapes: Any, iterations: int, border: str
) -> jax.Array:
    images = _checked(images)
    if border not in BORDERS or iterations < 1:
        raise ConfigError(
            f"border is {border!r} and iterations {iterations!r}; expected one of {BORDERS}, and at least 1."
        )
    fill = _least(images.dtype) if pick is jnp.maximum else _largest(images.dtype)
    found = images
    for axis in (1, 2):
        size, place = _along(mask, axis), _along(anchor, axis)
        if isinstance(size, int) and isinstance(place, int):
            if size < 1 or not -1 <= place < size:
                raise ConfigError(
                    f"the mask has {size} pixels and its anchor is {place}; expected at least 1 pixel, and an anchor "
                    "of -1 or a pixel of the mask."
                )
            before = (size // 2 if place == -1 else place) * iterations
            found = _slid(pick, found, axis, (size - 1) * iterations + 1, before, shapes, border, fill)
        else:
            size = jnp.maximum(jnp.broadcast_to(jnp.asarray(size, jnp.int32), (len(images),)), 1)
            place = jnp.broadcast_to(jnp.asarray(place, jnp.int32), (len(images),))
            before = jnp.where(place == -1, size // 2, place) * iterations
            found = _gathered(pick, found, axis, (size - 1) * iterations + 1, before, shapes, border, fill)
    return cleared(found, shapes)


def _slid(pick: Any, pixels: Any, axis: int, size: int, before: int, shapes: Any, border: str, fill: Any) -> jax.Array:
    """For neighbourhoods of one size: doubles the number of neighbours that the best value covers, until it covers all."""
    canvas = pixels.shape[axis]
    extent = None if shapes is None else shapes[:, axis - 1]
    found, have = widened(pixels, axis, before, canvas + size - 1, extent, border, fill), 1
    while have < size:
        step = min(have, size - have)
        length = found.shape[axis] - step
        found = pick(*(lax.slice_in_dim(found, start, start + length, axis=axis) for start in (0, step)))
        have += step
    return found


def _gathered(
    pick: Any, pixels: Any, axis: int, size: Any, before: Any, shapes: Any, border: str, fill: Any
) -> jax.Array:
    """For neighbourhoods of several sizes: one neighbour at a time."""
    canvas = pixels.shape[axis]
    extent = jnp.asarray([canvas], jnp.int32) if shapes is None else shapes[:, axis - 1]
    along = lax.broadcasted_iota(jnp.int32, (1, canvas), 1)
    beside = [1] * pixels.ndim
    beside[0], beside[axis] = len(pixels), canvas

    def step(k: ArrayLike, found: ArrayLike) -> Any:
        place = along + k - before[:, None]
        index = jnp.broadcast_to(border_index(border, place, extent), place.shape).reshape(beside)
        value = jnp.take_along_axis(pixels, index, axis=axis, mode="promise_in_bounds")
        counts = jnp.broadcast_to(k < size[:, None], place.shape)
        if border == "constant":
            counts = counts & (place >= 0) & (place < extent.reshape(-1, 1))
        return pick(found, jnp.where(counts.reshape(beside), value, jnp.asarray(fill, pixels.dtype)))

    begin = jnp.full_like(pixels, fill)
    return lax.fori_loop(0, jnp.max(size, initial=1), step, begin)


@on_any_mesh
def median_blur(images: ArrayLike, window: npt.ArrayLike = 3, shapes: Array | None = None) -> jax.Array:
    """The median of each pixel's neighbours, like OpenCV's medianBlur. Beyond the edges the pixels at the edge are
    repeated.

    Args:
        images: `[N, H, W, C]`, numbers; NaN counts as larger than any.
        window: (height, width) of the neighbourhood, odd: a number, two, `[N]` or `[N, 2]`.
        shapes: `int32[N, 3]` of each image in the corner of its row, outside of which there are zeros.

    Returns:
        An array like `images`.

    Raises:
        ConfigError: images are not such an array, or a window is even.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> image.median_blur(np.array([1, 9, 2, 3], np.uint8).reshape(1, 1, 4, 1), (1, 3))[0, 0, :, 0]
        Array([1, 2, 3, 3], dtype=uint8)
    """
    images = _checked(images)
    sizes = [_along(window, axis) for axis in (1, 2)]
    if any(isinstance(size, int) and (size < 1 or size % 2 == 0) for size in sizes):
        raise ConfigError(f"window is {window!r}; expected odd numbers, at least 1.")
    keys, bits = _keys(images)
    if all(isinstance(size, int) for size in sizes):
        found = _median(keys, sizes, bits, shapes)
    else:
        found = _median_of_each(keys, sizes, bits, shapes)
    return cleared(_numbers(found, images.dtype), shapes)


def _median(keys: Any, sizes: Any, bits: int, shapes: Any) -> jax.Array:
    canvas = keys.shape[1:3]
    for axis, size in zip((1, 2), sizes, strict=True):
        extent = None if shapes is None else shapes[:, axis - 1]
        keys = widened(keys, axis, size // 2, canvas[axis - 1] + size - 1, extent, "clamp")
    keys = materialize(keys)
    shape = (len(keys), *canvas, keys.shape[3])
    enough = jnp.int32(sizes[0] * sizes[1] // 2 + 1)

    def counted(value: Any) -> Any:
        def one(y: ArrayLike, x: ArrayLike) -> Any:
            return (lax.dynamic_slice(keys, (0, y, x, 0), shape) >= value).astype(jnp.int32)

        if sizes[0] * sizes[1] <= _FEW:
            # Counts in bytes, because a processor adds many of them at a time.
            parts = (
                lax.slice(keys, (0, y, x, 0), (shape[0], y + shape[1], x + shape[2], shape[3])) >= value
                for y, x in itertools.product(*map(range, sizes))
            )
            return functools.reduce(jnp.add, (part.astype(jnp.uint8) for part in parts)).astype(jnp.int32)

        def step(k: ArrayLike, total: ArrayLike) -> Any:
            return total + one(k // sizes[1], k % sizes[1])

        return lax.fori_loop(0, sizes[0] * sizes[1], step, (value < 0).astype(jnp.int32))

    return _searched(counted, enough, keys[:, : canvas[0], : canvas[1]] * 0, bits)


def _median_of_each(keys: Any, sizes: Any, bits: int, shapes: Any) -> jax.Array:
    """For windows of different sizes."""
    count = len(keys)
    high, wide = (jnp.maximum(jnp.broadcast_to(jnp.asarray(size, jnp.int32), (count,)), 1) for size in sizes)
    extents = [jnp.asarray([keys.shape[axis]], jnp.int32) if shapes is None else shapes[:, axis - 1] for axis in (1, 2)]

    def shifted(pixels: Any, axis: int, by: Any) -> Any:
        beside = [1] * pixels.ndim
        beside[0], beside[axis] = count, pixels.shape[axis]
        place = lax.broadcasted_iota(jnp.int32, (1, pixels.shape[axis]), 1) + by[:, None]
        index = border_index("clamp", place, extents[axis - 1]).reshape(beside)
        return jnp.take_along_axis(pixels, index, axis=axis, mode="promise_in_bounds")

    def counted(value: Any) -> Any:
        def row(y: ArrayLike, total: ArrayLike) -> Any:
            rows = shifted(keys, 1, y - high // 2)

            def column(x: ArrayLike, total: ArrayLike) -> Any:
                there = ((y < high) & (x < wide)).reshape(-1, 1, 1, 1)
                return total + (there & (shifted(rows, 2, x - wide // 2) >= value)).astype(jnp.int32)

            return lax.fori_loop(0, jnp.max(wide, initial=1), column, total)

        return lax.fori_loop(0, jnp.max(high, initial=1), row, (value < 0).astype(jnp.int32))

    return _searched(counted, (high * wide // 2 + 1).reshape(-1, 1, 1, 1), keys * 0, bits)


def _searched(counted: Any, enough: Any, zero: Any, bits: int) -> jax.Array:
    """Finds, bit by bit, the largest keys that at least `enough` neighbours reach."""

    def step(k: ArrayLike, found: ArrayLike) -> Any:
        tried = found | jnp.left_shift(jnp.ones((), zero.dtype), jnp.asarray(bits - 1 - k, zero.dtype))
        return jnp.where(counted(tried) >= enough, tried, found)

    return lax.fori_loop(0, bits, step, zero)


def _keys(images: Any) -> tuple[Any, int]:
    """Maps pixels to unsigned integers in the same order. Returns these and their number of bits."""
    bits = images.dtype.itemsize * 8
    unsigned = np.dtype(f"uint{bits}")
    if images.dtype.kind == "u":
        return images, bits
    raw = lax.bitcast_convert_type(images, unsigned)
    top = unsigned.type(1 << (bits - 1))
    if images.dtype.kind == "i":
        return raw ^ top, bits
    return jnp.where(raw & top != 0, ~raw, raw | top), bits


def _numbers(keys: Any, dtype: Any) -> jax.Array:
    if dtype.kind == "u":
        return keys
    top = keys.dtype.type(1 << (dtype.itemsize * 8 - 1))
    if dtype.kind == "i":
        return lax.bitcast_convert_type(keys ^ top, dtype)
    return lax.bitcast_convert_type(jnp.where(keys & top != 0, keys ^ top, ~keys), dtype)


def _checked(images: Any) -> jax.Array:
    images = jnp.asarray(images)
    if images.ndim != 4 or images.dtype.kind not in "uif":
        raise ConfigError(f"expected numbers [N, H, W, C], got {images.dtype}{list(images.shape)}.")
    return images


def _along(value: Any, axis: int) -> Any:
    """The value for one of the axes 1 and 2: an integer, or `int32[N]`."""
    if is_host(value) and np.ndim(value) < 2:
        values = np.ravel(np.asarray(value))
        if len(values) not in (1, 2):
            raise ConfigError(f"expected a number, or one for the height and one for the width, got {value!r}.")
        return int(values[min(axis - 1, len(values) - 1)])
    if value.ndim == 1:
        return value.astype(jnp.int32)
    return value[:, min(axis - 1, value.shape[1] - 1)].astype(jnp.int32)


def _least(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _largest(dtype: Any) -> Any:
    return np.inf if dtype.kind == "f" else np.iinfo(dtype).max
