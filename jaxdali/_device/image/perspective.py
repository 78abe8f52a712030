"""Takes pixels from where a perspective map, or a table of positions, says."""

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
from .affine import adjugate
from .convert import check_dtype, round_to_dtype
from .exact_arithmetic import product, quotient, rounded, to_float32
from .image_arguments import check_images, check_size
from .sampling import grid, sampled

__all__ = ["remap", "warp_perspective"]


@on_any_mesh
def warp_perspective(
    images: ArrayLike,
    matrix: ArrayLike,
    size: Sequence[int] | None = None,
    shapes: npt.ArrayLike | None = None,
    *,
    extents: npt.ArrayLike | None = None,
    fill: npt.ArrayLike = 0.0,
    border: str = "constant",
    filter: str = "linear",
    inverse_map: bool = True,
    pixel_origin: str = "corner",
    dtype: DTypeLike | None = None,
) -> jax.Array:
    """Moves pixels by a perspective map; DALI's `fn.experimental.warp_perspective`.

    Pixel `(x, y)` of the result is taken from `(u / w, v / w)` of the image, where `(u, v, w) = matrix @ (x, y, 1)`.

    Args:
        images: `[N, H, W, C]`.
        matrix: `float32[3, 3]`, or `[N, 3, 3]`.
        size: (height, width) of the result's array; None: that of `images`.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas; None: every image fills it.
        extents: `int32[N, 2]` of each result, outside of which there are zeros; None: results fill the array.
        fill: the level outside of the images with "constant", a number or one per channel, rounded as the result is.
        border: how images are extended: "constant", "clamp", "reflect_1001", "reflect_101" or "wrap".
        filter: "nearest", "linear" or "cubic".
        inverse_map: the matrix maps positions of the result to the image; False: positions of the image to the result.
        pixel_origin: what (0, 0) is: "corner", that of the first pixel; or "center", its centre.
        dtype: that of the result; integers are rounded, halves to even, and saturate. None: that of `images`.

    Returns:
        `dtype[N, *size, C]`.

    Raises:
        ConfigError: a shape does not fit, or `filter`, `border` or `pixel_origin` is none of these.
    """
    images = check_images(images)
    if np.shape(matrix) not in ((3, 3), (len(images), 3, 3)):
        raise ConfigError(
            f"matrix has shape {np.shape(matrix)} for {len(images)} images; expected [3, 3], or one per sample [N, 3, 3]."
        )
    size = images.shape[1:3] if size is None else check_size(size)
    middle = _middle(pixel_origin)
    matrix = to_float32(matrix)
    m = (matrix if inverse_map else adjugate(matrix)).reshape(-1, 3, 3, 1, 1)
    x, y = (points - middle for points in grid(size))
    u, v, w = (rounded(rounded(product(m[:, row, 0], x) + product(m[:, row, 1], y)) + m[:, row, 2]) for row in range(3))
    # Where w is 0 there is no position, so the pixel is outside.
    scale = jnp.where(w == 0, np.float32(np.nan), quotient(np.float32(1), jnp.where(w == 0, np.float32(1), w)))
    places = [rounded(product(part, scale) + middle) for part in (v, u)]
    return _picked(images, places, shapes, extents, fill=fill, border=border, filter=filter, dtype=dtype)


@on_any_mesh
def remap(
    images: ArrayLike,
    map_x: Array,
    map_y: Array,
    shapes: npt.ArrayLike | None = None,
    *,
    extents: npt.ArrayLike | None = None,
    fill: npt.ArrayLike = 0.0,
    border: str = "constant",
    filter: str = "linear",
    pixel_origin: str = "corner",
    dtype: DTypeLike | None = None,
) -> jax.Array:
    """Moves pixels according to two maps; DALI's `fn.experimental.remap`.

    Args:
        images: `[N, H, W, C]`.
        map_x: numbers `[N or 1, h, w]`, for each pixel of the result its column in the image.
        map_y: numbers of the same shape, for each pixel of the result its row in the image.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas; None: every image fills it.
        extents: `int32[N, 2]` of each result, outside of which there are zeros; None: results fill the array.
        fill: the level outside of the images with "constant", a number or one per channel, rounded as the result is.
        border: how images are extended: "constant", "clamp", "reflect_1001", "reflect_101" or "wrap".
        filter: "nearest", "linear" or "cubic".
        pixel_origin: what (0, 0) is: "corner", that of the first pixel; or "center", its centre.
        dtype: that of the result; integers are rounded, halves to even, and saturate. None: that of `images`.

    Returns:
        `dtype[N, h, w, C]`.

    Raises:
        ConfigError: a shape does not fit, or `filter`, `border` or `pixel_origin` is none of these.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images = np.arange(9, dtype=np.uint8).reshape(1, 3, 3, 1)
        >>> map_x, map_y = np.array([[[0, 2], [1, 1]]]), np.array([[[0, 0], [1, 2]]])
        >>> image.remap(images, map_x, map_y, pixel_origin="center")[0, :, :, 0]
        Array([[0, 2],
               [4, 7]], dtype=uint8)
    """
    images = check_images(images)
    if np.ndim(map_x) != 3 or np.shape(map_x) != np.shape(map_y) or len(map_x) not in (1, len(images)):
        raise ConfigError(
            f"map_x and map_y have shapes {np.shape(map_x)} and {np.shape(map_y)} for {len(images)} images; expected "
            "[N or 1, height, width] of both."
        )
    places = [rounded(to_float32(one) + _middle(pixel_origin)) for one in (map_y, map_x)]
    return _picked(images, places, shapes, extents, fill=fill, border=border, filter=filter, dtype=dtype)


def _middle(pixel_origin: str) -> np.float32:
    """What to add to coordinates with that origin to get those with the origin "corner"."""
    if pixel_origin not in ("corner", "center"):
        raise ConfigError(f'pixel_origin is {pixel_origin!r}; expected "corner" or "center".')
    return np.float32(0 if pixel_origin == "corner" else 0.5)


def _picked(
    images: Any,
    places: Any,
    shapes: npt.ArrayLike | None,
    extents: npt.ArrayLike | None,
    *,
    fill: Any,
    filter: str,
    dtype: Any,
    border: str,
) -> jax.Array:
    target = check_dtype(images.dtype if dtype is None else dtype)
    if jnp.issubdtype(images.dtype, jnp.integer):  # the fill outside has the images' dtype, too
        fill = round_to_dtype(jnp.round(jnp.asarray(fill, jnp.float32)), images.dtype)
    settings = {"fill": fill, "border": border, "filter": filter, "extents": extents}
    if filter == "nearest":
        # Halfway between two pixels, takes the one with the even index, as DALI does.
        places = [jnp.round(place - np.float32(0.5)) + np.float32(0.5) for place in places]
        return sampled(images, places, shapes, dtype=target, **settings)
    found = sampled(images, places, shapes, dtype=np.float32, **settings)
    return round_to_dtype(jnp.round(found) if jnp.issubdtype(target, jnp.integer) else found, target)
