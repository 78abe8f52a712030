"""Pastes images on larger canvases."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jaxdali.errors import GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import FILL, NUMBER, Kind
from ..declaration import REQUIRED, PerSample, Static, operator
from ..image_extents import Extents, limits_of
from ..lazy import Lazy
from ..operator_inputs import IMAGES, assuming
from ..values import BatchValue, Context, ImagesValue, images_of

__all__ = ["paste"]

_RATIO = Kind(NUMBER.annotation, NUMBER.read, (1.5, 1.25))
_EXTENT = Kind(NUMBER.annotation, NUMBER.read, (9.0, 12.0))
# The limit on the extents of a canvas: larger than anyone needs, and int32 can still count the pixels.
_MOST = 1 << 15
# If a node's largest number is not known beforehand, a canvas may be this many times as large as its image.
_FOURFOLD = 4


def _largest(value: Any) -> float | None:
    limits = limits_of(value) if isinstance(value, DataNode) else (value, value)
    return None if limits is None or not math.isfinite(limits[1]) else limits[1]


def _extents(params: Params, extents: Extents) -> Extents:
    ratio, least = (_largest(params[name]) for name in ("ratio", "min_canvas_size"))

    def bound(found: np.ndarray) -> np.ndarray:
        if ratio is None or least is None:
            found = found * _FOURFOLD
        grown = (found.astype(np.float32) * np.float32(ratio or 1)).astype(np.int64)
        return np.minimum(np.maximum(np.maximum(grown, int(least or 0)), found), _MOST)

    drawn = any(isinstance(params[name], DataNode) for name in ("ratio", "min_canvas_size"))
    return extents.within(bound, exact=not drawn)


@operator(
    "paste",
    inputs=[assuming(IMAGES, "HWC")],
    params=[
        PerSample("ratio", REQUIRED, "height and width of the canvas, as multiples of the image's; at least 1", _RATIO),
        Static("fill_value", FILL, REQUIRED, "level of the canvas, a number or one per channel"),
        PerSample("min_canvas_size", 0.0, "smallest height and width of the canvas", _EXTENT),
        PerSample("paste_x", 0.5, "horizontal position of the image in the free space, 0 (left) to 1"),
        PerSample("paste_y", 0.5, "vertical position of the image in the free space, 0 (top) to 1"),
    ],
    accepted={"n_channels": "images have the channels that they have"},
    lazy=Lazy(lambda _params: ("pad_cut",), _extents, grows=True),
)
def paste(
    context: Context,
    value: BatchValue | ImagesValue,
    *,
    ratio: object,
    fill_value: Any,
    min_canvas_size: object,
    paste_x: object,
    paste_y: object,
) -> ImagesValue:
    """Pastes each image on a canvas that is larger by `ratio`; DALI's operator. Fractions of a pixel are cut off.

    If the ratio is a node whose largest number is not known in advance, unlike that of `fn.random.uniform(range=)`,
    canvases are at most four times as high and wide as their images.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.exact_arithmetic import product

    images = images_of(context, value)
    if len(fill_value) not in (1, channels := images.images.channels):
        raise GraphError(
            f"fill_value= of fn.paste has {len(fill_value)} numbers for {channels} channels; give one, or one for each"
        )
    extents = jnp.asarray(images.images.extents)
    factor, least = (jnp.reshape(jnp.asarray(one, jnp.float32), (-1, 1)) for one in (ratio, min_canvas_size))
    context.require(
        jnp.broadcast_to(factor[:, 0] >= 1, (context.samples,)),
        "fn.paste expects a ratio of at least 1: it cuts nothing off",
    )
    context.require(
        jnp.broadcast_to(least[:, 0] >= 0, (context.samples,)), "fn.paste expects a min_canvas_size of at least 0"
    )
    grown = product(extents.astype(jnp.float32), jnp.maximum(factor, 1))
    canvas = jnp.clip(jnp.maximum(grown, least), 0, _MOST).astype(jnp.int32)
    written = context.call.params
    if any(_largest(written[name]) is None for name in ("ratio", "min_canvas_size")):
        context.require(
            (canvas <= extents * _FOURFOLD).all(axis=1),
            "fn.paste makes canvases of more than four times an image's height and width only where their largest size is "
            "known beforehand: give it a number, or fn.random.uniform(range=)",
        )
        canvas = jnp.minimum(canvas, jnp.maximum(extents * _FOURFOLD, 1))
    place = jnp.stack(
        [jnp.broadcast_to(jnp.asarray(p, jnp.float32), (context.samples,)) for p in (paste_y, paste_x)], 1
    )
    context.require(
        ((place >= 0) & (place <= 1)).all(axis=1), "fn.paste expects paste_x and paste_y from 0 (left, top) to 1"
    )
    corner = product(jnp.clip(place, 0, 1), (canvas - extents).astype(jnp.float32)).astype(jnp.int32)
    size = None
    if images.images.size is not None and isinstance(ratio, float) and isinstance(min_canvas_size, float):
        bound = _extents({"ratio": ratio, "min_canvas_size": min_canvas_size}, Extents.of_size(*images.images.size))
        size = bound.size
    fill = fill_value[0] if len(fill_value) == 1 else np.asarray(fill_value, np.float32)
    return images.then(images.images.pad_cut(jnp.concatenate([-corner, canvas], axis=1), size, fill))
