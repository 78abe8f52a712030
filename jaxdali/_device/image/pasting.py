"""Pastes regions of images onto others. On CPUs a custom call does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax
from jax.typing import ArrayLike

from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from ..ffi import cpu_calls
from ..ffi.platforms import two_ways

__all__ = ["paste_regions"]

# Up to this many regions are searched without a loop; on GPUs each iteration would be a wait.
_FEW = 16


@on_any_mesh
def paste_regions(
    images: npt.ArrayLike,
    ids: npt.ArrayLike | None,
    size: Sequence[int],
    *,
    starts: ArrayLike,
    extents: ArrayLike,
    places: ArrayLike,
    counts: ArrayLike | None = None,
) -> jax.Array:
    """Pastes regions of a batch's images onto canvases of zeros, one over the other.

    Args:
        images: `[N, H, W, C]`; or K such arrays, which may differ in extents: region k comes from the k-th.
        ids: `int32[M, K]`, the image that each region comes from, 0 to N - 1; None: the canvas's own index.
        size: (height, width) of the canvases.
        starts: `int32[M, K, 2]`, row and column in the image where each region begins.
        extents: `int32[M, K, 2]`, height and width of each region.
        places: `int32[M, K, 2]`, row and column on the canvas where it is pasted. Nothing is pasted beyond the canvas.
        counts: `int32[M]`, how many of the K regions to paste; None: all.

    Returns:
        `[M, *size, C]`, of the type of the images.

    Raises:
        ConfigError: images are not such arrays, or there is not one for each region.
    """
    sources = [jnp.asarray(one) for one in (images if isinstance(images, list | tuple) else [images])]
    for one in sources:
        if one.ndim != 4 or (one.dtype, one.shape[3]) != (sources[0].dtype, sources[0].shape[3]):
            raise ConfigError(
                f"expected images [N, H, W, C] of one type, got {one.dtype}{list(one.shape)} and "
                f"{sources[0].dtype}{list(sources[0].shape)}."
            )
    canvases, many = np.shape(starts)[:2]
    if len(sources) not in (1, many):
        raise ConfigError(f"{len(sources)} arrays of images for {many} regions; give one, or one for each region.")
    operands = [jnp.asarray(one, jnp.int32) for one in (starts, extents, places)]
    operands.append(jnp.full((canvases,), many, jnp.int32) if counts is None else jnp.asarray(counts, jnp.int32))
    operands += [] if ids is None else [jnp.asarray(ids, jnp.int32)]
    return _pasted(*operands, *sources, size=tuple(size), own=ids is None)


def _pasted_generically(starts, extents, places, counts, *rest, size, own):
    ids, *sources = (None, *rest) if own else rest
    many = starts.shape[1]
    there = jnp.arange(many)[None] < counts.reshape(-1, 1)
    extents = jnp.where(there[..., None], extents, 0)
    # Under `shard_map`, the initial value must vary over the same mesh axes as the pasted pixels.
    zero = sum(jnp.sum(one[:0]).astype(jnp.int32) for one in (starts, *rest))
    nothing = jnp.full((len(starts), *size), -1, jnp.int32) + zero

    def looked_at(at: object, canvas: Any, images: Any) -> Any:
        """Updates, for each pixel of the canvases, the index of the image pixel there with region `at`."""
        start, extent, place = (
            lax.dynamic_index_in_dim(one, at, axis=1, keepdims=False) for one in (starts, extents, places)
        )
        mine = jnp.arange(len(starts), dtype=jnp.int32)
        if ids is not None:
            mine = jnp.clip(lax.dynamic_index_in_dim(ids, at, axis=1, keepdims=False), 0, len(images) - 1)
        return _region_on(canvas, images.shape, mine, start, extent, place)

    if len(sources) > 1:
        made: Any = None
        for k, images in enumerate(sources):
            seen = looked_at(k, nothing - 1, images)
            found = _pixels(images, seen)
            made = found if made is None else jnp.where((seen < -1)[..., None], made, found)
        return made
    # Only pixels that no later region hides are read.
    if many <= _FEW:
        seen = nothing
        for k in range(many):
            seen = looked_at(k, seen, sources[0])
    else:
        seen = lax.fori_loop(0, many, lambda at, seen: looked_at(at, seen, sources[0]), nothing)
    return _pixels(sources[0], seen)


def _pasted_by_call(starts, extents, places, counts, *rest, size, own):
    ids, *sources = (np.indices(starts.shape[:2], np.int32)[0], *rest) if own else rest
    return cpu_calls.paste(sources, ids, size, starts=starts, extents=extents, places=places, counts=counts)


_pasted = two_ways(
    "jaxdali_pasted",
    lambda starts, *rest, size, **_: ((starts.shape[0], *size, rest[-1].shape[3]), rest[-1].dtype),
    _pasted_generically,
    _pasted_by_call,
    on_gpus=False,
)


def _region_on(canvas: Any, shape: Sequence[int], ids: Any, start: Any, extent: Any, place: Any) -> jax.Array:
    """Which pixels of images the canvases show, after adding a region.

    Args:
        canvas: `int32[N, H, W]`, what they showed before.
        shape: of the images, `[M, h, w, C]`.
        ids: `int32[N]`, the images that the regions come from.
        start: `int32[N, 2]`, row and column in the image where each region begins.
        extent: `int32[N, 2]`, height and width of each region.
        place: `int32[N, 2]`, row and column on the canvas where it is pasted.

    Returns:
        `int32[N, H, W]`, flat indices over all images; -1 where a region leaves its image.
    """
    inside: Any = True
    held: Any = True
    index = ids.reshape(-1, 1, 1)
    for axis in (0, 1):
        length, have = canvas.shape[1 + axis], shape[1 + axis]
        along = lax.broadcasted_iota(jnp.int32, [length if k == axis else 1 for k in (-1, 0, 1)], 1 + axis)
        low, high, first = (one[:, axis].reshape(-1, 1, 1) for one in (place, place + extent, start))
        inside = inside & (along >= low) & (along < high)
        # May wrap around, but only where `inside` is false.
        at = along - low + first
        held = held & (at >= 0) & (at < have)
        index = index * have + jnp.clip(at, 0, have - 1)
    return jnp.where(inside, jnp.where(held, index, -1), canvas)


def _pixels(images: Any, index: Any) -> jax.Array:
    """Pixels of images by flat index, zeros for negative ones."""
    rows = images.reshape(-1, images.shape[3])
    if not len(rows):
        return jnp.zeros((*index.shape, images.shape[3]), images.dtype)
    found = rows.at[jnp.maximum(index, 0)].get(mode="promise_in_bounds")
    return jnp.where((index >= 0)[..., None], found, jnp.zeros((), images.dtype))
