"""What the image functions check of their arguments, in one place: ranks, sizes, values per sample.

A *host* value is a Python or NumPy value: it is known while tracing, so it is checked. The contents of a
`jax.Array`, traced or not, are never checked: that would wait for the device, and a function would raise
outside jit but not inside.
"""

from __future__ import annotations

import operator
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax.typing import ArrayLike, DTypeLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError, ConfigTypeError, check_shape
from .exact_arithmetic import to_float32

__all__ = [
    "along_batch",
    "check_images",
    "check_number",
    "check_shapes",
    "check_size",
    "check_static_integer",
    "check_windows",
    "is_host",
    "per_sample",
    "resized_size",
    "warn_of_scale",
]


def is_host(value) -> bool:
    """Whether `value` is a Python or NumPy value, known while tracing."""
    return not isinstance(value, jax.Array)


def check_images(images) -> jax.Array:
    """Returns `images` as an array `[N, H, W, C]`."""
    if not hasattr(images, "dtype") and hasattr(images, "rows"):
        raise ConfigError(
            "images are an EncodedBatch, which holds files; expected pixels [N, H, W, C]. Call jaxdali.image.decode first."
        )
    shape = np.shape(images)
    if len(shape) != 4:
        raise ConfigError(f"images have shape {shape}; expected [N, H, W, C]. Give a single image as image[None].")
    return jnp.asarray(images)


def check_size(size) -> tuple[int, int]:
    """Returns `size` as two positive Python integers `(height, width)` that an image of a batch can have."""
    try:
        height, width = (operator.index(extent) for extent in size)
    except (TypeError, ValueError):
        raise ConfigError(f"size is {size!r}; expected (height, width), two integers known while tracing.") from None
    if height < 1 or width < 1:
        raise ConfigError(f"size is {size!r}; expected a positive height and width in pixels.")
    check_shape("size", (height, width))
    return height, width


def resized_size(size, own: tuple[int, int] | None) -> tuple[int, int]:
    """Returns `size` as `check_size` does, but 0 along an axis where images of the size `own` have no pixels."""
    height, width = check_size(size)
    return (height, width) if own is None else (height if own[0] else 0, width if own[1] else 0)


def check_shapes(shapes, images) -> None:
    """Checks that `shapes` has at least (height, width) for each of the N images, within their canvas."""
    got = np.shape(shapes)
    if len(got) != 2 or got[0] != images.shape[0] or got[1] < 2:
        raise ConfigError(
            f"shapes have shape {got} for {images.shape[0]} images; expected [N, 3] "
            "(height, width, channels), e.g. the sizes of the decoded batch."
        )
    if is_host(shapes):
        extents = np.asarray(shapes)[:, :2]
        wrong = np.flatnonzero(((extents < 0) | (extents > images.shape[1:3])).any(axis=1))
        if wrong.size:
            raise ConfigError(
                f"shapes[{wrong[0]}] is {tuple(map(int, extents[wrong[0]]))}, larger than the "
                f"canvas {images.shape[1:3]} or negative; shapes are "
                "(height, width, channels) in pixels."
            )


def check_static_integer(name: str, value: int, minimum: int) -> int:
    """Returns `value` as an int in the range of XLA's attributes and shapes."""
    try:
        number = operator.index(value)
    except TypeError:
        raise ConfigError(f"{name} must be a static integer, got {type(value).__name__}") from None
    if not minimum <= number < 2**31:
        raise ConfigError(f"{name} must be at least {minimum} and below 2**31, got {number}")
    return number


def check_number(value, name: str) -> None:
    """Checks that a host `value` is a number or an array of numbers, none of them NaN."""
    if not is_host(value):
        return
    array = np.asarray(value)
    if array.dtype.kind not in "buif":
        raise ConfigError(
            f"{name} must be a number or an array of numbers, got {value!r}; leave it out for its default."
        )
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise ConfigError(f"{name} is {value!r}; NaN would make every pixel NaN or black.")


def per_sample(value, name: str, images, dtype: DTypeLike = np.float32):
    """Returns `value`, a scalar or `[N]`, in `dtype`, shaped to broadcast against `images: [N, ...]`."""
    check_number(value, name)
    shape = np.shape(value)
    if shape not in ((), (images.shape[0],)):
        raise ConfigError(
            f"{name} has shape {shape} for {images.shape[0]} images; expected a scalar or one value per sample, [N]."
        )
    if dtype == np.float32:
        value = to_float32(value)
    else:
        value = value.astype(dtype) if isinstance(value, jax.Array) else np.asarray(value, dtype)
    return value.reshape(shape + (1,) * (images.ndim - 1) if shape else ())


def along_batch(value, images) -> jax.Array:
    """Returns `value: [N, ...]` as an array with the devices and sharding of `images`.

    On an Explicit mesh, vmap and batched products refuse operands with different shardings, and a host value has none.
    Zeros computed from the images have theirs; XLA then drops the arithmetic.
    """
    # A sum of nothing where images have no pixels.
    first = images[:, 0, 0, 0] if images.size else images.sum(axis=(1, 2, 3))
    value = jnp.asarray(value)
    zeros = (first.astype(jnp.int32) * 0).astype(value.dtype)
    return zeros.reshape((-1,) + (1,) * (value.ndim - 1)) + value


def check_windows(windows: ArrayLike, samples: int) -> None:
    """Raises ConfigTypeError unless `windows` has one window for each image."""
    if np.shape(windows) != (samples, 4):
        found, shape = f"shape {np.shape(windows)}" if np.ndim(windows) else repr(windows), np.shape(windows)
        if len(shape) == 3 and shape[::2] == (samples, 4):
            each = f"images.resized_crop(windows[:, k], size) for k in range({shape[1]})"
            found += f" (for several of each image, jaxdali.image.arrays(*[{each}]) reads its file once)"
        raise ConfigTypeError(
            f"windows must be int32[{samples}, 4] (top, left, height, width of each), got {found}; "
            "jaxdali.random.resized_crop_window(keys, images.extents) draws them, crop(height, width) needs none"
        )


def warn_of_scale(mean: npt.ArrayLike | None, std: npt.ArrayLike | None, scale: Array, dtype: np.dtype) -> None:
    """Warns of a mean and std for levels from 0 to 1, as other libraries use, where levels go up to 255."""
    if (
        mean is None
        or std is None
        or dtype != np.uint8
        or not all(map(is_host, (mean, std, scale)))
        or np.any(scale != 1)
    ):
        return
    mean, std = np.asarray(mean), np.asarray(std)
    if mean.size and std.size and (0 < mean).all() and (mean < 1).all() and (0 < std).all() and (std < 1).all():
        warnings.warn(
            f"mean={mean.tolist()} and std={std.tolist()} look like those of levels from 0 to 1, but the levels of "
            "images here are from 0 to 255: multiply both by 255",
            stacklevel=4,
        )
