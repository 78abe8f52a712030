"""The custom calls that CPUs alone have, as Python functions: what XLA compiles there is many times slower."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from . import load

__all__ = [
    "CPU_TARGETS",
    "blob_extents",
    "blobs",
    "correlate",
    "demosaic",
    "jpeg_distortion",
    "largest_blobs",
    "mix_levels",
    "paste",
    "pick_label",
    "pick_true",
]

_CORRELATE_TARGET = "jaxdali_correlate_v1"
_BLOBS_TARGET = "jaxdali_blobs_v1"
_BLOB_EXTENTS_TARGET = "jaxdali_blob_extents_v1"
_LARGEST_BLOBS_TARGET = "jaxdali_largest_blobs_v1"
_PASTE_TARGET = "jaxdali_paste_v1"
_DISTORTION_TARGET = "jaxdali_jpeg_distortion_v1"
_MIX_TARGET = "jaxdali_mix_levels_v1"
_DEMOSAIC_TARGET = "jaxdali_demosaic_v1"
_PICK_TRUE_TARGET = "jaxdali_pick_true_v1"
_PICK_LABEL_TARGET = "jaxdali_pick_label_v1"

CPU_TARGETS = frozenset(
    {
        *(_CORRELATE_TARGET, _BLOBS_TARGET, _BLOB_EXTENTS_TARGET, _PASTE_TARGET, _DISTORTION_TARGET, _MIX_TARGET),
        *(_LARGEST_BLOBS_TARGET, _DEMOSAIC_TARGET, _PICK_TRUE_TARGET, _PICK_LABEL_TARGET),
    }
)


def correlate(
    pixels: ArrayLike,
    weights: ArrayLike,
    extents: ArrayLike,
    before: ArrayLike,
    fill: ArrayLike,
    size: Sequence[int],
    *,
    border: int,
) -> jax.Array:
    """Binds `jaxdali_correlate_v1`: sums of the neighbours of each pixel, with weights.

    Args:
        pixels: `T[N, D, H, W, C]`, T one of uint8, int16, uint16 and float32.
        weights: `float32[N or 1, Q, R, S]`.
        extents: `int32[N or 1, 3]` of the image in the corner of its canvas.
        before: `int32[N or 1, 3]`, how many weights come before that of the pixel, along each axis.
        fill: `float32[N or 1]`, what is beyond the edges with border 4.
        size: of the result's three axes.
        border: what is beyond the edges: 0 pixels mirrored without the edge itself twice, 1 with it, 2 the other edge,
            3 the nearest pixel, 4 `fill`.

    Returns:
        `float32[N, *size, C]`; products and sums are rounded one by one, in C's order of the weights.
    """
    load.register_targets()
    shape, channels = np.shape(pixels), np.shape(pixels)[-1]
    call = jax.ffi.ffi_call(_CORRELATE_TARGET, jax.ShapeDtypeStruct((shape[0], *size, channels), jnp.float32))
    return call(pixels, weights, extents, before, fill, border=np.int32(border))


def blobs(labels: ArrayLike, held: ArrayLike) -> jax.Array:
    """Binds `jaxdali_blobs_v1`: pixels of one label that touch each other along an axis.

    Args:
        labels: `int32[N, ...]`.
        held: `bool[N, ...]`, where blobs are looked for.

    Returns:
        `int32[N, ...]`: of each pixel the place of its blob's first one, counted in C's order; -1 elsewhere.
    """
    load.register_targets()
    call = jax.ffi.ffi_call(_BLOBS_TARGET, jax.ShapeDtypeStruct(np.shape(labels), jnp.int32))
    return call(labels, held)


def blob_extents(found: ArrayLike) -> jax.Array:
    """Binds `jaxdali_blob_extents_v1`: how large blobs are.

    Args:
        found: `int32[N, ...]`, as `blobs` gives it.

    Returns:
        `int32[N, ..., axes]`: at the place of each blob's first pixel the extents of its box; zeros elsewhere.
    """
    load.register_targets()
    shape = np.shape(found)
    call = jax.ffi.ffi_call(_BLOB_EXTENTS_TARGET, jax.ShapeDtypeStruct((*shape, len(shape) - 1), jnp.int32))
    return call(found)


def largest_blobs(found: ArrayLike, roots: ArrayLike, most: int) -> jax.Array:
    """Binds `jaxdali_largest_blobs_v1`: the blobs with the largest boxes.

    Args:
        found: `int32[N, ...]`, as `blobs` gives it.
        roots: `bool[N, ...]`: of the first pixel of each blob whether it may be kept.
        most: how many are kept, at least 1; of equal ones those that come first.

    Returns:
        `bool[N, ...]`, true at the first pixel of each blob that is kept.
    """
    load.register_targets()
    call = jax.ffi.ffi_call(_LARGEST_BLOBS_TARGET, jax.ShapeDtypeStruct(np.shape(found), jnp.bool_))
    return call(found, roots, most=np.int32(most))


def paste(
    sources: Sequence[ArrayLike],
    ids: ArrayLike,
    size: Sequence[int],
    *,
    starts: ArrayLike,
    extents: ArrayLike,
    places: ArrayLike,
    counts: ArrayLike,
) -> jax.Array:
    """Binds `jaxdali_paste_v1`: regions of images on canvases of zeros, one over the other.

    Args:
        sources: `T[N, h, w, C]`; one, of which all regions are, or one for each of the K regions.
        ids: `int32[M, K]`, which image of its source each region is of; held within those that there are.
        size: height and width of the canvases.
        starts: `int32[M, K, 2]`, row and column of the image where each region begins.
        extents: `int32[M, K, 2]`, height and width of each region.
        places: `int32[M, K, 2]`, row and column of the canvas where it is pasted.
        counts: `int32[M]`, how many of the K regions there are.

    Returns:
        `T[M, *size, C]`. Of a region that leaves the canvas what is within; zeros where it leaves its image.
    """
    load.register_targets()
    first = jnp.asarray(sources[0])
    call = jax.ffi.ffi_call(
        _PASTE_TARGET, jax.ShapeDtypeStruct((np.shape(ids)[0], *size, first.shape[-1]), first.dtype)
    )
    return call(ids, starts, extents, places, counts, *sources)


def demosaic(mosaics: jax.Array, extents: ArrayLike, positions: ArrayLike, *, demosaicing: int) -> jax.Array:
    """Binds `jaxdali_demosaic_v1`: images of what sensors saw through a Bayer filter.

    Args:
        mosaics: `T[N, H, W]`, T one of uint8 and uint16.
        extents: `int32[N or 1, 2]` of the mosaic in the corner of its canvas; held within it.
        positions: `int32[N or 1, 2]`, row and column of blue in each square of 2 x 2 pixels, of which the first one begins
            in the second row and column; 0 or 1 each.
        demosaicing: 0 the mean of the nearest pixels of a colour, 1 green along the smaller difference, 2 the luma of 0.

    Returns:
        `T[N, H, W, 3]`, or `T[N, H, W, 1]` of a luma; zeros outside of mosaics.
    """
    load.register_targets()
    shape = (*mosaics.shape, 1 if demosaicing == 2 else 3)
    call = jax.ffi.ffi_call(_DEMOSAIC_TARGET, jax.ShapeDtypeStruct(shape, mosaics.dtype))
    return call(mosaics, extents, positions, demosaicing=np.int32(demosaicing))


def jpeg_distortion(images: ArrayLike, tables: ArrayLike, extents: ArrayLike) -> jax.Array:
    """Binds `jaxdali_jpeg_distortion_v1`: what is left of images that were saved as JPEG.

    Args:
        images: `uint8[N, H, W, 3]`.
        tables: `int32[N or 1, 2, 8, 8]`, what coefficients of luma and of chroma are divided by; held within 1 and 255.
        extents: `int32[N or 1, 2]` of the image in the corner of its canvas; held within it.

    Returns:
        `uint8[N, H, W, 3]`, zeros outside of images.
    """
    load.register_targets()
    call = jax.ffi.ffi_call(_DISTORTION_TARGET, jax.ShapeDtypeStruct(np.shape(images), jnp.uint8))
    return call(images, tables, extents)


def mix_levels(images: ArrayLike, tables: ArrayLike, extents: ArrayLike, *shares: ArrayLike) -> jax.Array:
    """Binds `jaxdali_mix_levels_v1`: levels replaced by the mean of what the tables of four tiles say.

    Args:
        images: `uint8[N, H, W, C]`.
        tables: `uint8[N, R, S, C, 256]`.
        extents: `int32[N or 1, 2]` of the image in the corner of its canvas; held within it.
        shares: of each row the row of tiles before it and the one behind, `int32[N or 1, H]`, held within those that there
            are, and the share of the latter, `float32[N or 1, H]`, from 0 to 1; then likewise of each column.

    Returns:
        `uint8[N, H, W, C]`, rounded, halves to even; zeros outside of images.
    """
    load.register_targets()
    call = jax.ffi.ffi_call(_MIX_TARGET, jax.ShapeDtypeStruct(np.shape(images), jnp.uint8))
    return call(images, tables, extents, *shares)


def pick_true(flags: ArrayLike, words: ArrayLike) -> jax.Array:
    """Binds `jaxdali_pick_true_v1`: one of the flags that are true.

    Args:
        flags: `bool[N, P]`.
        words: `uint32[N]`: of n flags number `n * word >> 32`.

    Returns:
        `int32[N]`, its place; -1 where none is true.
    """
    load.register_targets()
    return jax.ffi.ffi_call(_PICK_TRUE_TARGET, jax.ShapeDtypeStruct(np.shape(words), jnp.int32))(flags, words)


def pick_label(labels: ArrayLike, flags: ArrayLike, words: ArrayLike) -> jax.Array:
    """Binds `jaxdali_pick_label_v1`: one of the labels that occur where flags are true.

    Args:
        labels: `int32[N, P]`.
        flags: `bool[N, P]`.
        words: `uint32[N]`: of n labels, the least first, number `n * word >> 32`.

    Returns:
        `int32[N, 2]`, the label and how many there are; zeros where no flag is true.
    """
    load.register_targets()
    call = jax.ffi.ffi_call(_PICK_LABEL_TARGET, jax.ShapeDtypeStruct((np.shape(words)[0], 2), jnp.int32))
    return call(labels, flags, words)
