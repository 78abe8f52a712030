"""Encodes boxes as the targets of a detector with anchors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from ..image.exact_arithmetic import aligned, product, quotient, rounded

__all__ = ["encode_boxes", "intersection_over_union"]


@on_any_mesh
def intersection_over_union(boxes: jax.Array | np.ndarray, others: jax.Array | np.ndarray) -> jax.Array:
    """The area that two boxes share divided by the area of their union.

    Args:
        boxes: `float32[..., 4]`, left, top, right, bottom.
        others: `float32[..., 4]`, left, top, right, bottom; they are broadcast against `boxes`.

    Returns:
        `float32[...]`, from 0 to 1; 0 if neither box has an area.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from jaxdali import boxes
        >>> whole, quarter = jnp.array([0, 0, 1.0, 1.0]), jnp.array([0, 0, 0.5, 0.5])
        >>> jax.jit(boxes.intersection_over_union)(whole, jnp.stack([whole, quarter]))
        Array([1.  , 0.25], dtype=float32)
    """
    boxes, others = aligned(boxes, others)
    left, top, right, bottom = (boxes[..., k] for k in range(4))
    other_left, other_top, other_right, other_bottom = (others[..., k] for k in range(4))
    width = jnp.maximum(jnp.minimum(right, other_right) - jnp.maximum(left, other_left), 0)
    height = jnp.maximum(jnp.minimum(bottom, other_bottom) - jnp.maximum(top, other_top), 0)
    both = product(width, height)
    areas = product(right - left, bottom - top) + product(other_right - other_left, other_bottom - other_top)
    either = rounded(rounded(areas) - both)
    return jnp.where(either > 0, quotient(both, jnp.where(either > 0, either, 1)), 0)


@on_any_mesh
def encode_boxes(
    boxes: Array,
    labels: Array,
    anchors: npt.ArrayLike,
    counts: ArrayLike | None = None,
    *,
    criteria: float = 0.5,
    offset: bool = False,
    means: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    stds: Sequence[float] = (1.0, 1.0, 1.0, 1.0),
    scale: float = 1.0,
) -> tuple[jax.Array, jax.Array]:
    """Matches boxes with anchors, as in "SSD: Single Shot MultiBox Detector" (2016) and DALI's `fn.box_encoder`.

    An anchor gets the box that it overlaps most, by intersection over union, if that is more than `criteria`; and each
    box goes to the anchor that overlaps it most. Of equal ones the last counts.

    Args:
        boxes: `float32[N, n, 4]`, left, top, right, bottom.
        labels: `[N, n]`, integers.
        anchors: `float32[M, 4]`, left, top, right, bottom.
        counts: `int32[N]`, the number of boxes of each image; None: all.
        criteria: 0 to 1.
        offset: encode boxes relative to their anchors: `(box - anchor) / extent` of the centre and `log(box / anchor)`
            of the extents, each less its mean and divided by its deviation.
        means: of x, y, width and height, for `offset`.
        stds: deviations of x, y, width and height, for `offset`.
        scale: a factor that boxes and anchors are multiplied by first.

    Returns:
        `float32[N, M, 4]`, for each anchor the centre (x, y), width and height of its box; an anchor without a box gets
        its own, or 0 with `offset`. And its label, `[N, M]`, 0 without a box.

    Raises:
        ConfigError: shapes do not fit.
    """
    anchors = np.asarray(anchors, np.float32)
    if boxes.ndim != 3 or boxes.shape[2] != 4 or labels.shape != boxes.shape[:2] or anchors.shape[1:] != (4,):
        raise ConfigError(
            f"boxes are {boxes.shape}, labels {labels.shape} and anchors {anchors.shape}; expected [N, n, 4], [N, n] and "
            "[M, 4]."
        )
    own = _middles(anchors)
    plain = jnp.broadcast_to(np.zeros_like(own) if offset else own, (len(boxes), *own.shape))
    if not boxes.shape[1]:
        return plain, jnp.zeros(plain.shape[:2], labels.dtype)
    chosen, matched = _matches(boxes, anchors, counts, criteria)
    coded = _middles(jnp.take_along_axis(boxes, chosen[..., None], axis=1))
    if offset:
        scaled, given = product(own[None], np.float32(scale)), product(coded, np.float32(scale))
        middles = quotient(given[..., :2] - scaled[..., :2], scaled[..., 2:])
        extents = jnp.log(jnp.maximum(quotient(given[..., 2:], scaled[..., 2:]), np.finfo(np.float32).tiny))
        coded = jnp.concatenate([middles, extents], axis=-1)
        coded = quotient(coded - np.asarray(means, np.float32)[None, None], np.asarray(stds, np.float32)[None, None])
    found = jnp.where(matched[..., None], coded, plain)
    return found, jnp.where(matched, jnp.take_along_axis(labels, chosen, axis=1), jnp.zeros((), labels.dtype))


def _middles(boxes: Any) -> Any:
    """Centre, width and height of boxes."""
    xp: Any = jnp if isinstance(boxes, jax.Array) else np
    middle = (boxes[..., :2] + boxes[..., 2:]) * np.float32(0.5)
    return xp.concatenate([middle, boxes[..., 2:] - boxes[..., :2]], axis=-1)


def _matches(boxes, anchors, counts, criteria: float):
    """For each anchor the index of its box, and whether it has one."""
    count, room = boxes.shape[1], len(anchors)
    numbers, places = jnp.arange(count, dtype=jnp.int32)[None], jnp.arange(room, dtype=jnp.int32)[None, None]
    there = numbers < (jnp.full((len(boxes), 1), count) if counts is None else jnp.reshape(counts, (-1, 1)))
    overlaps = jnp.where(there[..., None], intersection_over_union(boxes[:, :, None], anchors[None, None]), -1)
    most = overlaps.max(axis=1)
    best = jnp.where(overlaps == most[:, None], numbers[..., None], -1).max(axis=1)
    nearest = jnp.where(overlaps == overlaps.max(axis=2, keepdims=True), places, -1).max(axis=2)
    owned = jnp.where((nearest[..., None] == places) & there[..., None], numbers[..., None], -1).max(axis=1)
    return jnp.where(owned >= 0, owned, best), (owned >= 0) | (most > np.float32(criteria))
