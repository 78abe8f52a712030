"""Resizes volumes, `[D, H, W, C]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jaxdali.errors import GraphError
from ...graph.call import DataNode, Params
from ..values import BatchValue
from .resizing import SIZED, filters_of, largest_sizes

__all__ = ["Cut", "resized_volumes"]

_EXTENTS = ("resize_x", "resize_y", "resize_z", "resize_shorter", "resize_longer")


# Makes windows of results: takes their `Resized` and the limit of their extents, `(found, extents before, most) ->
# (found, most)`.
Cut = Callable[[Any, Any, tuple[int, ...]], tuple[Any, tuple[int, ...]]]


def resized_volumes(
    value: BatchValue,
    params: Params,
    save_attrs: bool = False,
    cut: Cut | None = None,
    written: Params | None = None,
) -> Any:
    """Resizes volumes; nodes among the parameters are arrays by now.

    Args:
        cut: makes windows of the results; None for whole results.
        written: the parameters with their nodes, whose limits may be known; None if limits are not used.

    Raises:
        GraphError: the largest extents are not known while tracing.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.image_volumes import flip_volumes, resize_volumes
    from jaxdali._device.image.sizes import bound_sizes, sizes_of

    count = len(value.data)
    sizes = _sizes(params)
    dense = np.broadcast_to(np.asarray(value.data.shape[1:4], np.int32), (count, 3))
    extents = dense if value.shapes is None else value.shapes[:, :3]
    found = sizes_of(extents, sizes)
    same = isinstance(found.extents, np.ndarray) and len(np.unique(found.extents, axis=0)) == 1
    limited = None if written is None else largest_sizes(_whole(_sizes(written)))
    most = tuple(found.extents[0].tolist()) if same else bound_sizes(_whole(sizes) if limited is None else limited)
    if most is None:
        raise GraphError(
            "the sizes of the resized volumes are not known before there is data: give fn.resize size= three numbers, "
            "or max_size=(depth, height, width)"
        )
    if cut is not None:
        found, most = cut(found, extents, most)
        same = False
    data = value.data
    if found.mirrored is not None:
        depthwise, vertical, horizontal = (found.mirrored[:, axis] for axis in range(3))
        data = flip_volumes(data, horizontal, vertical, depthwise, value.shapes)
    made = None if same else jnp.minimum(jnp.asarray(found.extents, jnp.int32), jnp.asarray(most, jnp.int32))
    data = resize_volumes(data, most, value.shapes, extents=made, region=found.region, **filters_of(params))
    channels = jnp.full((count, 1), data.shape[-1], jnp.int32) if value.shapes is None else value.shapes[:, 3:]
    shapes = None if made is None else jnp.concatenate([made, channels], axis=1)
    result = BatchValue(data, shapes, value.layout)
    return (result, BatchValue(jnp.asarray(extents, jnp.int32))) if save_attrs else result


def _whole(sizes: Any) -> Any:
    """Returns sizes without a region, which limits no result."""
    return sizes._replace(roi_start=None, roi_end=None)


def _sizes(params: Params) -> Any:
    from jaxdali._device.image.sizes import Sizes

    given = {}
    for param in SIZED:
        value = params[param.name]
        if isinstance(value, DataNode):
            given[param.name] = value
            continue
        if value is None or (param.name in _EXTENTS and np.ndim(value) == 0 and value == 0):
            continue
        if isinstance(value, tuple) and len(value) == 2:
            if value[0] != value[1]:
                raise GraphError(
                    f"fn.resize({param.name}={list(value)}) of volumes expects three numbers, (depth, height, width), or "
                    "one for all"
                )
            value = value[0]
        elif not isinstance(value, tuple | str | bool) and np.ndim(value) == 1 and param.name not in _EXTENTS:
            value = (value,) * 3  # one number per sample, for all axes
        given[param.name] = value
    if "resize_shorter" in given or "resize_longer" in given:
        del given["mode"]
    return Sizes(**given, axes=3)
