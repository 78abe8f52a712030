"""Samples images and volumes at positions between their pixels."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax.typing import DTypeLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..ffi import pixel_calls
from ..ffi.platforms import two_ways
from .barrier import materialize
from .convert import check_dtype, round_to_dtype
from .exact_arithmetic import product, rounded
from .stencil import BORDERS, border_index

__all__ = ["cleared", "grid", "sampled"]

# Slope of the cubic filter one pixel from its centre, as in OpenCV.
_STEEP = np.float32(-0.75)

# In the order of the custom call's numbers. It interpolates between pixels of _CALL_TYPES.
_FILTERS = ("nearest", "linear", "cubic")
_MOST_NUMBERS = 1 << 30  # pixels of an image, or of a result, that the GPU's custom call can index
_BEYOND = 1 << 20  # pixels before an image's first one, and more if a map adds such numbers up
_CALL_TYPES = tuple(map(np.dtype, ("uint8", "int16", "uint16", "float32")))


def sampled(
    images,
    places: Array,
    shapes=None,
    *,
    size: Sequence[int] | None = None,
    extents=None,
    fill: Any = None,
    border: str | None = None,
    filter: str = "linear",
    dtype=None,
) -> jax.Array:
    """Samples images at given positions, interpolating between pixels.

    Args:
        images: `[N, H, W, C]`, or volumes `[N, D, H, W, C]`.
        places: for each axis `float32[N or 1, ...]`, in pixels; the centre of the first one is at 0.5. With `size`,
            affine maps `float32[N or 1, axes, axes + 1]` from the centres of the result's pixels to positions, x first.
        shapes: `int32[N, 3 or 4]` of each image in the corner of its row; None: it fills the row.
        size: extents of the result's axes, if maps are given.
        extents: `int32[N or 1, axes or more]` of each result, outside of which are zeros; None: it fills its row.
        fill: the value outside the images with "constant", a number or one per channel.
        border: how images are extended, one of `stencil.BORDERS`; None: "clamp" without `fill`, else "constant".
        filter: "nearest", "linear" or "cubic".
        dtype: that of the result, rounded by `round_to_dtype`; None: that of `images`.

    Returns:
        `dtype[N, ..., C]`.

    Raises:
        ConfigError: `filter` or `border` is unknown.
    """
    if filter not in _FILTERS:
        raise ConfigError(f'filter is {filter!r}; expected "nearest", "linear" or "cubic".')
    border = border or ("clamp" if fill is None else "constant")
    if border not in BORDERS:
        raise ConfigError(f"border is {border!r}; expected one of {', '.join(BORDERS)}.")
    images = jnp.asarray(images)
    target = check_dtype(images.dtype if dtype is None else dtype)
    axes = images.ndim - 2
    maps = size is not None
    where = [places] if maps else list(places)
    made = tuple(size) if size is not None else np.broadcast_shapes(*(place.shape[1:] for place in where))
    kind = np.dtype(images.dtype if filter == "nearest" else np.uint8 if target == np.uint8 else np.float32)
    if filter != "nearest":
        images = images if images.dtype in _CALL_TYPES else images.astype(jnp.float32)
    own = np.asarray([images.shape[1:-1]], np.int32) if shapes is None else shapes[:, :axes].astype(np.int32)
    results = np.asarray([made], np.int32) if extents is None else extents[:, :axes].astype(np.int32)
    if 0 in images.shape[1:-1]:  # a canvas of at least one pixel is read, of which such images show nothing
        images = jnp.pad(images, [(0, int(0 < axis <= axes and not n)) for axis, n in enumerate(images.shape)])
    if border == "constant" and not (isinstance(own, np.ndarray) and own.all()):
        none = (own <= 0).any(axis=1).reshape(-1, *[1] * (where[0].ndim - 1))
        # All of the result is beyond the edges of an image without pixels.
        where = [jnp.where(none, np.float32(-_BEYOND), place) for place in where]
    # In the dtype of the images, or in that of the interpolation.
    value = round_to_dtype(
        jnp.asarray(0.0 if fill is None else fill, jnp.float32), kind if filter == "nearest" else np.float32
    )
    value = jnp.broadcast_to(value, (images.shape[-1],))
    settings = {"size": made, "maps": maps, "border": border, "filter": filter, "dtype": kind}
    # The custom call cannot read empty arrays, and supports neither 64-bit pixels nor cubic filters of volumes.
    plain = 0 in (*images.shape, *made) or images.dtype.itemsize > 4 or (axes, filter) == (3, "cubic")
    found = (_sampled_generically if plain else _sampled)(images, own, results, value, *where, **settings)
    return round_to_dtype(found, target)


def grid(size: Sequence[int]) -> list[np.ndarray]:
    """The centres of an array's pixels: x, y and, for volumes, z, each `float32[1, ...]` along its own axis."""
    found = []
    for axis, extent in enumerate(size):
        along = [1] * (len(size) + 1)
        along[axis + 1] = extent
        found.append((np.arange(extent, dtype=np.float32) + np.float32(0.5)).reshape(along))
    return found[::-1]


def _mapped(matrix: npt.ArrayLike, size: Sequence[int]) -> list[Any]:
    """Where affine maps take the centres of pixels, x last."""
    axes = len(size)
    m, points = jnp.asarray(matrix).reshape(-1, axes, axes + 1, *[1] * axes), grid(size)
    places = []
    for row in range(axes):
        terms = [product(m[:, row, column], points[column]) for column in range(axes)]
        places.append(functools.reduce(lambda total, term: rounded(total + term), [*terms, m[:, row, axes]]))
    return places[::-1]


def _sampled_generically(images, own, results, fill, *where, size, maps, border, filter, dtype):
    places = _mapped(where[0], size) if maps else where
    places = [jnp.broadcast_to(place, (len(images), *size)) for place in places]
    at = _Taps(materialize(images), jnp.broadcast_to(own, (len(images), len(places))), border, fill)
    if filter == "nearest":
        found = at([jnp.floor(place) for place in places], images.dtype)
    else:
        found = _between(at, [place - np.float32(0.5) for place in places], filter)
    return cleared(round_to_dtype(found, dtype), results)


def _sampled_by_call(images, own, results, fill, *where, size, maps, border, filter, dtype):
    places = where[0]
    if not maps:
        samples = max(len(place) for place in where)
        places = jnp.stack([jnp.broadcast_to(place, (samples, *size)) for place in where])
    settings = {"border": BORDERS.index(border), "between": _FILTERS.index(filter)}
    return pixel_calls.warp(images, places, own, results, fill, size, dtype, **settings)


def _is_counted(images, *_, size, **__) -> bool:
    return max(math.prod(images.shape[1:]), math.prod(size) * images.shape[-1]) < _MOST_NUMBERS


_sampled = two_ways(
    "jaxdali_sampled",
    lambda images, *_, size, dtype, **__: ((images.shape[0], *size, images.shape[-1]), dtype),
    _sampled_generically,
    _sampled_by_call,
    on_gpus=_is_counted,
)


def _between(at: _Taps, places: Sequence[Any], filter: str) -> jax.Array:
    """Interpolates, along the last axis first."""
    lows = [jnp.floor(place) for place in places]
    rest = [(place - low)[..., None] for place, low in zip(places, lows, strict=True)]
    taps = (0, 1) if filter == "linear" else (-1, 0, 1, 2)

    def along(axis: int, chosen: list[object]) -> Any:
        if axis == len(places):
            return at(chosen, np.float32)
        found = [along(axis + 1, [*chosen, lows[axis] + np.float32(tap)]) for tap in taps]
        if filter == "linear":
            return rounded(found[0] + product(rest[axis], rounded(found[1] - found[0])))
        terms = [product(_cubic(rest[axis] - np.float32(tap)), one) for tap, one in zip(taps, found, strict=True)]
        return functools.reduce(lambda total, term: rounded(total + term), terms)

    return along(0, [])


def _cubic(distance: Any) -> jax.Array:
    """The weight of a pixel at that distance."""
    x = abs(distance)
    near = rounded(product(rounded(product(_STEEP + 2, x) - (_STEEP + 3)), product(x, x)) + np.float32(1))
    far = rounded(product(rounded(product(rounded(product(_STEEP, x) - 5 * _STEEP), x) + 8 * _STEEP), x) - 4 * _STEEP)
    return jnp.where(x < 1, near, jnp.where(x < 2, far, np.float32(0)))


class _Taps:
    """Reads pixels of images by their position along each axis."""

    def __init__(self, images: Any, own: Any, border: str, fill: Any):
        _, *canvas, channels = images.shape
        self._rows = images.reshape(math.prod(images.shape[:-1]), channels)  # -1 means nothing for no channels
        self._canvas = canvas
        self._own = [own[:, axis].astype(jnp.int32) for axis in range(len(canvas))]
        self._border = border
        self._fill = fill

    def __call__(self, places: Sequence[Any], dtype: DTypeLike) -> jax.Array:
        # Clipped to the range of int32, because positions beyond it are outside the image anyway; so is NaN.
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
        return jnp.where(inside[..., None], found, self._fill)


def cleared(images: Array, extents: Array) -> jax.Array:
    """Sets the parts of rows `[N, ..., C]` that are not image to zero.

    Args:
        extents: `int32[N or 1, axes or more]` of each image in the corner of its row; None: it fills the row.
    """
    if extents is None:
        return images
    size = images.shape[1:-1]
    inside: Any = True
    for axis in range(len(size)):
        place = jax.lax.broadcasted_iota(jnp.int32, (1, *size), axis + 1)
        inside = inside & (place < extents[:, axis].reshape(-1, *[1] * len(size)))
    return jnp.where(inside[..., None], images, jnp.zeros((), images.dtype))
