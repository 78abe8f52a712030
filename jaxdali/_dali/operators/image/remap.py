"""Moves pixels according to two maps."""

from __future__ import annotations

from typing import Any

from jaxdali._base.dtypes import INTERP_LINEAR
from jaxdali.errors import GraphError
from ..argument_kinds import choice
from ..declaration import Input, Static, operator
from ..operator_inputs import IMAGES, assuming
from ..values import BatchValue, Context
from .warping import FILTER_OF_THREE, FILTERS, images_in

__all__ = ["ORIGIN", "remap"]

ORIGIN = Static(
    "pixel_origin", choice("corner", "center"), "corner", "what (0, 0) is of the first pixel: its corner, or its centre"
)


@operator(
    "experimental.remap",
    inputs=[
        assuming(IMAGES, "HWC", "FHWC"),
        Input(
            "mapx", "the column in the image for each pixel of the output, FLOAT [h, w] or [h, w, 1]", takes="columns"
        ),
        Input("mapy", "its row, likewise", takes="columns"),
    ],
    params=[
        Static("interp", FILTER_OF_THREE, INTERP_LINEAR, "INTERP_NN, INTERP_LINEAR or INTERP_CUBIC"),
        ORIGIN,
    ],
)
def remap(
    context: Context, value: BatchValue, mapx: BatchValue, mapy: BatchValue, *, interp: Any, pixel_origin: str
) -> BatchValue:
    """Moves pixels according to two maps, with zeros outside of images; DALI's operator. See `jaxdali.image.remap`."""
    import jax.numpy as jnp

    from jaxdali._device.image.perspective import remap as compute

    value, word = images_in(context, value), context.call.operator.display_name
    maps = [one.data[..., 0] if one.data.ndim == 4 else one.data for one in (mapx, mapy)]
    if maps[0].ndim != 3 or maps[0].shape != maps[1].shape or (mapx.shapes is None) != (mapy.shapes is None):
        raise GraphError(
            f"{word} expects two maps of one shape, [h, w] or [h, w, 1], got {mapx.data.shape[1:]} and {mapy.data.shape[1:]}"
        )
    extents = None if mapx.shapes is None else mapx.shapes[:, :2]
    if extents is not None:
        context.require(
            (extents == mapy.shapes[:, :2]).all(axis=1), f"{word} expects two maps of one shape in each sample"
        )
    columns, rows = maps
    found = compute(
        value.data, columns, rows, value.shapes, extents=extents, filter=FILTERS[interp], pixel_origin=pixel_origin
    )
    if extents is None:
        return BatchValue(found, None, value.layout)
    channels = jnp.full_like(extents[:, :1], found.shape[3]) if value.shapes is None else value.shapes[:, 2:]
    return BatchValue(found, jnp.concatenate([extents, channels], axis=1), value.layout)
