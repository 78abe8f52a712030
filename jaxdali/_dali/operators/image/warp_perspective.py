"""Moves pixels by perspective maps."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali._base.dtypes import INTERP_LINEAR
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import Params
from ..argument_kinds import EXTENTS, FILL, FLAG, NUMBERS, Kind, choice
from ..declaration import Input, PerSample, Static, operator
from ..image_extents import Extents
from ..lazy import Lazy
from ..operator_inputs import IMAGES, assuming
from ..values import BatchValue, Context
from .remap import ORIGIN
from .warping import FILTER_OF_THREE, FILTERS, check_one_map, images_in, size_extents, size_of_rank, with_channels

__all__ = ["warp_perspective"]

# Maps DALI's names of border modes to ours.
_BORDERS = {
    "constant": "constant",
    "replicate": "clamp",
    "reflect": "reflect_1001",
    "reflect_101": "reflect_101",
    "wrap": "wrap",
}


def _matrix(word: str, value: object) -> tuple[float, ...]:
    numbers = np.ravel(np.asarray(NUMBERS.read(word, value))).tolist()
    if len(numbers) != 9:
        raise ConfigError(f"{word} must be nine numbers, three rows of three, or a node with that, got {value!r:.80}")
    return tuple(numbers)


_MATRIX = Kind(
    "Sequence[float] | np.ndarray",
    _matrix,
    ((0.5, 0.25, 1.0, -0.25, 0.75, 0.5, 0.0, 0.125, 1.0), (1.0, 0.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 1.0)),
)


def _extents(params: Params, extents: Extents) -> Extents:
    return size_extents(params["size"], extents)


@operator(
    "experimental.warp_perspective",
    inputs=[
        assuming(IMAGES, "HW", "HWC", "FHWC"),
        Input("matrix_input", "perspective maps, `[3, 3]`, instead of `matrix`", takes="windows", optional=True),
    ],
    params=[
        PerSample("matrix", None, "perspective map: nine numbers, in three rows of three", _MATRIX),
        PerSample(
            "size",
            None,
            "(height, width) of the output, rounded to whole pixels. The fraction of a node's numbers is cut off",
            EXTENTS,
            bounded=True,
        ),
        Static(
            "inverse_map", FLAG, True, "the map leads from the output to the input; False: from the input to the output"
        ),
        Static("border_mode", choice(*_BORDERS), "constant", "how images are extended beyond their edges"),
        Static(
            "fill_value", FILL, (0.0,), 'level outside of the images with "constant": one number, or one per channel'
        ),
        Static("interp_type", FILTER_OF_THREE, INTERP_LINEAR, "INTERP_NN, INTERP_LINEAR or INTERP_CUBIC"),
        ORIGIN,
    ],
    check=check_one_map,
    lazy=Lazy(lambda _params: None, _extents),
)
def warp_perspective(
    context: Context,
    value: BatchValue,
    maps: BatchValue | None = None,
    *,
    matrix: Any,
    size: Any,
    inverse_map: bool,
    border_mode: str,
    fill_value: tuple[float, ...],
    interp_type: Any,
    pixel_origin: str,
) -> BatchValue:
    """Moves pixels by a perspective map, for example to show a photographed page from the front; DALI's operator.

    Output pixel `(x, y)` is the value of the input at `(u / w, v / w)`, where `(u, v, w) = matrix @ (x, y, 1)`. See
    `jaxdali.image.warp_perspective`.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.perspective import warp_perspective as compute

    value, word = images_in(context, value), context.call.operator.display_name
    matrix = matrix if maps is None else maps.of_one_shape(context, f"the maps of {word}")
    if np.shape(matrix) == (9,):
        matrix = np.asarray(matrix, np.float32).reshape(3, 3)
    elif np.shape(matrix)[1:] not in ((9,), (3, 3)):
        raise GraphError(f"{word} expects maps of 3 x 3 numbers per sample, got {list(np.shape(matrix)[1:])}")
    else:
        matrix = jnp.asarray(matrix, jnp.float32).reshape(-1, 3, 3)
    if len(fill_value) not in (1, value.data.shape[3]):
        raise GraphError(
            f"fill_value of {word} has {len(fill_value)} numbers for {value.data.shape[3]} channels; give one, or one "
            "per channel"
        )
    made, extents = size_of_rank(context, size, value)
    shapes = value.shapes if made is None else None if extents is None else with_channels(value, extents)
    data = compute(
        value.data,
        matrix,
        made,
        value.shapes,
        extents=None if shapes is None else shapes[:, :2],
        fill=np.asarray(fill_value, np.float32),
        border=_BORDERS[border_mode],
        filter=FILTERS[interp_type],
        inverse_map=inverse_map,
        pixel_origin=pixel_origin,
    )
    return BatchValue(data, shapes, value.layout)
