"""Images as seen through a glass ball, through water, or shaken."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from .exact_arithmetic import product, quotient, rounded
from .image_arguments import check_images, check_shapes
from .recipe import numpy_of
from .sampling import grid, sampled
from .trigonometry import sine_and_cosine

__all__ = ["shaken", "sphere", "water"]

_DEGREES = np.float32(180 / np.pi)


@on_any_mesh
def sphere(
    images: ArrayLike, shapes: ArrayLike | None = None, *, fill: float = 0.0, filter: str = "nearest"
) -> jax.Array:
    """Images as they look through a glass ball; DALI's `fn.sphere`.

    A pixel at distance d from the centre, in units of half the longer side, is taken from distance d * d in the same
    direction.

    Args:
        images: `[N, H, W, C]`.
        shapes: `int32[N, 3]` of each image on the canvas, outside of which are zeros; None: every image fills it.
        fill: the level outside of the images.
        filter: "nearest" or "linear".

    Returns:
        An array like `images`.

    Raises:
        ConfigError: a shape does not fit, or `filter` is neither.
    """
    images, extents = _images(images, shapes)
    half = [product(extents[:, axis].astype(np.float32), np.float32(0.5)).reshape(-1, 1, 1) for axis in range(2)]
    xp = numpy_of(extents)
    longest = xp.maximum(xp.max(extents[:, :2], axis=1) // 2, 1).astype(np.float32).reshape(-1, 1, 1)
    x, y = grid(images.shape[1:3])
    away = [jnp.asarray(y - half[0]), jnp.asarray(x - half[1])]
    square = rounded(product(away[0], away[0]) + product(away[1], away[1]))
    factor = product(jnp.sqrt(square), quotient(np.float32(1), longest))
    places = [rounded(middle + product(factor, part)) for middle, part in zip(half, away, strict=True)]
    return _seen(images, places, shapes, fill, filter)


@on_any_mesh
def water(
    images: ArrayLike,
    shapes: ArrayLike | None = None,
    *,
    amplitude: tuple[float, float] = (10.0, 10.0),
    frequency: tuple[float, float] = (2 * np.pi / 128, 2 * np.pi / 128),
    phase: tuple[float, float] = (0.0, 0.0),
    fill: float = 0.0,
    filter: str = "nearest",
) -> jax.Array:
    """Images as they look under water; DALI's `fn.water`.

    Pixel (x, y) of the result is taken from `x + amplitude * sin(frequency * y + phase)` and
    `y + amplitude * cos(frequency * x + phase)` of the image, where (0.5, 0.5) is the centre of the first pixel.

    Args:
        images: `[N, H, W, C]`.
        shapes: `int32[N, 3]` of each image on the canvas, outside of which are zeros; None: every image fills it.
        amplitude: for x and for y, in pixels.
        frequency: for x and for y, in radians per pixel.
        phase: for x and for y, in radians.
        fill: the level outside of the images.
        filter: "nearest" or "linear".

    Returns:
        An array like `images`.

    Raises:
        ConfigError: a shape does not fit, or `filter` is neither.
    """
    images, _ = _images(images, shapes)
    x, y = (points - np.float32(0.5) for points in grid(images.shape[1:3]))
    angles = [
        product(rounded(product(np.float32(rate), along) + np.float32(begin)), _DEGREES)
        for rate, along, begin in zip(frequency, (y, x), phase, strict=True)
    ]
    sine, cosine = sine_and_cosine(angles[0])[0], sine_and_cosine(angles[1])[1]
    moved_x = x + np.float32(amplitude[0]) * sine
    moved_y = y + np.float32(amplitude[1]) * cosine
    return _seen(images, [jnp.asarray(moved_y), jnp.asarray(moved_x)], shapes, fill, filter)


@on_any_mesh
def shaken(images: ArrayLike, moves: Array, shapes: ArrayLike | None = None, *, fill: float = 0.0) -> jax.Array:
    """Takes each pixel from another position, a whole number of columns and rows away.

    Args:
        images: `[N, H, W, C]`.
        moves: integers as `float32[N, H, W, 2]`, along x and y.
        shapes: `int32[N, 3]` of each image on the canvas, outside of which are zeros; None: every image fills it.
        fill: the level outside of the images.

    Returns:
        An array like `images`.

    Raises:
        ConfigError: a shape does not fit.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images, moves = np.array([1, 2, 3], np.uint8).reshape(1, 1, 3, 1), np.zeros((1, 1, 3, 2), np.float32)
        >>> moves[..., 0] = 1
        >>> image.shaken(images, moves)[0, 0, :, 0]
        Array([2, 3, 0], dtype=uint8)
    """
    images, _ = _images(images, shapes)
    if np.shape(moves) != (*images.shape[:3], 2):
        raise ConfigError(f"moves have shape {np.shape(moves)}; expected {(*images.shape[:3], 2)}.")
    x, y = grid(images.shape[1:3])
    return _seen(images, [y + moves[..., 1], x + moves[..., 0]], shapes, fill, "nearest")


def _images(images: npt.ArrayLike, shapes: npt.ArrayLike | None) -> tuple[jax.Array, Any]:
    """Returns the images, and their extents `int32[N or 1, 2 or more]`."""
    images = check_images(images)
    if shapes is None:
        return images, np.asarray([images.shape[1:3]], np.int32)
    check_shapes(shapes, images)
    return images, jnp.asarray(shapes, jnp.int32)


def _seen(images: Any, places: Any, shapes: Any, fill: float, filter: str) -> jax.Array:
    places = [jnp.broadcast_to(place, (len(place), *images.shape[1:3])) for place in places]
    return sampled(images, places, shapes, extents=shapes, fill=fill, filter=filter)
