"""Selects polygons of masks."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxdali._base.aliases import Array
from ..any_mesh import on_any_mesh

__all__ = ["select_masks"]


@on_any_mesh
def select_masks(
    ids: Array,
    polygons: Array,
    vertices: Array,
    counts: tuple[Array | None, Array | None, Array | None] = (None, None, None),
    *,
    reindex: bool = False,
) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array, jax.Array]:
    """Returns the polygons of selected masks, in the order of the selection, and their vertices.

    Args:
        ids: `int32[N, k]`, of the selected masks, each once.
        polygons: `int32[N, p, 3]`: for each its mask id, and the start and end of its vertices.
        vertices: `[N, v, d]`.
        counts: how many ids, polygons and vertices each sample has, `int32[N]` each; None: all. Others are ignored.
        reindex: number masks by their position in `ids`.

    Returns:
        Polygons `[N, p, 3]` and vertices `[N, v, d]`, padded with zeros; the number of each, `int32[N]`; and `bool[N]`,
        whether all ids exist and are unique, and their vertices exist and are no more than `v` in total.
    """
    own = [
        jnp.arange(one.shape[1], dtype=jnp.int32)[None]
        < (one.shape[1] if count is None else jnp.reshape(count, (-1, 1)))
        for one, count in zip((ids, polygons, vertices), counts, strict=True)
    ]
    own = [jnp.broadcast_to(one, (len(ids), one.shape[-1])) for one in own]
    wanted = (polygons[:, :, None, 0] == ids[:, None]) & own[1][:, :, None] & own[0][:, None]
    place = jnp.where(wanted.any(axis=2), jnp.argmax(wanted, axis=2) if ids.shape[1] else 0, ids.shape[1])
    order = jnp.argsort(place, axis=1, stable=True)
    chosen = wanted.any(axis=2).sum(axis=1, dtype=jnp.int32)
    there = jnp.arange(polygons.shape[1])[None] < chosen[:, None]
    picked = jnp.take_along_axis(polygons, order[..., None], axis=1)
    begin, end = picked[..., 1], picked[..., 2]
    length = jnp.where(there, jnp.maximum(end - begin, 0), 0)
    until = jnp.cumsum(length, axis=1)
    total = until[:, -1] if polygons.shape[1] else jnp.zeros(len(ids), jnp.int32)
    last = own[2].sum(axis=1, dtype=jnp.int32)[:, None]
    held = ((begin >= 0) & (end <= last) | ~there).all(axis=1) & (total <= vertices.shape[1])
    same = (ids[:, :, None] == ids[:, None]) & own[0][:, :, None] & own[0][:, None]
    held &= (same.sum(axis=2) <= 1).all(axis=1) & (wanted.any(axis=1) | ~own[0]).all(axis=1)
    name = jnp.take_along_axis(place, order, axis=1).astype(polygons.dtype) if reindex else picked[..., 0]
    found = jnp.where(there[..., None], jnp.stack([name, until - length, until], axis=-1), 0).astype(polygons.dtype)
    if not (polygons.shape[1] and vertices.shape[1]):
        return found, jnp.zeros_like(vertices), chosen, total, held
    places = jnp.arange(vertices.shape[1], dtype=jnp.int32)[None]
    mine = jnp.minimum((until[:, None] <= places[..., None]).sum(axis=2), polygons.shape[1] - 1)
    shift = jnp.take_along_axis(begin - (until - length), mine, axis=1)
    source = jnp.clip(places + shift, 0, vertices.shape[1] - 1)
    moved = jnp.take_along_axis(vertices, source[..., None], axis=1)
    return (
        found,
        jnp.where((places < total[:, None])[..., None], moved, 0),
        chosen,
        jnp.minimum(total, places.size),
        held,
    )
