"""The common parts of operators on boxes and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali.errors import GraphError
from ..declaration import Input
from ..values import BatchValue, Context

__all__ = ["BOXES", "boxes_in_images", "boxes_of", "labels_of", "picked_labels"]

# A step of float32 above 1. An edge that ends at the image's is up to one beyond 1, if it is the sum of two fractions or a
# fraction of a sum, each of which was rounded.
_STEP = np.float32(2**-23)

BOXES = Input("boxes", "boxes as fractions of their image, FLOAT [number, 4]: left, top, right, bottom", takes="boxes")


def boxes_of(context: Context, value: BatchValue, columns: Sequence[int] = (4,)) -> tuple[Any, Any]:
    """Returns `float32[N, n, 4]`, and the number of boxes of each sample, `int32[N]`; None if all rows are boxes.

    Args:
        columns: how many numbers a box may have.

    Raises:
        GraphError: the samples are not boxes.
    """
    word, data = context.call.operator.display_name, value.data
    if data.dtype != np.float32 or data.ndim != 3 or data.shape[2] not in columns:
        wanted = " or ".join(f"[number, {count}]" for count in columns)
        raise GraphError(f"{word} expects boxes, FLOAT of shape {wanted}, got {data.dtype} of {data.shape[1:]}")
    if value.shapes is None:
        return data, None
    context.require(
        value.shapes[:, 1] == data.shape[2], f"{word} expects boxes of {data.shape[2]} numbers in all samples"
    )
    return data, value.shapes[:, 0]


def boxes_in_images(context: Context, corners: Any, counts: Any) -> Any:
    """Returns boxes clipped to their images. Requires that they are inside, but for a step of rounding.

    Args:
        corners: `float32[N, n, 2 * D]`, beginning and end of each box, as fractions.
        counts: `int32[N]`, the number of boxes of each sample; None if all rows are boxes.
    """
    import jax.numpy as jnp

    samples, number, _ = corners.shape
    inside = ((corners >= -_STEP) & (corners <= 1 + _STEP)).all(axis=2)
    if counts is not None:
        inside = inside | (jnp.arange(number) >= counts[:, None])
    if number:
        first = jnp.argmin(inside, axis=1)
        context.require(
            inside.all(axis=1),
            f"{context.call.operator.display_name} expects boxes in their image, from 0 to 1, and box {{0}} is from "
            "{1} to {2}",
            (first, *jnp.split(corners[jnp.arange(samples), first], 2, axis=1)),
        )
    # Not jnp.clip, which may turn -0 into 0: what is inside stays as it is.
    return jnp.where(corners < 0, 0, jnp.where(corners > 1, 1, corners)).astype(corners.dtype)


def labels_of(context: Context, value: BatchValue, boxes: Any, counts: Any) -> Any:
    """Returns labels, `[N, n]` or `[N, n, k]`. Requires that each sample has as many labels as boxes.

    Raises:
        GraphError: they are not integers, or not one per box.
    """
    import jax.numpy as jnp

    from jaxdali._device.numeric.concatenation import on_canvas

    word, data = context.call.operator.display_name, value.data
    if data.dtype.kind not in "iu" or data.ndim not in (2, 3):
        raise GraphError(
            f"{word} expects labels, integers of shape [number] or [number, 1], got {data.dtype} of {data.shape[1:]}"
        )
    own = data.shape[1] if value.shapes is None else value.shapes[:, 0]
    wanted = boxes.shape[1] if counts is None else counts
    context.require(
        jnp.broadcast_to(jnp.asarray(own == wanted), (context.samples,)), f"{word} expects as many labels as boxes"
    )
    return on_canvas(data, (boxes.shape[1], *data.shape[2:]))


def picked_labels(kinds: Any, labels: BatchValue, indices: Any, total: Any) -> BatchValue:
    """Returns the labels at indices `int32[N, n]`, of which the first `total: int32[N]` are valid."""
    import jax.numpy as jnp

    from jaxdali._device.numeric.ragged import outside_filled

    rest = kinds.shape[2:]
    picked = jnp.take_along_axis(kinds, indices.reshape(*indices.shape, *[1] * len(rest)), axis=1)
    shapes = jnp.stack([total, *(jnp.full_like(total, extent) for extent in rest)], axis=1)
    return BatchValue(outside_filled(picked, shapes), shapes, labels.layout, labels.wide)
