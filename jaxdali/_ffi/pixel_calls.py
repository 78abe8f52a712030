"""The custom calls on pixels that CPUs and GPUs have, as Python functions."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike, DTypeLike

from . import load

__all__ = ["count_levels", "look_up_levels", "warp"]

_COUNT_LEVELS_TARGET = "jaxdali_count_levels_v1"
_LOOK_UP_TARGET = "jaxdali_look_up_levels_v1"
_WARP_TARGET = "jaxdali_warp_v1"


def count_levels(images: ArrayLike, extents: ArrayLike, tiles: ArrayLike, many: tuple[int, int]) -> jax.Array:
    """Binds `jaxdali_count_levels_v1`: how often each level occurs in each tile of images.

    Args:
        images: `uint8[N, H, W, C]`.
        extents: `int32[N or 1, 2]` of the image in the corner of its canvas; held within it.
        tiles: `int32[N or 1, 2]`, height and width of a tile; held within 1 and twice the canvas.
        many: how many tiles there are along (height, width). Where they reach beyond an image it goes on mirrored, its last
            pixel not repeated; nothing is counted of an image without pixels.

    Returns:
        `int32[N, *many, C, 256]`.
    """
    load.register_targets()
    shape = np.shape(images)
    call = jax.ffi.ffi_call(_COUNT_LEVELS_TARGET, jax.ShapeDtypeStruct((shape[0], *many, shape[3], 256), jnp.int32))
    return call(images, extents, tiles)


def look_up_levels(images: ArrayLike, tables: ArrayLike, extents: ArrayLike) -> jax.Array:
    """Binds `jaxdali_look_up_levels_v1`: levels replaced by what the table of their channel says.

    Args:
        images: `uint8[N, H, W, C]`.
        tables: `uint8[N, C, 256]`.
        extents: `int32[N or 1, 2]` of the image in the corner of its canvas; held within it.

    Returns:
        `uint8[N, H, W, C]`, zeros outside of images.
    """
    load.register_targets()
    return jax.ffi.ffi_call(_LOOK_UP_TARGET, jax.ShapeDtypeStruct(np.shape(images), jnp.uint8))(images, tables, extents)


def warp(
    images: ArrayLike,
    where: ArrayLike,
    extents: ArrayLike,
    made: ArrayLike,
    fill: ArrayLike,
    size: Sequence[int],
    dtype: DTypeLike,
    *,
    border: int,
    between: int,
) -> jax.Array:
    """Binds `jaxdali_warp_v1`: what images have at places between their pixels.

    Args:
        images: `T[N, H, W, C]` or `T[N, D, H, W, C]`; T has up to 4 bytes with `between` 0, else it is one of uint8, int16,
            uint16 and float32.
        where: of each result its place, in pixels; the middle of the first one is at 0.5. `float32[axes, N or 1, *size]`,
            x last; or `float32[N or 1, axes, axes + 1]`, affine maps that make them of the results' own, x first.
        extents: `int32[N or 1, axes]` of the image in the corner of its canvas; held within 1 and that.
        made: `int32[N or 1, axes]` of the result, likewise, outside of which there are zeros.
        fill: `[C]`, what is beyond the edges with border 4, of type T with `between` 0, else float32.
        size: of the result's axes.
        dtype: T with `between` 0; else float32, or uint8: rounded, halves up, and held within its range, NaN as 0.
        border: what is beyond the edges, as for `correlate`.
        between: 0: the pixel that the place is in; 1: linear; 2: cubic, OpenCV's.

    Returns:
        `dtype[N, *size, C]`; products and sums are rounded one by one, the last axis first.
    """
    load.register_targets()
    shape = np.shape(images)
    call = jax.ffi.ffi_call(_WARP_TARGET, jax.ShapeDtypeStruct((shape[0], *size, shape[-1]), dtype))
    return call(images, where, extents, made, fill, border=np.int32(border), between=np.int32(between))
