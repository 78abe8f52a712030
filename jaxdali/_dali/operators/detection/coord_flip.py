"""Mirrors points in images."""

from __future__ import annotations

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ..argument_kinds import Kind
from ..declaration import Input, PerSample, Static, operator
from ..values import BatchValue, Context

__all__ = ["coord_flip"]


def _layout(word: str, value: object) -> str:
    if not isinstance(value, str) or len(set(value)) < len(value) or not set(value) <= set("xyz"):
        raise ConfigError(f'{word} must be made of "x", "y" and "z", each once, got {value!r:.80}')
    return str(value)


@operator(
    "coord_flip",
    inputs=[Input("points", "points, FLOAT [number, 1 to 3]", takes="points")],
    params=[
        Static(
            "layout",
            Kind("str", _layout, ("xy", "yx")),
            "",
            'order of the coordinates, at least one letter for each; by default "xyz"',
        ),
        PerSample("flip_x", 1, "mirror x if not 0"),
        PerSample("flip_y", 0, "mirror y if not 0"),
        PerSample("flip_z", 0, "mirror z if not 0"),
        PerSample("center_x", 0.5, "the x at which to mirror"),
        PerSample("center_y", 0.5, "the y at which to mirror"),
        PerSample("center_z", 0.5, "the z at which to mirror"),
    ],
    keeps_extents=True,
)
def coord_flip(context: Context, value: BatchValue, *, layout: str, **params: object) -> BatchValue:
    """Mirrors the coordinates of points; DALI's `fn.coord_flip`."""
    from jaxdali._device.boxes.flips import flip_points
    from jaxdali._device.numeric.ragged import outside_filled

    data, shapes = value.data, value.shapes
    letters = layout or "xyz"
    if data.dtype != np.float32 or data.ndim != 3 or not 1 <= data.shape[2] <= len(letters):
        raise GraphError(
            f"fn.coord_flip expects points, FLOAT of shape [number, 1 to {len(letters)}], "
            f"got {data.dtype} of {data.shape[1:]}"
        )
    if shapes is not None:
        context.require(
            shapes[:, 1] == data.shape[2], "fn.coord_flip expects points with as many coordinates in all samples"
        )
    flips, centers = ([params[f"{name}_{axis}"] for axis in "xyz"] for name in ("flip", "center"))
    return BatchValue(outside_filled(flip_points(data, flips, centers, letters[: data.shape[2]]), shapes), shapes)
