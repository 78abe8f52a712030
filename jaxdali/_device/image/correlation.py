"""Filters images and volumes with arbitrary kernels, and computes the Laplacian."""

from __future__ import annotations

import math
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
from .convert import check_dtype, round_to_dtype
from .exact_arithmetic import product, rounded, to_float32
from .image_arguments import is_host
from .recipe import numpy_of
from .sampling import cleared
from .stencil import BORDERS, weighed

__all__ = ["correlate", "laplacian"]

_MOST_WINDOW = 31


@on_any_mesh
def correlate(
    images: ArrayLike,
    kernels: ArrayLike,
    shapes: ArrayLike | None = None,
    *,
    kernel_shapes: ArrayLike | None = None,
    anchor: Any = -1,
    border: str = "reflect_101",
    fill: Any = 0,
    mode: str = "same",
    dtype: DTypeLike | None = None,
) -> jax.Array:
    """Weighted sums of each pixel's neighbours; DALI's `fn.filter`. Kernels are not mirrored.

    Args:
        images: `[N, H, W, C]` with kernels of two axes, or `[N, D, H, W, C]` with kernels of three.
        kernels: `float32[N or 1, ...]`, or without the first axis: one kernel for all samples.
        shapes: `int32[N, ndim]` of each image in the corner of its row, outside of which are zeros; None: every
            image fills its row.
        kernel_shapes: `int32[N, axes]` of each kernel in the corner of its row; None: every kernel fills it.
        anchor: the position in the kernel that lies on the pixel: a number, one per axis, or `int32[N, axes]`; -1: the
            middle, half of the extent rounded down. Not used with "valid".
        border: "reflect_101", "reflect_1001", "wrap", "clamp" or "constant".
        fill: the level beyond the edges with "constant", a number or `[N]`.
        mode: "same", or "valid": only where the kernel lies within the image.
        dtype: that of the result; integers are rounded with halves to even, and saturate. None: that of `images`.

    Returns:
        An array like `images`; with "valid" each axis is shorter by the kernel's extent less one.

    Raises:
        ConfigError: a shape does not fit, or `border` or `mode` is unknown.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images, kernel = np.array([0, 0, 9, 0, 0], np.uint8).reshape(1, 1, 5, 1), np.array([[1, 2, 4]], np.float32)
        >>> image.correlate(images, kernel)[0, 0, :, 0]
        Array([ 0, 36, 18,  9,  0], dtype=uint8)
    """
    images, weights = jnp.asarray(images), jnp.asarray(to_float32(kernels))
    axes = images.ndim - 2
    if weights.ndim == axes:
        weights = weights[None]
    if axes not in (2, 3) or weights.ndim != axes + 1 or len(weights) not in (1, len(images)) or 0 in weights.shape[1:]:
        raise ConfigError(
            f"images have shape {images.shape} and kernels {np.shape(kernels)}; expected [N, H, W, C] and [N or 1, R, S], "
            "or [N, D, H, W, C] and [N or 1, Q, R, S]."
        )
    if border not in BORDERS or mode not in ("same", "valid"):
        raise ConfigError(
            f"border is {border!r} and mode {mode!r}; expected one of {', '.join(BORDERS)}, and 'same' or 'valid'."
        )
    target = check_dtype(images.dtype if dtype is None else dtype)
    taps, canvas = weights.shape[1:], images.shape[1:-1]
    if mode == "same":
        size = list(canvas)
        before = [_anchors(anchor, axis, axes, taps[axis], kernel_shapes) for axis in range(axes)]
    else:
        border, before = "clamp", [0] * axes
        size = list(canvas) if kernel_shapes is not None else [max(canvas[k] - taps[k] + 1, 0) for k in range(axes)]
    found = weighed(images, weights, before, [max(extent, 1) for extent in size], shapes, border, fill)
    # Halves to even, as in DALI's filters, unlike its other operators.
    found = round_to_dtype(jnp.round(found) if jnp.issubdtype(target, jnp.integer) else found, target)
    if mode == "valid" or 0 in size:
        found = found[(slice(None), *(slice(0, extent) for extent in size))]
    if shapes is None and (mode == "same" or kernel_shapes is None):
        return found
    return cleared(
        found, jnp.stack([_left(axis, canvas, taps, shapes, kernel_shapes, mode) for axis in range(axes)], 1)
    )


def _anchors(anchor: Any, axis: int, axes: int, taps: int, kernel_shapes: Any) -> Any:
    """How many weights precede the pixel's own: a number, or `int32[N]`."""
    if np.ndim(anchor) == 2 and np.shape(anchor)[1] in (1, axes):
        own = anchor[:, min(axis, np.shape(anchor)[1] - 1)].astype(jnp.int32)
    elif is_host(anchor) and np.shape(np.ravel(anchor)) in ((1,), (axes,)):
        values = np.ravel(np.asarray(anchor))
        own = int(values[min(axis, len(values) - 1)])
        if not -1 <= own < taps:
            raise ConfigError(f"anchor is {anchor!r}; expected -1, or 0 to {taps - 1} along axis {axis}.")
    else:
        raise ConfigError(f"anchor has shape {np.shape(anchor)}; expected a number, {axes}, or [N, {axes}].")
    middle: Any = taps // 2 if kernel_shapes is None else kernel_shapes[:, axis] // 2
    if isinstance(own, int):
        return middle if own == -1 else own
    return jnp.where(own == -1, middle, own)


def _left(axis: int, canvas: Any, taps: Any, shapes: Any, kernel_shapes: Any, mode: str) -> Any:
    """`int32[N]`, the results' extents along an axis."""
    own: Any = jnp.asarray([canvas[axis]], jnp.int32) if shapes is None else shapes[:, axis]
    if mode == "same":
        return own
    return jnp.maximum(own - (taps[axis] if kernel_shapes is None else kernel_shapes[:, axis]) + 1, 0)


@on_any_mesh
def laplacian(
    images: ArrayLike,
    window_size: npt.ArrayLike = 3,
    smoothing_size: npt.ArrayLike | None = None,
    shapes: Array | None = None,
    *,
    scale: npt.ArrayLike = 1.0,
    normalized: bool = False,
    dtype: DTypeLike | None = None,
) -> jax.Array:
    """The sum of the second derivatives along each axis; DALI's `fn.laplacian`. Each is computed by a derivative window
    along its axis and smoothing windows along the others. Images are extended beyond their edges by mirroring, without
    repeating the edge itself.

    Args:
        images: `[N, W, C]`, `[N, H, W, C]`, or `[N, D, H, W, C]`.
        window_size: that of derivatives, odd, 3 to 31: a number, one per axis, `[N]` or `[N, axes]`.
        smoothing_size: that of smoothing windows, odd, 1 to 31, likewise; None: the derivative's window size.
        shapes: `int32[N, ndim]` of each image in the corner of its row, outside of which there are zeros.
        scale: factors of the derivatives, a number, one per axis, `[N]` or `[N, axes]`.
        normalized: each derivative is divided by 2 to the power of the sum of its window sizes, less the number of axes
            and 2.
        dtype: that of the result, rounded by `round_to_dtype`; None: that of `images`.

    Returns:
        `dtype`, of the shape of `images`.

    Raises:
        ConfigError: a shape does not fit, or a window that is known while tracing is not odd, or out of range.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images = np.zeros((1, 5, 5, 1), np.float32)
        >>> images[0, 2, 2] = 1
        >>> image.laplacian(images, window_size=3, smoothing_size=1)[0, 2, :, 0]
        Array([ 0.,  1., -4.,  1.,  0.], dtype=float32)
    """
    images = jnp.asarray(images)
    axes = images.ndim - 2
    if axes not in (1, 2, 3):
        raise ConfigError(f"images have shape {images.shape}; expected [N, W, C], [N, H, W, C] or [N, D, H, W, C].")
    target = check_dtype(images.dtype if dtype is None else dtype)
    windows = _each("window_size", window_size, axes, len(images), 3)
    smooth = None if smoothing_size is None else _each("smoothing_size", smoothing_size, axes, len(images), 1)
    factors = to_float32(_each("scale", scale, axes, len(images)))
    total: Any = None
    for derived in range(axes):
        sizes = [windows[:, derived] if smooth is None or axis == derived else smooth[:, axis] for axis in range(axes)]
        found: Any = images
        for axis in range(axes):
            found = _along(found, axis, sizes[axis], derived == axis, shapes)
        factor: Any = factors[:, derived]
        if normalized:
            factor = _half_powers(sum(sizes) - (axes + 2))
        found = product(factor.reshape(-1, *[1] * (images.ndim - 1)), found)
        total = found if total is None else rounded(total + found)
    return cleared(round_to_dtype(total, target), shapes)


def _each(name: str, value: Any, axes: int, samples: int, least: int | None = None) -> Any:
    """Returns `value` as `[N or 1, axes]`, as integers if `least` is given."""
    shape = np.shape(value)
    if shape not in ((), (1,), (axes,), (samples,), (samples, 1), (samples, axes), (1, axes)):
        raise ConfigError(
            f"{name} has shape {shape} for {samples} images; expected a number, {axes}, [N] or [N, {axes}]."
        )
    if is_host(value):
        array = np.asarray(value)
        if least is not None and not ((array >= least) & (array <= _MOST_WINDOW) & (array % 2 == 1)).all():
            raise ConfigError(f"{name} is {value!r}; expected odd numbers from {least} to {_MOST_WINDOW}.")
        array = array.reshape(1, -1) if array.ndim < 2 else array
    else:
        array = value.reshape(samples, -1)
    array = array if least is None else array.astype(np.int32)
    return numpy_of(array).broadcast_to(array, (len(array), axes))


def _tables() -> tuple[np.ndarray, np.ndarray]:
    """Smoothing windows and second-derivative windows of each odd size: `float32[16, 31]` each, centred in their rows."""
    tables = np.zeros((2, _MOST_WINDOW // 2 + 1, _MOST_WINDOW), np.float32)
    middle = _MOST_WINDOW // 2
    for radius in range(middle + 1):
        size = 2 * radius + 1
        binomial = [math.comb(size - 1, k) for k in range(size)]
        tables[0, radius, middle - radius : middle + radius + 1] = binomial
        if radius:
            less = [math.comb(size - 3, k) for k in range(size - 2)]
            tables[1, radius, middle - radius : middle + radius + 1] = np.convolve(less, [1, -2, 1])
    return tables[0], tables[1]


def _along(pixels: Any, axis: int, size: Any, derives: bool, shapes: Any) -> jax.Array:
    """Applies one window along an axis; `size: int32[N or 1]`."""
    table = _tables()[int(derives)]
    radius = int(np.max(size)) // 2 if is_host(size) else _MOST_WINDOW // 2
    if radius == 0:
        return pixels
    middle = _MOST_WINDOW // 2
    weights = jnp.asarray(table[:, middle - radius : middle + radius + 1])[jnp.asarray(size) // 2]
    kernel, before = [1] * (pixels.ndim - 2), [0] * (pixels.ndim - 2)
    kernel[axis], before[axis] = 2 * radius + 1, radius
    return weighed(pixels, weights.reshape(-1, *kernel), before, pixels.shape[1:-1], shapes, "reflect_101")


def _half_powers(exponent: Any) -> Any:
    """`2 ** -exponent`, exactly: `float32[N]`."""
    bits = (np.int32(127) - exponent).astype(np.int32) << 23
    return bits.view(np.float32) if is_host(bits) else lax.bitcast_convert_type(bits, jnp.float32)
