"""Cuts windows out of images and mirrors images; no pixel's value changes."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..ffi import cpu_calls
from ..ffi.platforms import two_ways
from .image_arguments import along_batch, check_images, check_shapes, check_size, is_host, per_sample

__all__ = ["crop", "crop_anchor", "crop_windows", "flip"]


def crop(images: ArrayLike, anchor: Array, size: Sequence[int], shapes: Array | None = None) -> jax.Array:
    """Cuts one window of a fixed size out of each image.

    A window must be within its image. If it is not, that is an error if it is known while tracing (`anchor` and,
    if given, `shapes` are host values). Otherwise nothing can be raised, and the sample becomes all zeros. A window
    is never silently moved into the image.

    Args:
        images: `[N, H, W, C]`, any dtype.
        anchor: top left corner of each window, `int32[N, 2]` (top, left) in pixels, or one `[2]`
            for all.
        size: (height, width) of the windows, known while tracing.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas. None:
            every image fills `H` by `W`.

    Returns:
        `[N, size[0], size[1], C]` in the dtype of `images`.

    Raises:
        ConfigError: a shape does not fit; a window is larger than the canvas; a window that is known while
            tracing leaves its image.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images = np.arange(16, dtype=np.uint8).reshape(1, 4, 4, 1)
        >>> image.crop(images, (1, 2), (2, 2))[0, :, :, 0]
        Array([[ 6,  7],
               [10, 11]], dtype=uint8)
    """
    images = check_images(images)
    height, width = check_size(size)
    samples, canvas_height, canvas_width, channels = images.shape
    anchor = np.asarray(anchor) if is_host(anchor) else anchor
    if anchor.shape not in ((2,), (samples, 2)):
        raise ConfigError(
            f"anchor has shape {anchor.shape} for {samples} images; expected [N, 2] (top, left), or [2] for all."
        )
    if not jnp.issubdtype(anchor.dtype, jnp.integer):
        raise ConfigError(f"anchor is {anchor.dtype}; expected whole pixels (integers).")
    if height > canvas_height or width > canvas_width:
        raise ConfigError(
            f"a window of {(height, width)} is out of bounds of images of {images.shape[1:3]}; "
            "resize first, or ask for a smaller window."
        )
    if shapes is None:
        extents = np.asarray([[canvas_height, canvas_width]])
    else:
        check_shapes(shapes, images)
        extents = np.asarray(shapes)[:, :2] if is_host(shapes) else shapes[:, :2]
    if is_host(anchor) and is_host(extents):
        _check_windows(anchor, (height, width), extents)

    corners = along_batch(anchor.reshape(-1, 2), images)
    channel = jnp.zeros((), corners.dtype)  # a plain 0 would be int64 with x64
    cut = jax.vmap(lambda x, a: lax.dynamic_slice(x, (a[0], a[1], channel), (height, width, channels)))
    windows = cut(images, corners)
    fits = (corners >= 0) & (corners <= extents - np.asarray([[height, width]]))
    fits = jnp.all(fits, axis=1).reshape(samples, 1, 1, 1)
    return jnp.where(fits, windows, jnp.zeros_like(windows))


def crop_windows(images: ArrayLike, windows: Array, shapes: Array | None = None) -> jax.Array:
    """Cuts a window of its own size out of each image, into the top left corner of a canvas.

    A window must be within its image; otherwise the sample becomes all zeros.

    Args:
        images: `[N, H, W, C]`, any dtype.
        windows: `int32[N, 4]`, (top, left, height, width) in pixels. The last two columns are the
            shapes of the result.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas. None:
            every image fills `H` by `W`.

    Returns:
        `[N, H, W, C]` in the dtype of `images`, zeros around the windows.

    Raises:
        ConfigError: a shape does not fit.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images = np.arange(16, dtype=np.uint8).reshape(1, 4, 4, 1)
        >>> image.crop_windows(images, np.array([[1, 2, 2, 2]]))[0, :, :, 0]
        Array([[ 6,  7,  0,  0],
               [10, 11,  0,  0],
               [ 0,  0,  0,  0],
               [ 0,  0,  0,  0]], dtype=uint8)
    """
    images = check_images(images)
    samples, canvas_height, canvas_width, _ = images.shape
    if np.shape(windows) != (samples, 4):
        raise ConfigError(
            f"windows have shape {np.shape(windows)} for {samples} images; expected [N, 4] (top, left, height, width)."
        )
    if shapes is None:
        extents = np.asarray([[canvas_height, canvas_width]])
    else:
        check_shapes(shapes, images)
        extents = along_batch(shapes, images)[:, :2]
    windows = along_batch(windows, images)
    corner, size = windows[:, :2], windows[:, 2:]
    fits = jnp.all((corner >= 0) & (size >= 0) & (corner + size <= extents), axis=1, keepdims=True)
    return _cut_windows(images, corner, size * fits.astype(size.dtype))


def _cut_generically(images, corner, size):
    for axis in (1, 2):
        canvas = images.shape[axis]
        place = lax.broadcasted_iota(corner.dtype, (len(images), canvas), 1)
        source = jnp.clip(place + corner[:, axis - 1 : axis], 0, canvas - 1)
        shape = [len(images), 1, 1, 1]
        shape[axis] = canvas
        inside = place < size[:, axis - 1 : axis]
        images = jnp.take_along_axis(images, source.reshape(shape), axis=axis)
        images = jnp.where(inside.reshape(shape), images, jnp.zeros_like(images))
    return images


def _cut_by_call(images, corner, size):
    # One region per image, pasted into the corner of its own canvas.
    starts, extents = (jnp.asarray(one, jnp.int32)[:, None] for one in (corner, size))
    ids = np.arange(len(images), dtype=np.int32)[:, None]
    places, counts = np.zeros((len(images), 1, 2), np.int32), np.ones(len(images), np.int32)
    return cpu_calls.paste(
        [images], ids, images.shape[1:3], starts=starts, extents=extents, places=places, counts=counts
    )


_cut_windows = two_ways(
    "jaxdali_cut_windows",
    lambda images, *_: (images.shape, images.dtype),
    _cut_generically,
    _cut_by_call,
    on_gpus=False,
)


def crop_anchor(
    shapes: npt.ArrayLike,
    size: Array,
    position: Sequence[Array] = (0.5, 0.5),
    rounding: str = "round",
) -> jax.Array:
    """Computes the corner of a window placed at a fraction of the free space; DALI's `crop_pos_y`, `crop_pos_x`.

    `top = round(position_y * (H - h))`, halves away from zero, and the same for `left`. The product
    is exact, because it is computed in integers, so every platform places a window at the same pixel.

    Args:
        shapes: `int32[N, 3]` (height, width, channels) of the images; only the first two columns
            are read.
        size: (height, width) of the window, known while tracing; or `int32[N, 2]`, that of each window.
        position: (y, x), each a scalar or `[N]`: 0 is the top or left, 0.5 the middle, 1 the bottom
            or right. Rounded to float32; for values below 2**-12, binary digits beyond the 36th are
            dropped. A `jax.Array` is clipped to 0 to 1.
        rounding: "round", or "truncate" for the integer towards zero.

    Returns:
        `int32[N, 2]` (top, left), for `crop`. Negative where the window is larger than the image.

    Raises:
        ConfigError: a shape does not fit, a host `position` is outside 0 to 1, or `rounding` is unknown.

    Example:
        >>> from jaxdali import image
        >>> image.crop_anchor([[480, 640, 3]], size=(224, 224), position=(0.5, 1.0))
        Array([[128, 416]], dtype=int32)
    """
    if np.ndim(shapes) != 2 or np.shape(shapes)[1] < 2:
        raise ConfigError(f"shapes have shape {np.shape(shapes)}; expected [N, 3] (height, width, channels).")
    each = np.ndim(size) == 2
    if each and np.shape(size) != (np.shape(shapes)[0], 2):
        raise ConfigError(f"size has shape {np.shape(size)} for {np.shape(shapes)[0]} images; expected [N, 2].")
    if rounding not in ("round", "truncate"):
        raise ConfigError(f"rounding is {rounding!r}; expected 'round' or 'truncate'.")
    if not isinstance(position, (tuple, list)) or len(position) != 2:
        raise ConfigError(f"position is {position!r}; expected a pair (y, x).")
    free = jnp.asarray(shapes)[:, :2] - (size if each else np.asarray([check_size(size)]))
    corners = []
    for axis, name in enumerate(("position[0] (y)", "position[1] (x)")):
        fraction = position[axis]
        if is_host(fraction) and not np.all((np.asarray(fraction) >= 0) & (np.asarray(fraction) <= 1)):
            raise ConfigError(f"{name} is {fraction!r}; expected 0 to 1.")
        fraction = jnp.clip(per_sample(fraction, name, free[:, axis]), 0, 1)
        corners.append(_scale_exactly(free[:, axis], fraction, half=rounding == "round"))
    top, left = corners
    # `+ 0 *`: if only one of them is sharded on an Explicit mesh, the other one must be, too
    return jnp.stack([top + 0 * left, left + 0 * top], axis=1)


def flip(
    images: ArrayLike,
    horizontal: npt.ArrayLike = 1,
    vertical: npt.ArrayLike = 0,
    shapes: npt.ArrayLike | None = None,
) -> jax.Array:
    """Mirrors each image left to right (`horizontal`), top to bottom (`vertical`), or both.

    Args:
        images: `[N, H, W, C]`, any dtype.
        horizontal: flag, a scalar or `[N]`, any integer or bool dtype; 0 leaves the image as it is.
        vertical: the same, top to bottom.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas: each image is then
            mirrored within its own extents and stays in the top left corner. Pixels around the images,
            where a canvas is uniform, may trade places.

    Returns:
        An array like `images`.

    Raises:
        ConfigError: a shape does not fit.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images = np.arange(4, dtype=np.uint8).reshape(1, 2, 2, 1)
        >>> image.flip(images)[0, :, :, 0]
        Array([[1, 0],
               [3, 2]], dtype=uint8)
    """
    images = check_images(images)
    if shapes is not None:
        check_shapes(shapes, images)
    for axis, name, flag in ((2, "horizontal", horizontal), (1, "vertical", vertical)):
        if is_host(flag) and not np.any(flag):
            per_sample(flag, name, images, np.bool_)  # its shape is checked anyway
            continue
        if shapes is not None:
            images = _flip_within(images, per_sample(flag, name, images, np.bool_), shapes, axis)
            continue
        mirrored = lax.rev(images, (axis,))
        images = jnp.where(per_sample(flag, name, images, np.bool_), mirrored, images)
    return images


def _flip_within(images, flag, shapes, axis: int):
    """Mirrors `axis` of each image within its own extent, by gathering."""
    extent = jnp.asarray(shapes)[:, axis - 1].reshape(-1, 1)
    index = lax.broadcasted_iota(extent.dtype, (images.shape[0], images.shape[axis]), 1)
    moves = (index < extent) & flag.reshape(-1, 1)
    source = index + moves.astype(index.dtype) * (
        extent - 1 - 2 * index
    )  # `where` would refuse to mix shardings on an Explicit mesh
    shape = [images.shape[0], 1, 1, 1]
    shape[axis] = images.shape[axis]
    return jnp.take_along_axis(images, source.reshape(shape), axis=axis)


def _scale_exactly(free, fraction, *, half: bool):
    """`free * fraction` as an integer: rounded to nearest with halves away from zero, or towards zero.

    A float32 product would round 0.9 * 365 = 328.49999 to 328.5, one pixel off DALI's result. So
    the fraction is split into digits of 12 bits, which are multiplied by long multiplication.

    Args:
        free: `int32[N]`, of magnitudes below 2**18, which is larger than any image.
        fraction: float32, 0 to 1.
    """
    digits = []
    for _ in range(3):
        fraction = fraction * 4096  # exact, and so is the difference below
        digit = jnp.floor(fraction)
        digits.append(digit.astype(jnp.int32))
        fraction = fraction - digit
    size = jnp.abs(free).astype(jnp.int32)
    total = (size * digits[2]) >> 12
    total = (size * digits[1] + total) >> 12
    total = (size * digits[0] + total + (2048 if half else 0)) >> 12
    return jnp.sign(free).astype(jnp.int32) * total


def _check_windows(anchor: np.ndarray, size: tuple[int, int], extents: np.ndarray) -> None:
    """Raises an error for the first window that leaves its image."""
    anchor, extents = np.broadcast_arrays(anchor, extents)
    wrong = np.flatnonzero(((anchor < 0) | (anchor + size > extents)).any(axis=1))
    if wrong.size:
        k = wrong[0]
        raise ConfigError(
            f"the window of sample {k} at {tuple(map(int, anchor[k]))} (top, left) of {size} is "
            f"out of bounds: its image is {tuple(map(int, extents[k]))} (height, width)."
        )
