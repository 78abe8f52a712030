"""Rotates volumes, `[D, H, W, C]`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali.errors import GraphError
from ...graph.call import DataNode, Params
from ..values import BatchValue, Context
from .warping import sequences_of, size_of_rank, with_channels

__all__ = ["rotated_volumes"]


def rotated_volumes(
    context: Context, value: BatchValue, angle: Any, axis: Any, size: object, keep_size: bool, options: Params
) -> BatchValue:
    """Rotates volumes; nodes among the parameters are arrays by now.

    Raises:
        GraphError: `axis` is not given.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.volume_rotation import largest_rotated_volumes, rotate_volumes, rotated_volume_extents

    if axis is None:
        raise GraphError("fn.rotate of volumes expects axis=(x, y, z), around which they are rotated")
    is_node = isinstance(context.call.params["axis"], DataNode)
    if is_node:
        if axis.shape[1:] != (3,):
            raise GraphError(
                f"axis of fn.rotate expects three numbers per sample, got samples of shape {axis.shape[1:]}"
            )
        context.require((axis != 0).any(axis=1), "axis of fn.rotate is (0, 0, 0), which points nowhere")
    else:
        axis = np.asarray(axis, np.float32)
    shapes = value.shapes
    made, extents = size_of_rank(context, size, value)
    canvas = np.asarray([value.data.shape[1:4]], np.int64)
    if made is None and keep_size:
        made, extents = value.data.shape[1:4], None if shapes is None else shapes[:, :3]
    elif made is None:
        known = isinstance(angle, float) and not is_node
        if known and shapes is None:
            made = tuple(rotated_volume_extents(angle, axis, canvas)[0].tolist())
        else:
            made = tuple(largest_rotated_volumes(None if is_node else axis, canvas)[0].tolist())
            own = jnp.broadcast_to(jnp.asarray(canvas, jnp.int32), (context.samples, 3)) if shapes is None else shapes
            extents = rotated_volume_extents(angle, axis, own, *sequences_of(value))
    assert made is not None
    data = rotate_volumes(value.data, angle, axis, made, shapes, extents=extents, **options)
    if extents is None:
        return BatchValue(data, None, value.layout)
    return BatchValue(data, with_channels(value, extents), value.layout)
