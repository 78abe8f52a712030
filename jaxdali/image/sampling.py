"""What images and volumes have at places between their pixels."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..errors import ConfigError
from .convert import check_dtype, round_to_dtype
from .exact import product, rounded
from .held import held
from .stencil import BORDERS, border_index

__all__ = ["cleared", "sampled"]

# Of the cubic filter how steep it is one pixel from its middle; OpenCV's.
_STEEP = np.float32(-0.75)


def sampled(
    images,
    places: Sequence[Any],
    shapes=None,
    *,
    fill: Any = None,
    border: str | None = None,
    filter: str = "linear",
    dtype=None,
) -> jax.Array:
    """What images have at places, between whose pixels is interpolated.

    Args:
        images: `[N, H, W, C]`, or volumes `[N, D, H, W, C]`.
        places: of each axis `float32[N or 1, ...]`, in pixels; the middle of the first one is at 0.5.
        shapes: `int32[N, 3 or 4]` of each image in the corner of its row; None: it fills the row.
        fill: what lies outside of the images with "constant", a number or one a channel.
        border: what images go on with, one of `stencil.BORDERS`; None: "clamp" without `fill`, else "constant".
        filter: "nearest", "linear" or "cubic".
        dtype: of the result, rounded by `round_to_dtype`; None: that of `images`.

    Returns:
        `dtype[N, ..., C]`.

    Raises:
        ConfigError: `filter` or `border` is another one.
    """
    if filter not in ("nearest", "linear", "cubic"):
        raise ConfigError(f'filter is {filter!r}; expected "nearest", "linear" or "cubic".')
    border = border or ("clamp" if fill is None else "constant")
    if border not in BORDERS:
        raise ConfigError(f"border is {border!r}; expected one of {', '.join(BORDERS)}.")
    target = check_dtype(images.dtype if dtype is None else dtype)
    places = [jnp.broadcast_to(place, (len(images), *place.shape[1:])) for place in places]
    canvas = jnp.asarray(images.shape[1:-1], jnp.int32)
    own = jnp.broadcast_to(canvas, (len(images), len(canvas))) if shapes is None else shapes
    at = _Taps(held(images), own, border, 0.0 if fill is None else fill)
    if filter == "nearest":
        return round_to_dtype(at([jnp.floor(place) for place in places], images.dtype), target)
    return round_to_dtype(_between(at, [place - np.float32(0.5) for place in places], filter), target)


def _between(at: _Taps, places: Sequence[Any], filter: str) -> jax.Array:
    """Of the last axis first."""
    lows = [jnp.floor(place) for place in places]
    rest = [(place - low)[..., None] for place, low in zip(places, lows, strict=True)]
    taps = (0, 1) if filter == "linear" else (-1, 0, 1, 2)

    def along(axis: int, chosen: list[Any]) -> Any:
        if axis == len(places):
            return at(chosen, np.float32)
        found = [along(axis + 1, [*chosen, lows[axis] + np.float32(tap)]) for tap in taps]
        if filter == "linear":
            return rounded(found[0] + product(rest[axis], rounded(found[1] - found[0])))
        terms = [product(_cubic(rest[axis] - np.float32(tap)), one) for tap, one in zip(taps, found, strict=True)]
        return functools.reduce(lambda total, term: rounded(total + term), terms)

    return along(0, [])


def _cubic(distance: Any) -> jax.Array:
    """The weight of a pixel so far from a place."""
    x = abs(distance)
    near = rounded(product(rounded(product(_STEEP + 2, x) - (_STEEP + 3)), product(x, x)) + np.float32(1))
    far = rounded(product(rounded(product(rounded(product(_STEEP, x) - 5 * _STEEP), x) + 8 * _STEEP), x) - 4 * _STEEP)
    return jnp.where(x < 1, near, jnp.where(x < 2, far, np.float32(0)))


class _Taps:
    """Pixels of images by their place along each axis."""

    def __init__(self, images: Any, own: Any, border: str, fill: Any):
        _, *canvas, channels = images.shape
        self._rows = images.reshape(-1, channels)
        self._canvas = canvas
        self._own = [own[:, axis].astype(jnp.int32) for axis in range(len(canvas))]
        self._border = border
        self._fill = fill

    def __call__(self, places: Sequence[Any], dtype: Any) -> jax.Array:
        # What leaves the range of int32 leaves the image, too; NaN is nowhere.
        limit = np.float32(1 << 30)
        shape = places[0].shape
        index = jnp.arange(shape[0], dtype=jnp.int32).reshape(-1, *[1] * (len(shape) - 1))
        inside: Any = True
        for place, own, extent in zip(places, self._own, self._canvas, strict=True):
            whole = jnp.nan_to_num(jnp.clip(place, -limit, limit), nan=-limit).astype(jnp.int32)
            found = border_index(self._border, whole.reshape(shape[0], math.prod(shape[1:])), own).reshape(shape)
            index = index * extent + found
            inside = inside & (found == whole)
        found = self._rows.at[index].get(mode="promise_in_bounds").astype(dtype)
        if self._border != "constant":
            return found
        value = round_to_dtype(jnp.asarray(self._fill, jnp.float32), dtype)
        return jnp.where(inside[..., None], found, value)


def cleared(images: Any, extents: Any) -> jax.Array:
    """Zeros where rows `[N, ..., C]` are no image.

    Args:
        extents: `int32[N or 1, axes or more]` of each image in the corner of its row; None: it fills it.
    """
    if extents is None:
        return images
    size = images.shape[1:-1]
    inside: Any = True
    for axis in range(len(size)):
        place = jax.lax.broadcasted_iota(jnp.int32, (1, *size), axis + 1)
        inside = inside & (place < extents[:, axis].reshape(-1, *[1] * len(size)))
    return jnp.where(inside[..., None], images, jnp.zeros((), images.dtype))
