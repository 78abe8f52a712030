"""Moves the pixels of images and volumes by affine maps."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import Params
from ..argument_kinds import FLAG, NUMBERS, Kind, numpy_dtype
from ..declaration import Input, PerSample, Static, operator
from ..image_extents import Extents
from ..lazy import Lazy
from ..operator_inputs import IMAGES, assuming
from ..values import BatchValue, Context
from .warping import (
    FILTERS,
    OLD,
    WARPED,
    check_one_map,
    size_extents,
    size_of_rank,
    volumes_or_images_in,
    with_channels,
)

__all__ = ["warp_affine"]


def _matrix(word: str, value: object) -> tuple[float, ...]:
    numbers = np.ravel(np.asarray(NUMBERS.read(word, value))).tolist()
    if len(numbers) not in (6, 12):
        raise ConfigError(
            f"{word} must be six numbers, two rows of three, or of volumes twelve, three rows of four; or a node with that, "
            f"got {value!r:.80}"
        )
    return tuple(numbers)


_MATRIX = Kind(
    "Sequence[float] | np.ndarray", _matrix, ((0.5, 0.25, 1.0, -0.25, 0.75, 0.5), (1.0, 0.0, 1.0, 0.0, 1.0, 2.0))
)


def _extents(params: Params, extents: Extents) -> Extents:
    return size_extents(params["size"], extents)


@operator(
    "warp_affine",
    inputs=[
        assuming(IMAGES, "HWC", "FHWC", "FDHWC"),
        Input(
            "maps", "affine maps, `[2, 3]`, for volumes `[3, 4]`, instead of `matrix`", takes="windows", optional=True
        ),
    ],
    params=[
        PerSample("matrix", None, "affine map: two rows of three numbers, for volumes three rows of four", _MATRIX),
        *WARPED,
        Static(
            "inverse_map", FLAG, True, "the map leads from the output to the input; False: from the input to the output"
        ),
    ],
    old=OLD,
    check=check_one_map,
    lazy=Lazy(lambda _params: None, _extents),
)
def warp_affine(
    context: Context,
    value: BatchValue,
    maps: BatchValue | None = None,
    *,
    matrix: Array,
    size: object,
    dtype: Any,
    inverse_map: bool,
    **options: Any,
) -> BatchValue:
    """Moves pixels by an affine map; DALI's `fn.warp_affine`.

    Output pixel `(x, y)` is the value of the input at `matrix @ (x + 0.5, y + 0.5, 1)`; for volumes it is `(x, y, z)`.
    `fn.transforms` makes such maps. See `jaxdali.image.warp_affine`, which also explains where DALI's positions differ.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.warp import warp_affine as compute

    value = volumes_or_images_in(context, value)
    axes = value.data.ndim - 2
    if maps is not None:
        matrix = maps.of_one_shape(context, "the maps of fn.warp_affine")
    given = np.shape(matrix) if isinstance(matrix, tuple) else np.shape(matrix)[1:]
    if given not in ((axes * (axes + 1),), (axes, axes + 1)):
        raise GraphError(f"fn.warp_affine expects maps of {axes} x {axes + 1} numbers per sample, got {list(given)}")
    if isinstance(matrix, tuple):
        matrix = np.asarray(matrix, np.float32).reshape(axes, axes + 1)
    else:
        matrix = jnp.asarray(matrix, jnp.float32).reshape(-1, axes, axes + 1)
    made, extents = size_of_rank(context, size, value)
    shapes = value.shapes if made is None else None if extents is None else with_channels(value, extents)
    data = compute(
        value.data,
        matrix,
        made,
        value.shapes,
        extents=None if shapes is None else shapes[:, :axes],
        fill=options["fill_value"],
        filter=FILTERS[options["interp_type"]],
        inverse_map=inverse_map,
        dtype=numpy_dtype(dtype),
    )
    return BatchValue(data, shapes, value.layout)
