"""Mirrors boxes and points of images, and moves boxes to where an image is pasted on a larger canvas."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh

__all__ = ["flip_boxes", "flip_points", "paste_boxes"]


@on_any_mesh
def flip_boxes(
    boxes: jax.Array | np.ndarray, horizontal: npt.ArrayLike = 1, vertical: npt.ArrayLike = 0, ltrb: bool = False
) -> jax.Array:
    """Mirrors boxes with their image: left to right (`horizontal`), top to bottom (`vertical`), or both.

    Args:
        boxes: `float32[N, ..., 4]`.
        horizontal: nonzero to mirror left to right; a scalar or one per image, `[N]`.
        vertical: nonzero to mirror top to bottom; a scalar or one per image, `[N]`.
        ltrb: boxes are left, top, right, bottom; False: x, y, width, height.

    Returns:
        `float32[N, ..., 4]`, written the same way.

    Raises:
        ConfigError: the last axis does not have four numbers.

    Example:
        >>> import jax.numpy as jnp
        >>> from jaxdali import boxes
        >>> boxes.flip_boxes(jnp.array([[[0, 0, 0.25, 0.5]]]))
        Array([[[0.75, 0.  , 0.25, 0.5 ]]], dtype=float32)
    """
    x, y, right, bottom = _columns(boxes, 4)
    across, down = _beside(horizontal, x) != 0, _beside(vertical, x) != 0
    if ltrb:
        left, right = jnp.where(across, 1 - right, x), jnp.where(across, 1 - x, right)
        top, bottom = jnp.where(down, 1 - bottom, y), jnp.where(down, 1 - y, bottom)
        return jnp.stack([left, top, right, bottom], axis=-1)
    return jnp.stack([jnp.where(across, 1 - x - right, x), jnp.where(down, 1 - y - bottom, y), right, bottom], axis=-1)


@on_any_mesh
def paste_boxes(
    boxes: jax.Array | np.ndarray,
    ratio: npt.ArrayLike,
    paste_x: npt.ArrayLike = 0.5,
    paste_y: npt.ArrayLike = 0.5,
    ltrb: bool = False,
) -> jax.Array:
    """Returns the boxes after their image was pasted onto a larger canvas.

    Args:
        boxes: `float32[N, ..., 4]`.
        ratio: extents of the canvas divided by those of the image, at least 1; a scalar or one per image, `[N]`.
        paste_x: the image's position in the free space from left to right, 0 to 1; a scalar or `[N]`.
        paste_y: the image's position in the free space from top to bottom, 0 to 1; a scalar or `[N]`.
        ltrb: boxes are left, top, right, bottom; False: x, y, width, height.

    Returns:
        `float32[N, ..., 4]`, as fractions of the canvas, written the same way.

    Raises:
        ConfigError: the last axis does not have four numbers.
    """
    x, y, right, bottom = _columns(boxes, 4)
    scale = 1 / _beside(ratio, x)
    before_x, before_y = _beside(paste_x, x) * (1 - scale), _beside(paste_y, x) * (1 - scale)
    ends = (right * scale + before_x, bottom * scale + before_y) if ltrb else (right * scale, bottom * scale)
    return jnp.stack([x * scale + before_x, y * scale + before_y, *ends], axis=-1)


@on_any_mesh
def flip_points(
    points: jax.Array | np.ndarray, flips: Any = (1, 0, 0), centers: Any = (0.5, 0.5, 0.5), layout: str = ""
) -> jax.Array:
    """Mirrors points at planes orthogonal to the axes.

    Args:
        points: `float32[N, ..., D]`.
        flips: for x, y and z; nonzero to mirror; each a scalar or one per image, `[N]`.
        centers: for x, y and z, the positions of the planes, likewise.
        layout: the order of coordinates, such as "xy"; empty: "x", "xy" or "xyz".

    Returns:
        `float32[N, ..., D]`.

    Raises:
        ConfigError: the last axis does not have as many numbers as the layout.
    """
    layout = layout or "xyz"[: points.shape[-1]]
    found = []
    for name, column in zip(layout, _columns(points, len(layout)), strict=True):
        place = "xyz".index(name)
        flipped = 2 * _beside(centers[place], column) - column
        found.append(jnp.where(_beside(flips[place], column) != 0, flipped, column))
    return jnp.stack(found, axis=-1)


def _columns(data, count: int):
    if data.ndim < 1 or data.shape[-1] != count:
        raise ConfigError(f"coordinates have the shape {data.shape}; expected {count} numbers along the last axis.")
    return [data[..., k] for k in range(count)]


def _beside(value: Any, column):
    """Shapes a scalar, or `[N]`, so that it broadcasts over `[N, ...]`."""
    array = jnp.asarray(value, jnp.float32)
    return array.reshape(-1, *[1] * (column.ndim - 1)) if array.ndim else array
