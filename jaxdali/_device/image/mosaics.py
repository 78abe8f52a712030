"""Reconstructs colours from Bayer mosaics, in which each pixel has only one; the same levels as OpenCV's."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax
from jax.typing import ArrayLike, DTypeLike

from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from ..ffi import cpu_calls
from ..ffi.platforms import two_ways
from .barrier import materialize
from .image_arguments import check_images, check_shapes
from .sampling import cleared
from .stencil import widened
from .variable_gradients import REACH, SMALLEST, variable_gradients

__all__ = ["ALGORITHMS", "debayer"]

ALGORITHMS = ("bilinear", "edgeaware", "vng", "gray")
# In the order of the custom call's numbers.
_PLAIN = ("bilinear", "edgeaware", "gray")
# Weights of red, green and blue in luma, in units of 2**-14.
_RED, _GREEN, _BLUE = 4899, 9617, 1868


@on_any_mesh
def debayer(
    mosaics: ArrayLike,
    blue_position: npt.ArrayLike,
    shapes: npt.ArrayLike | None = None,
    *,
    algorithm: str = "bilinear",
) -> jax.Array:
    """Makes RGB images from Bayer mosaics, in which each pixel has one colour.

    Args:
        mosaics: `[N, H, W, 1]`, uint8 or uint16; "vng": uint8.
        blue_position: (row, column) of blue, 0 or 1 each, in every square of 2 x 2 pixels, the first of which begins in
            the second row and column; one for all, or `[N, 2]`.
        shapes: `int32[N, 3]` (height, width, 1) of each mosaic; None: it fills its row.
        algorithm: "bilinear": the mean of the nearest pixels of a colour; "edgeaware": green is the mean of the two
            neighbours, left and right or above and below, that differ less; "vng": the mean along those of eight
            directions in which the levels change little, or "bilinear" for mosaics with less than 8 rows or columns;
            "gray": the luma of "bilinear".

    Returns:
        `[N, H, W, 3]`, red, green and blue, or `[N, H, W, 1]` for "gray". Except with "vng", the outermost pixels
        repeat their neighbours, and mosaics of less than 3 rows or columns become zeros. The canvas around a mosaic is
        zeros.

    Raises:
        ConfigError: a shape or a type does not fit, or the algorithm is none of these.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> mosaics = np.tile(np.array([[30, 20], [20, 10]], np.uint8), (2, 2)).reshape(1, 4, 4, 1)
        >>> image.debayer(mosaics, blue_position=(0, 0))[0, 1, 1]  # red, green and blue
        Array([30, 20, 10], dtype=uint8)
    """
    mosaics = check_images(mosaics)
    if shapes is not None:
        check_shapes(shapes, mosaics)
    if algorithm not in ALGORITHMS:
        raise ConfigError(f"algorithm is {algorithm!r}; expected one of {', '.join(ALGORITHMS)}.")
    types = ("uint8",) if algorithm == "vng" else ("uint8", "uint16")
    if mosaics.shape[3] != 1 or mosaics.dtype not in types:
        raise ConfigError(
            f"mosaics are {mosaics.dtype}{list(mosaics.shape)}; expected {' or '.join(types)}[N, H, W, 1] for {algorithm!r}."
        )
    position = jnp.asarray(blue_position, jnp.int32)
    if position.shape not in ((2,), (len(mosaics), 2)):
        raise ConfigError(f"blue_position has shape {position.shape}; expected (2,) or [N, 2].")
    _, height, width, _ = mosaics.shape
    canvas = jnp.asarray([[height, width]], jnp.int32)
    extents = canvas if shapes is None else jnp.asarray(shapes, jnp.int32)[:, :2]
    position = position.reshape(-1, 2)
    if algorithm != "vng" or min(height, width) < SMALLEST:
        plain = algorithm if algorithm != "vng" else "bilinear"
        return _nearest(mosaics[..., 0], extents, position, algorithm=plain)
    own = None if shapes is None else extents
    wide = mosaics[..., 0]
    for axis, long in ((1, height), (2, width)):
        wide = widened(wide, axis, REACH, long + 2 * REACH, None if own is None else own[:, axis - 1], "reflect_101")
    found = variable_gradients(wide, _kinds(position, height, width))
    if shapes is None:
        return found
    large = (jnp.min(extents, axis=1) >= SMALLEST).reshape(-1, 1, 1, 1)
    found = jnp.where(large, found, _nearest(mosaics[..., 0], extents, position, algorithm="bilinear"))
    return cleared(found, extents)


def _kinds(position: Any, height: int, width: int) -> tuple[Any, Any]:
    """`bool[N or 1, H, 1]` and `bool[N or 1, 1, W]`: whether a row, and whether a column, contains blue."""
    found = []
    for axis, long in enumerate((height, width)):
        place = lax.broadcasted_iota(jnp.int32, (1, long), 1)
        found.append((place + position[:, axis : axis + 1]) % 2 == 1)
    return found[0][:, :, None], found[1][:, None, :]


def _nearest_generically(mosaics: Any, extents: Any, position: Any, *, algorithm: str) -> jax.Array:
    """Computes each pixel from its nearest neighbours."""
    dtype, (_, height, width) = mosaics.dtype, mosaics.shape
    wide = jnp.pad(mosaics.astype(jnp.int32), ((0, 0), (1, 1), (1, 1)))

    def at(down: int, right: int) -> jax.Array:
        return wide[:, 1 + down : 1 + down + height, 1 + right : 1 + right + width]

    own, above, below, left, right = at(0, 0), at(-1, 0), at(1, 0), at(0, -1), at(0, 1)
    corners = at(-1, -1) + at(-1, 1) + at(1, -1) + at(1, 1)
    row, column = _kinds(position, height, width)
    green = row != column
    if algorithm == "gray":
        return _settled([_luma(own, above + below, left + right, corners, row, green)], extents, dtype)
    across, along = (left + right + 1) >> 1, (above + below + 1) >> 1
    if algorithm == "bilinear":
        cross = (above + below + left + right + 2) >> 2
    else:
        cross = jnp.where(abs(left - right) > abs(above - below), along, across)
    other = jnp.where(green, jnp.where(row, along, across), (corners + 2) >> 2)
    same = jnp.where(green, jnp.where(row, across, along), own)
    blue = jnp.where(green | row, same, other)
    red = jnp.where(green | row, other, same)
    return _settled([red, jnp.where(green, own, cross), blue], extents, dtype)


_nearest = two_ways(
    "jaxdali_demosaiced",
    lambda mosaics, *_, algorithm: ((*mosaics.shape, 1 if algorithm == "gray" else 3), mosaics.dtype),
    _nearest_generically,
    lambda mosaics, extents, position, algorithm: cpu_calls.demosaic(
        mosaics, extents, position, demosaicing=_PLAIN.index(algorithm)
    ),
    on_gpus=False,
)


def _luma(own: Any, upright: Any, level: Any, corners: Any, row: Any, green: Any) -> jax.Array:
    """Luma from a pixel, the sums of its vertical and of its horizontal neighbours, and that of its corner neighbours."""
    here, there = jnp.where(row, _BLUE, _RED), jnp.where(row, _RED, _BLUE)
    of_green = (level * here + upright * there + own * (2 * _GREEN) + (1 << 14)) >> 15
    # Fits 32-bit integers: four times a 16-bit level times a 13-bit weight has 31 bits.
    others = (corners * there + (1 << 15)).astype(jnp.uint32)
    total = others + ((upright + level) * _GREEN).astype(jnp.uint32) + (own * (4 * here)).astype(jnp.uint32)
    return jnp.where(green, of_green, (total >> 16).astype(jnp.int32))


def _settled(colours: list[Any], extents: Any, dtype: DTypeLike) -> jax.Array:
    """Stacks colours to images, whose outermost pixels are replaced by those next to them."""
    made = materialize(jnp.stack([jnp.broadcast_to(one, colours[0].shape).astype(dtype) for one in colours], axis=-1))
    small = jnp.min(extents, axis=1) < 3
    for axis in (1, 2):
        place = lax.broadcasted_iota(jnp.int32, [made.shape[k] if k == axis else 1 for k in range(4)], axis)
        last = (extents[:, axis - 1] - 1).reshape(-1, 1, 1, 1)
        before, behind = (
            jnp.concatenate(
                [lax.slice_in_dim(made, 1, None, axis=axis), lax.slice_in_dim(made, 0, 1, axis=axis)], axis=axis
            ),
            jnp.concatenate(
                [lax.slice_in_dim(made, 0, 1, axis=axis), lax.slice_in_dim(made, 0, -1, axis=axis)], axis=axis
            ),
        )
        made = jnp.where(place == 0, before, jnp.where(place == last, behind, made))
    return cleared(jnp.where(small.reshape(-1, 1, 1, 1), np.zeros((), dtype), made), extents)
