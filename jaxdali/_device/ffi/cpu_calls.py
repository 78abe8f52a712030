"""The custom calls that only CPUs have, as Python functions: XLA's own code for these is many times slower there."""

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
    """Binds `jaxdali_correlate_v1`: weighted sums of each pixel's neighbours.

    Args:
        pixels: `T[N, D, H, W, C]`, T one of uint8, int16, uint16 and float32.
        weights: `float32[N or 1, Q, R, S]`.
        extents: `int32[N or 1, 3]`, of the image in the corner of its canvas.
        before: `int32[N or 1, 3]`, how many weights precede the pixel's own along each axis.
        fill: `float32[N or 1]`, the value beyond the edges with border 4.
        size: lengths of the result's three axes.
        border: what is beyond the edges: 0 mirrored pixels, edge not repeated; 1 mirrored, edge repeated; 2 wraps
            around; 3 the nearest pixel, 4 `fill`.

    Returns:
        `float32[N, *size, C]`; products and sums are rounded one by one, in the weights' C order.
    """
    load.register_targets()
    shape, channels = np.shape(pixels), np.shape(pixels)[-1]
    call = jax.ffi.ffi_call(_CORRELATE_TARGET, jax.ShapeDtypeStruct((shape[0], *size, channels), jnp.float32))
    return call(pixels, weights, extents, before, fill, border=np.int32(border))


def blobs(labels: ArrayLike, held: ArrayLike) -> jax.Array:
    """Binds `jaxdali_blobs_v1`: labels connected pixels (touching along an axis) that have the same label.

    Args:
        labels: `int32[N, ...]`.
        held: `bool[N, ...]`, where to look for blobs.

    Returns:
        `int32[N, ...]`: for each pixel the flat index (C order) of its blob's first pixel; -1 elsewhere.
    """
    load.register_targets()
    call = jax.ffi.ffi_call(_BLOBS_TARGET, jax.ShapeDtypeStruct(np.shape(labels), jnp.int32))
    return call(labels, held)


def blob_extents(found: ArrayLike) -> jax.Array:
    """Binds `jaxdali_blob_extents_v1`: the sizes of blobs.

    Args:
        found: `int32[N, ...]`, as `blobs` returns it.

    Returns:
        `int32[N, ..., axes]`: at each blob's first pixel, the extents of its bounding box; zeros elsewhere.
    """
    load.register_targets()
    shape = np.shape(found)
    call = jax.ffi.ffi_call(_BLOB_EXTENTS_TARGET, jax.ShapeDtypeStruct((*shape, len(shape) - 1), jnp.int32))
    return call(found)


def largest_blobs(found: ArrayLike, roots: ArrayLike, most: int) -> jax.Array:
    """Binds `jaxdali_largest_blobs_v1`: the blobs with the largest boxes.

    Args:
        found: `int32[N, ...]`, as `blobs` returns it.
        roots: `bool[N, ...]`: at each blob's first pixel, whether the blob may be kept.
        most: how many to keep, at least 1; among equal ones, the first.

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
    """Binds `jaxdali_paste_v1`: pastes regions of images onto canvases of zeros, later ones over earlier ones.

    Args:
        sources: `T[N, h, w, C]`; either one that all regions come from, or one for each of the K regions.
        ids: `int32[M, K]`, index in its source of the image each region comes from; clamped to the valid range.
        size: height and width of the canvases.
        starts: `int32[M, K, 2]`, row and column of the image where each region starts.
        extents: `int32[M, K, 2]`, height and width of each region.
        places: `int32[M, K, 2]`, row and column of the canvas where each is pasted.
        counts: `int32[M]`, how many of the K regions are used.

    Returns:
        `T[M, *size, C]`. A region that leaves the canvas is cut off; where it leaves its image there are zeros.
    """
    load.register_targets()
    first = jnp.asarray(sources[0])
    call = jax.ffi.ffi_call(
        _PASTE_TARGET, jax.ShapeDtypeStruct((np.shape(ids)[0], *size, first.shape[-1]), first.dtype)
    )
    return call(ids, starts, extents, places, counts, *sources)


def demosaic(mosaics: jax.Array, extents: ArrayLike, positions: ArrayLike, *, demosaicing: int) -> jax.Array:
    """Binds `jaxdali_demosaic_v1`: turns Bayer mosaics into images.

    Args:
        mosaics: `T[N, H, W]`, T one of uint8 and uint16.
        extents: `int32[N or 1, 2]`, of the mosaic in the corner of its canvas; clamped to the canvas.
        positions: `int32[N or 1, 2]`, row and column, 0 or 1 each, of blue within each square of 2 x 2 pixels; the
            first square starts in the second row and column.
        demosaicing: 0 mean of the nearest pixels of a colour; 1 green along the smaller difference; 2 the luma of 0.

    Returns:
        `T[N, H, W, 3]`, or `T[N, H, W, 1]` for luma; zeros outside the mosaics.
    """
    load.register_targets()
    shape = (*mosaics.shape, 1 if demosaicing == 2 else 3)
    call = jax.ffi.ffi_call(_DEMOSAIC_TARGET, jax.ShapeDtypeStruct(shape, mosaics.dtype))
    return call(mosaics, extents, positions, demosaicing=np.int32(demosaicing))


def jpeg_distortion(images: ArrayLike, tables: ArrayLike, extents: ArrayLike) -> jax.Array:
    """Binds `jaxdali_jpeg_distortion_v1`: what images look like after being saved as JPEG.

    Args:
        images: `uint8[N, H, W, 3]`.
        tables: `int32[N or 1, 2, 8, 8]`, the divisors of the luma and chroma coefficients; clamped to 1 to 255.
        extents: `int32[N or 1, 2]`, of the image in the corner of its canvas; clamped to the canvas.

    Returns:
        `uint8[N, H, W, 3]`, zeros outside the images.
    """
    load.register_targets()
    call = jax.ffi.ffi_call(_DISTORTION_TARGET, jax.ShapeDtypeStruct(np.shape(images), jnp.uint8))
    return call(images, tables, extents)


def mix_levels(images: ArrayLike, tables: ArrayLike, extents: ArrayLike, *shares: ArrayLike) -> jax.Array:
    """Binds `jaxdali_mix_levels_v1`: replaces levels by a weighted mean of what the tables of four tiles say.

    Args:
        images: `uint8[N, H, W, C]`.
        tables: `uint8[N, R, S, C, 256]`.
        extents: `int32[N or 1, 2]`, of the image in the corner of its canvas; clamped to the canvas.
        shares: for each row of pixels the row of tiles before it and the one after it, `int32[N or 1, H]`, clamped to
            the valid range, and the weight of the latter, `float32[N or 1, H]`, from 0 to 1; then the same for each
            column.

    Returns:
        `uint8[N, H, W, C]`, rounded with halves to even; zeros outside the images.
    """
    load.register_targets()
    call = jax.ffi.ffi_call(_MIX_TARGET, jax.ShapeDtypeStruct(np.shape(images), jnp.uint8))
    return call(images, tables, extents, *shares)


def pick_true(flags: ArrayLike, words: ArrayLike) -> jax.Array:
    """Binds `jaxdali_pick_true_v1`: picks one of the true flags.

    Args:
        flags: `bool[N, P]`.
        words: `uint32[N]`; of n true flags, number `n * word >> 32` is picked.

    Returns:
        `int32[N]`, its index; -1 where no flag is true.
    """
    load.register_targets()
    return jax.ffi.ffi_call(_PICK_TRUE_TARGET, jax.ShapeDtypeStruct(np.shape(words), jnp.int32))(flags, words)


def pick_label(labels: ArrayLike, flags: ArrayLike, words: ArrayLike) -> jax.Array:
    """Binds `jaxdali_pick_label_v1`: picks one of the labels that occur where flags are true.

    Args:
        labels: `int32[N, P]`.
        flags: `bool[N, P]`.
        words: `uint32[N]`; of n labels in ascending order, number `n * word >> 32` is picked.

    Returns:
        `int32[N, 2]`, the label and the number of labels; zeros where no flag is true.
    """
    load.register_targets()
    call = jax.ffi.ffi_call(_PICK_LABEL_TARGET, jax.ShapeDtypeStruct((np.shape(words)[0], 2), jnp.int32))
    return call(labels, flags, words)
