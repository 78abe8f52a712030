"""Erases the squares of a grid."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ..argument_kinds import NUMBER, Kind
from ..declaration import PerSample, operator
from ..operator_inputs import ANY
from ..random.draw_arguments import single
from ..values import BatchValue, Context

__all__ = ["grid_mask"]


def _tile(word: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value < 1 << 24:
        raise ConfigError(f"{word} must be a number of pixels, at least 1, got {value!r:.80}")
    return int(value)


@operator(
    "grid_mask",
    inputs=[ANY],
    params=[
        PerSample("ratio", 0.5, "extent of a square as a fraction of a tile's", NUMBER),
        PerSample("angle", 0.0, "rotation of the grid, in radians", NUMBER),
        PerSample("shift_x", 0.0, "shift of the rotated grid to the right, in pixels", NUMBER),
        PerSample("shift_y", 0.0, "shift of the rotated grid downwards, in pixels", NUMBER),
        PerSample(
            "tile", 100, "extent of a tile (a square and the gap to the next), in pixels", Kind("int", _tile, (4, 5))
        ),
    ],
    keeps_extents=True,
)
def grid_mask(context: Context, value: BatchValue, **params: object) -> BatchValue:
    """Sets the squares of a grid to 0; DALI's operator. Samples have H and W in their layout, or no layout."""
    import jax.numpy as jnp

    from jaxdali._device.image.exact_arithmetic import product, quotient, rounded
    from jaxdali._device.image.trigonometry import sine_and_cosine

    data, layout = value.data, value.layout or "HWC"[: value.data.ndim - 1]
    if not {"H", "W"} <= set(layout):
        raise GraphError(
            f"fn.grid_mask expects images, got samples of {data.ndim - 1} dimensions and layout {value.layout!r}"
        )
    shape = [1] * data.ndim
    shape[0] = -1
    given = {
        name: jnp.reshape(jnp.asarray(single(context, name, one), jnp.float32), shape) for name, one in params.items()
    }
    context.require(
        jnp.broadcast_to(given["tile"].reshape(-1) > 0, (context.samples,)), "the tile of fn.grid_mask must be above 0"
    )
    sine, cosine = sine_and_cosine(product(given["angle"], np.float32(180 / np.pi)))
    places = []
    for letter in "WH":
        axis = 1 + layout.index(letter)
        along = [data.shape[axis] if k == axis else 1 for k in range(data.ndim)]
        places.append(jnp.arange(data.shape[axis], dtype=jnp.float32).reshape(along))
    # In tiles rather than pixels, added in DALI's order: it decides on which side of an edge a pixel on it is.
    tile = jnp.maximum(given["tile"], 1)
    sine, cosine = quotient(sine, tile), quotient(cosine, tile)
    erased: Any = True
    for shift, across, down in (("shift_x", cosine, -sine), ("shift_y", sine, cosine)):
        row = rounded(quotient(-given[shift], tile) + product(places[1], down))
        part = rounded(row + product(places[0], across))
        erased = erased & (part - jnp.floor(part) < given["ratio"])
    return BatchValue(jnp.where(erased, jnp.zeros((), data.dtype), data), value.shapes, value.layout, value.wide)
