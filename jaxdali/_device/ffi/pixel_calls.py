"""The custom calls on pixels that both CPUs and GPUs have, as Python functions."""

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
    """Binds `jaxdali_count_levels_v1`: counts how often each level occurs in each tile of each image.

    Args:
        images: `uint8[N, H, W, C]`.
        extents: `int32[N or 1, 2]`, of the image in the corner of its canvas; clamped to the canvas.
        tiles: `int32[N or 1, 2]`, height and width of a tile; clamped to 1 to twice the canvas.
        many: number of tiles along (height, width). Where they reach beyond an image, it is mirrored without repeating
            its last pixel; an image without pixels has zero counts.

    Returns:
        `int32[N, *many, C, 256]`.
    """
    load.register_targets()
    shape = np.shape(images)
    call = jax.ffi.ffi_call(_COUNT_LEVELS_TARGET, jax.ShapeDtypeStruct((shape[0], *many, shape[3], 256), jnp.int32))
    return call(images, extents, tiles)


def look_up_levels(images: ArrayLike, tables: ArrayLike, extents: ArrayLike) -> jax.Array:
    """Binds `jaxdali_look_up_levels_v1`: replaces levels by what their channel's table says.

    Args:
        images: `uint8[N, H, W, C]`.
        tables: `uint8[N, C, 256]`.
        extents: `int32[N or 1, 2]`, of the image in the corner of its canvas; clamped to the canvas.

    Returns:
        `uint8[N, H, W, C]`, zeros outside the images.
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
    """Binds `jaxdali_warp_v1`: samples images at positions between their pixels.

    Args:
        images: `T[N, H, W, C]` or `T[N, D, H, W, C]`; T has up to 4 bytes with `between` 0, else it is one of uint8, int16,
            uint16 and float32.
        where: the source position of each result pixel, in pixels; the centre of the first pixel is at 0.5. Either
            `float32[axes, N or 1, *size]`, x last; or `float32[N or 1, axes, axes + 1]`, affine maps from result to
            source positions, x first.
        extents: `int32[N or 1, axes]`, of the image in the corner of its canvas; clamped to 1 to the canvas.
        made: `int32[N or 1, axes]`, extents of each result, clamped to 0 to `size`; pixels beyond them are zeros.
        fill: `[C]`, the value beyond the edges with border 4; of type T with `between` 0, else float32.
        size: lengths of the result's axes.
        dtype: T with `between` 0; else float32, or uint8: rounded with halves up, clamped to its range, NaN as 0.
        border: what is beyond the edges, as for `correlate`.
        between: 0 the pixel that contains the position; 1 linear; 2 cubic, as OpenCV's.

    Returns:
        `dtype[N, *size, C]`; products and sums are rounded one by one, the last axis first.
    """
    load.register_targets()
    shape = np.shape(images)
    call = jax.ffi.ffi_call(_WARP_TARGET, jax.ShapeDtypeStruct((shape[0], *size, shape[-1]), dtype))
    return call(images, where, extents, made, fill, border=np.int32(border), between=np.int32(between))
