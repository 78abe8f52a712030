"""Rotates volumes around an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike, DTypeLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from .affine import rotation
from .exact_arithmetic import product, rounded, to_float32
from .image_arguments import check_number
from .image_volumes import check_volumes
from .recipe import numpy_of
from .warp import of_sequences, warp_affine

__all__ = ["largest_rotated_volumes", "rotate_volumes", "rotated_volume_extents"]

# How much an extent may exceed an integer and still count as that integer.
_SLACK = np.float32(0.01)
# Parts of a rotation that differ by less are equal but for rounding.
_TIED = np.float32(1e-6)


@on_any_mesh
def rotate_volumes(
    volumes: ArrayLike,
    degrees: ArrayLike,
    axis: ArrayLike,
    size: Sequence[int] | None = None,
    shapes: Array | None = None,
    *,
    extents: Array | None = None,
    fill: float | None = None,
    filter: str = "linear",
    dtype: DTypeLike | None = None,
) -> jax.Array:
    """Rotates volumes around an axis through their centre; DALI's `fn.rotate` of volumes.

    Args:
        volumes: `[N, D, H, W, C]`.
        degrees: a scalar or one per sample, `[N]`; counter-clockwise when the axis points to you.
        axis: (x, y, z), of any length but 0, or one per sample, `[N, 3]`.
        size: (depth, height, width) of the result's array; None: that of `volumes`.
        shapes: `int32[N, 4]` (depth, height, width, channels) of each volume; None: it fills its row.
        extents: `int32[N, 3]` of each result, such as `rotated_volume_extents(degrees, axis, shapes)`; None: results
            fill the array.
        fill: the level outside of the volumes; None: that of the nearest pixel.
        filter: "linear" or "nearest".
        dtype: that of the result, rounded by `round_to_dtype`; None: that of `volumes`.

    Returns:
        `dtype[N, *size, C]`.

    Raises:
        ConfigError: a shape does not fit.
    """
    volumes = check_volumes(volumes, shapes)
    check_number(degrees, "degrees")
    if np.shape(degrees) not in ((), (len(volumes),)) or np.shape(axis) not in ((3,), (len(volumes), 3)):
        raise ConfigError(
            f"degrees have shape {np.shape(degrees)} and axis {np.shape(axis)} for {len(volumes)} volumes; expected "
            "a scalar or [N], and [3] or [N, 3]."
        )
    canvas = volumes.shape[1:4] if size is None else size
    own = np.asarray([volumes.shape[1:4]], np.int32) if shapes is None else shapes[:, :3]
    made = np.asarray([canvas], np.int32) if extents is None else extents
    turned = _turned(-to_float32(degrees), axis)
    xp = numpy_of(turned, own, made)
    start, end = (product(one[:, ::-1].astype(np.float32), np.float32(0.5)) for one in (own, made))
    rows = []
    for row in range(3):
        moved = start[:, row]
        for column in range(3):
            moved = rounded(moved - product(turned[:, row, column], end[:, column]))
        rows.append(xp.stack(xp.broadcast_arrays(*(turned[:, row, column] for column in range(3)), moved), axis=-1))
    matrix = jnp.broadcast_to(xp.stack(rows, axis=-2), (len(volumes), 3, 4))
    return warp_affine(volumes, matrix, canvas, shapes, extents=extents, fill=fill, filter=filter, dtype=dtype)


@on_any_mesh
def rotated_volume_extents(
    degrees: ArrayLike, axis: Any, extents: Any, frames: int = 1, counted: ArrayLike | None = None
) -> Any:
    """The extents of volumes after a rotation that keeps all of them.

    Along each axis the extent is odd or even as that of the volume's axis is that the rotation brings closest to it; of
    several, that of the same axis.

    Args:
        degrees: `float32[]` or `[N]`.
        axis: `float32[3]` or `[N, 3]`, (x, y, z).
        extents: `int32[N, 3 or more]`, depth, height and width.
        frames: this many consecutive volumes get the same extents, as large as any of them needs; odd if most of them
            need odd ones.
        counted: `bool[N]`, which volumes count for that; None: all.

    Returns:
        `int32[N, 3]`, depth, height and width; in NumPy if all arguments are NumPy's.
    """
    degrees = to_float32(degrees)
    turned = abs(_turned(degrees, axis))
    xp, own = numpy_of(turned, extents), extents[:, 2::-1]
    turned = xp.broadcast_to(turned, (max(len(turned), len(own)), 3, 3))
    found = []
    for row in range(3):
        terms = [product(turned[:, row, column], own[:, column].astype(np.float32)) for column in range(3)]
        reach = rounded(rounded(terms[0] + terms[1]) + terms[2])
        extent = xp.maximum(xp.ceil(reach - _SLACK), 1).astype(np.int32)
        own_part, others = turned[:, row, row], xp.where(np.arange(3) == row, np.float32(-1), turned[:, row])
        largest = others.max(axis=1)
        # As in DALI, whose radians of 315 degrees are, rounded, nearer to a quarter turn.
        alike = xp.where(abs(own_part - largest) < _TIED, abs(degrees.reshape(-1)) != 315, own_part > largest)
        most = xp.where(alike, row, xp.argmax(others, axis=1))
        even = sum(xp.where(most == column, own[:, column], 0) for column in range(3))
        if frames > 1:
            extent, even = of_sequences(xp, extent, even, frames, counted)
        found.append(extent + (extent + even) % 2)
    return xp.stack(found[::-1], axis=1)


def largest_rotated_volumes(axis: Any, extents: np.ndarray) -> np.ndarray:
    """An upper limit of `rotated_volume_extents` for any angle: `int64[N, 3]`.

    Args:
        axis: (x, y, z), or None for any axis.
        extents: `int64[N, 3]`, depth, height and width.
    """
    lengths = np.repeat(np.sqrt((extents.astype(np.float64) ** 2).sum(axis=1))[:, None], 3, axis=1)
    if axis is not None and np.count_nonzero(axis) == 1:
        fixed = 2 - int(np.flatnonzero(axis)[0])
        rest = [one for one in range(3) if one != fixed]
        lengths[:, rest] = np.hypot(extents[:, rest[0]], extents[:, rest[1]])[:, None]
        lengths[:, fixed] = extents[:, fixed] - 1
    return np.ceil(lengths).astype(np.int64) + 2


def _turned(degrees: Any, axis: Any) -> Any:
    """The matrices `[N or 1, 3, 3]` of the rotations."""
    return rotation(degrees.reshape(-1), None, to_float32(axis).reshape(-1, 3))[..., :3]
