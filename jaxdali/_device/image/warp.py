"""Takes pixels from elsewhere in their images: affine maps, and rotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax.typing import ArrayLike, DTypeLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from .affine import inverted
from .exact_arithmetic import product, rounded, to_float32
from .image_arguments import check_images, check_number, check_size
from .image_volumes import check_volumes
from .recipe import Size, numpy_of
from .sampling import sampled
from .trigonometry import sine_and_cosine

__all__ = ["largest_rotated", "of_sequences", "rotate", "rotated_extents", "warp_affine"]

# How much an extent may exceed an integer and still count as that integer.
_SLACK = np.float32(0.01)


@on_any_mesh
def warp_affine(
    images: ArrayLike,
    matrix: npt.ArrayLike,
    size: Sequence[int] | None = None,
    shapes: Array | None = None,
    *,
    extents: Array | None = None,
    fill: float | None = None,
    filter: str = "linear",
    inverse_map: bool = True,
    dtype: DTypeLike | None = None,
) -> jax.Array:
    """Moves pixels by an affine map; DALI's `fn.warp_affine`.

    Pixel `(x, y)` of the result is taken from `matrix @ (x + 0.5, y + 0.5, 1)` of the image, where (0.5, 0.5) is the
    centre of its first pixel. For volumes it is `(x, y, z)`. Each position is computed by itself, in float32, the same
    on every platform. (On the CPU, DALI accumulates positions along rows, which is off by up to a thousandth of a
    pixel.)

    Args:
        images: `[N, H, W, C]`, or volumes `[N, D, H, W, C]`.
        matrix: `float32[2, 3]` or `[N, 2, 3]`; for volumes `[3, 4]` or `[N, 3, 4]`.
        size: (height, width) of the result's array, for volumes (depth, height, width); None: that of `images`.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas, `[N, 4]` of volumes; None: every
            image fills it.
        extents: `int32[N, 2]` of each result, `[N, 3]` of volumes, outside of which there are zeros; None: results fill
            the array.
        fill: the level outside of the images; None: that of the nearest pixel.
        filter: "linear" or "nearest".
        inverse_map: the matrix maps positions of the result to the image; False: positions of the image to the result.
        dtype: that of the result, rounded by `round_to_dtype`; None: that of `images`.

    Returns:
        `dtype[N, *size, C]`.

    Raises:
        ConfigError: a shape does not fit, or `filter` is neither.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images = np.arange(9, dtype=np.uint8).reshape(1, 3, 3, 1)
        >>> image.warp_affine(images, [[1, 0, 1], [0, 1, 0]], fill=0)[0, :, :, 0]
        Array([[1, 2, 0],
               [4, 5, 0],
               [7, 8, 0]], dtype=uint8)
    """
    images = check_images(images) if np.ndim(images) != 5 else check_volumes(images)
    size, axes = _size(images, size), images.ndim - 2
    if np.shape(matrix) not in ((axes, axes + 1), (len(images), axes, axes + 1)):
        raise ConfigError(
            f"matrix has shape {np.shape(matrix)} for {len(images)} images; expected [{axes}, {axes + 1}], or one per "
            f"sample [N, {axes}, {axes + 1}]."
        )
    if filter not in ("linear", "nearest"):
        raise ConfigError(f'filter is {filter!r}; expected "linear" or "nearest".')
    matrix = to_float32(matrix)
    if not inverse_map:
        matrix = inverted(matrix)
    maps = matrix.reshape(-1, axes, axes + 1)
    return sampled(images, maps, shapes, size=size, extents=extents, fill=fill, filter=filter, dtype=dtype)


@on_any_mesh
def rotate(
    images: ArrayLike,
    degrees: npt.ArrayLike,
    size: Size | None = None,
    shapes: Array | None = None,
    *,
    extents: Array | None = None,
    fill: float | None = None,
    filter: str = "linear",
    dtype: DTypeLike | None = None,
) -> jax.Array:
    """Rotates images counter-clockwise around their centre; DALI's `fn.rotate`.

    Args:
        images: `[N, H, W, C]`.
        degrees: a scalar or one per sample, `[N]`.
        size: (height, width) of the result's array; None: that of `images`.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas; None: every image fills it.
        extents: `int32[N, 2]` of each result, such as `rotated_extents(degrees, shapes)`; None: results fill the array.
        fill: the level outside of the images; None: that of the nearest pixel.
        filter: "linear" or "nearest".
        dtype: that of the result, rounded by `round_to_dtype`; None: that of `images`.

    Returns:
        `dtype[N, *size, C]`.

    Raises:
        ConfigError: a shape does not fit, or `filter` is neither.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images = np.arange(9, dtype=np.uint8).reshape(1, 3, 3, 1)
        >>> image.rotate(images, 90)[0, :, :, 0]
        Array([[2, 5, 8],
               [1, 4, 7],
               [0, 3, 6]], dtype=uint8)
    """
    images = check_images(images)
    check_number(degrees, "degrees")
    if np.shape(degrees) not in ((), (len(images),)):
        raise ConfigError(
            f"degrees have shape {np.shape(degrees)} for {len(images)} images; expected a scalar or one per sample, [N]."
        )
    canvas = _size(images, size)
    sine, cosine = sine_and_cosine(to_float32(degrees).reshape(-1))
    own = np.asarray([images.shape[1:3]], np.int32) if shapes is None else shapes[:, :2]
    made = np.asarray([canvas], np.int32) if extents is None else extents
    xp = numpy_of(sine, own, made)
    from_y, from_x = (product(own[:, axis].astype(np.float32), np.float32(0.5)) for axis in range(2))
    to_y, to_x = (product(made[:, axis].astype(np.float32), np.float32(0.5)) for axis in range(2))
    rows = [
        [cosine, -sine, rounded(rounded(from_x - product(cosine, to_x)) + product(sine, to_y))],
        [sine, cosine, rounded(rounded(from_y - product(sine, to_x)) - product(cosine, to_y))],
    ]
    matrix = xp.stack([xp.stack(xp.broadcast_arrays(*row), axis=-1) for row in rows], axis=-2)
    matrix = jnp.broadcast_to(matrix, (len(images), 2, 3))
    return warp_affine(images, matrix, canvas, shapes, extents=extents, fill=fill, filter=filter, dtype=dtype)


@on_any_mesh
def rotated_extents(degrees: ArrayLike, extents: Array, frames: int = 1, counted: ArrayLike | None = None) -> Array:
    """The extents of images after a rotation that keeps all of them.

    The number of rows is odd or even as that of the image's rows is, or that of its columns if the rotation is closer
    to a quarter turn; likewise for columns.

    Args:
        degrees: `float32[]` or `[N]`.
        extents: `int32[N, 2 or more]`, height and width.
        frames: this many consecutive images get the same extents, as large as any of them needs; odd if most of them
            need odd ones.
        counted: `bool[N]`, which images count for that; None: all.

    Returns:
        `int32[N, 2]`, height and width in pixels; in NumPy if both arguments are NumPy's.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> image.rotated_extents(30, np.array([[480, 640]], np.int32))
        array([[736, 796]], dtype=int32)
    """
    degrees = to_float32(degrees).reshape(-1)
    sine, cosine = (abs(part) for part in sine_and_cosine(degrees))
    xp = numpy_of(degrees, extents)
    high, wide = (extents[:, axis].astype(np.float32) for axis in range(2))
    # Which bounds are inclusive, such as at 225 degrees, follows DALI.
    rest = rounded(degrees - product(np.float32(360), xp.floor(product(degrees, np.float32(1 / 360)))))
    turned = ((rest >= 45) & (rest < 135)) | ((rest > 225) & (rest <= 315))
    found = []
    for along, across, even in (
        (high, wide, xp.where(turned, extents[:, 1], extents[:, 0])),
        (wide, high, xp.where(turned, extents[:, 0], extents[:, 1])),
    ):
        reach = rounded(product(along, cosine) + product(across, sine))
        least = xp.minimum(xp.minimum(high, wide), 1)  # an image without pixels may stay one
        extent = xp.maximum(xp.ceil(reach - _SLACK), least).astype(np.int32)
        if frames > 1:
            extent, even = of_sequences(xp, extent, even, frames, counted)
        found.append(extent + (extent + even) % 2)
    return xp.stack(found, axis=1)


def of_sequences(xp: Any, extent: Any, even: Any, frames: int, counted: Any) -> tuple[Any, Any]:
    """The largest extent in each sequence of images, and the parity of most of them; both repeated for each image."""
    counts = xp.ones_like(extent) if counted is None else xp.asarray(counted).astype(np.int32)
    extent = (xp.broadcast_to(extent, counts.shape) * counts).reshape(-1, frames).max(axis=1)
    odd = (xp.broadcast_to(even % 2, counts.shape) * counts).reshape(-1, frames).sum(axis=1)
    most = 2 * odd > counts.reshape(-1, frames).sum(axis=1)
    return xp.repeat(extent, frames), xp.repeat(most.astype(np.int32), frames)


def largest_rotated(extents: np.ndarray) -> np.ndarray:
    """An upper limit of `rotated_extents` for any angle: `int64[N, 2]`."""
    diagonal = np.ceil(np.hypot(extents[:, 0], extents[:, 1])).astype(np.int64) + 2
    return np.stack([diagonal, diagonal], axis=1)


def _size(images: jax.Array, size: Sequence[int] | None) -> tuple[int, ...]:
    if size is None:
        return images.shape[1:-1]
    if images.ndim == 4:
        return check_size(size)
    if len(size) != 3 or min(size) < 1:
        raise ConfigError(f"size is {size!r}; expected (depth, height, width) of the volumes, each at least 1.")
    return tuple(int(extent) for extent in size)
