"""Gaussian blur."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax
from jax.typing import ArrayLike, DTypeLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from .barrier import materialize
from .convert import check_dtype, round_to_dtype
from .exact_arithmetic import product, quotient, rounded, to_float32
from .exponential import exponential
from .image_arguments import check_images, check_number, check_shapes, is_host
from .image_volumes import check_volumes
from .recipe import numpy_of
from .sampling import cleared
from .stencil import weighed

__all__ = ["gaussian_blur", "gaussian_window"]

# Up to this many taps, all weights are one array.
_FEW = 128


@on_any_mesh
def gaussian_blur(
    images: ArrayLike,
    sigma: npt.ArrayLike = 0.0,
    window_size: npt.ArrayLike = 0,
    shapes: Array | None = None,
    *,
    max_radius: int | None = None,
    dtype: DTypeLike | None = None,
) -> jax.Array:
    """Blurs with a Gaussian window along one axis after the other, from the first on; DALI's `fn.gaussian_blur`.

    Images are extended beyond their edges by mirroring, without repeating the edge itself. Weights and sums are
    computed in float32, step by step, the same on every platform.

    Args:
        images: `[N, H, W, C]`, volumes `[N, D, H, W, C]`, or arrays of one axis, `[N, W, C]`.
        sigma: standard deviation in pixels; a number, `[N]`, or `[N, 2]` or `[1, 2]` for height and width (3 for
            volumes, 1 for one axis). 0: derived from the window, `0.3 * (radius - 1) + 0.8`.
        window_size: the number of taps, odd; likewise. 0: `2 * ceil(3 * sigma) + 1`.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas, `[N, 4]` of volumes, `[N, 2]` of
            arrays of one axis, outside of which are zeros; None: every image fills it.
        max_radius: an upper limit of the windows' radii, if the arguments are not known while tracing; small ones are
            faster.
        dtype: that of the result, rounded by `round_to_dtype`; None: that of `images`.

    Returns:
        `dtype`, of the shape of `images`.

    Raises:
        ConfigError: a shape does not fit; a window that is known while tracing is even, or neither it nor sigma is
            given.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images = np.array([0, 0, 255, 0, 0], np.uint8).reshape(1, 1, 5, 1)
        >>> image.gaussian_blur(images, sigma=1.0, window_size=3)[0, 0, :, 0]
        Array([  0,  70, 115,  70,   0], dtype=uint8)
    """
    if np.ndim(images) == 3:
        images = jnp.asarray(images)
    else:
        images = check_volumes(images, shapes) if np.ndim(images) == 5 else check_images(images)
    axes = images.ndim - 2
    target = check_dtype(images.dtype if dtype is None else dtype)
    if shapes is not None and axes == 2:
        check_shapes(shapes, images)
    deviation, radius = gaussian_window(sigma, window_size, len(images), axes)
    if is_host(radius):
        max_radius = int(np.max(radius, initial=0))
    own = np.asarray([images.shape[1:-1]], np.int32) if shapes is None else shapes
    extents = jnp.broadcast_to(own[:, :axes].astype(jnp.int32), (len(images), axes))
    pixels: Any = images
    for axis in range(axes):
        pixels = _blurred(pixels, axis + 1, extents, deviation[:, axis], radius[:, axis], max_radius)
    return cleared(round_to_dtype(pixels, target), shapes)


def gaussian_window(sigma: Array, window_size: Any, samples: int, axes: int = 2) -> tuple[Any, Any]:
    """Deviation `float32[N or 1, axes]` and radius `int32[N or 1, axes]` of windows, from `gaussian_blur`'s arguments."""
    sigma, window = _each("sigma", sigma, samples, axes), _each("window_size", window_size, samples, axes)
    xp = numpy_of(sigma, window)
    if xp is np:
        wrong = (sigma < 0) | (window < 0) | ((window == 0) & (sigma == 0)) | ((window != 0) & (window % 2 != 1))
        if wrong.any():
            raise ConfigError(
                f"sigma is {sigma.tolist()} and window_size {window.tolist()}; expected one of them above 0, and odd windows"
            )
    radius = xp.where(window > 0, (window - 1) * np.float32(0.5), xp.ceil(product(sigma, np.float32(3))))
    deviation = xp.where(sigma > 0, sigma, rounded(product(radius - 1, np.float32(0.3)) + np.float32(0.8)))
    return deviation, radius.astype(np.int32)


def _each(name: str, value: ArrayLike, samples: int, axes: int) -> Any:
    check_number(value, name)
    value, shape = to_float32(value), np.shape(value)
    if shape not in ((), (samples,), (samples, 1), (samples, axes), (1, axes)):
        raise ConfigError(
            f"{name} has shape {shape} for {samples} images; expected a scalar, one per sample [N], or [N, {axes}] or "
            f"[1, {axes}]."
        )
    xp = numpy_of(value)
    value = value.reshape(-1, 1) if len(shape) < 2 else value
    return xp.broadcast_to(value, (len(value), axes))


def _blurred(
    pixels: jax.Array, axis: int, extents: jax.Array, deviation: jax.Array, radius: jax.Array, most: int | None
) -> jax.Array:
    if most == 0:
        return pixels
    if most is not None and most <= _FEW:
        weights = jnp.asarray(_weights(most, deviation, radius))
        kernel, before = [1] * (pixels.ndim - 2), [0] * (pixels.ndim - 2)
        kernel[axis - 1], before[axis - 1] = 2 * most + 1, most
        return weighed(pixels, weights.T.reshape(-1, *kernel), before, pixels.shape[1:-1], extents, "reflect_101")
    pixels, extent = jnp.asarray(to_float32(pixels)), extents[:, axis - 1]
    # `_rows` copies whole rows, so the axis is moved in front of the others.
    turned, along = jnp.moveaxis(pixels, axis, 1), (-1, *[1] * (pixels.ndim - 1))
    deviation, radius = jnp.asarray(deviation), jnp.asarray(radius)
    widest = jnp.max(radius, initial=0)
    # Under `shard_map`, the initial value must vary over the same mesh axes as the terms that are added to it.
    zero = (extent * 0 + radius * 0).astype(jnp.float32)
    total = lax.fori_loop(-widest, widest + 1, lambda k, t: rounded(t + _weight(k, deviation, radius)), zero)
    place = lax.broadcasted_iota(jnp.int32, (1, turned.shape[1]), 1)

    def add(k: ArrayLike, found: ArrayLike) -> Array:
        weight = quotient(_weight(k, deviation, radius), total).reshape(along)
        return rounded(found + product(weight, _rows(turned, 1, _mirrored(place + k, extent))))

    found = lax.fori_loop(-widest, widest + 1, add, turned * 0 + zero.reshape(along))
    return jnp.moveaxis(found, 1, axis)


def _weights(most: int, deviation: jax.Array, radius: jax.Array) -> Array:
    """Weights of the taps from `-most` to `most`, which add up to 1: `float32[2 * most + 1, N or 1]`."""
    taps = np.arange(-most, most + 1)
    if is_host(radius) and is_host(deviation):
        raw = [_weight(int(k), deviation, radius) for k in taps]
        total = functools.reduce(lambda a, b: rounded(a + b), raw)
        return np.stack([quotient(one, total) for one in raw])
    deviation, radius = (jnp.atleast_1d(one)[None] for one in (deviation, radius))
    raw = materialize(_weight(jnp.asarray(taps, jnp.int32)[:, None], deviation, radius))
    total = functools.reduce(lambda a, b: rounded(a + b), raw)
    return materialize(quotient(raw, total))


def _weight(k: Array, deviation: jax.Array, radius: jax.Array) -> jax.Array:
    """Weight of tap `k` in each sample's window, not yet divided by their sum: `float32[N or 1]`."""
    xp = numpy_of(deviation, radius, k)
    square = np.float32(k * k) if is_host(k) else (k * k).astype(jnp.float32)
    raw = exponential(-quotient(square + deviation * 0, product(product(deviation, deviation), np.float32(2))))
    inside = (k <= radius) & (-k <= radius)
    return xp.where(inside, raw, np.float32(0))


def _mirrored(place: jax.Array, extent: jax.Array) -> Array:
    """Maps places `int32[1, K]` to those that they mirror in an image of `extent: int32[N]` pixels: `int32[N, K]`."""
    period = jnp.maximum(2 * extent - 2, 1).reshape(-1, 1)
    place = lax.rem(abs(place), period)
    return jnp.clip(jnp.minimum(place, period - place), 0, jnp.maximum(extent - 1, 0).reshape(-1, 1))


def _rows(pixels: jax.Array, axis: int, index: jax.Array) -> jax.Array:
    """Gathers rows `[N, K, ...]` along an axis, by index."""
    shape = [1] * pixels.ndim
    shape[0], shape[axis] = index.shape
    return jnp.take_along_axis(pixels, index.reshape(shape), axis=axis, mode="promise_in_bounds")
