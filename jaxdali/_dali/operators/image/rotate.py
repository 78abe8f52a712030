"""Rotates images, and volumes around an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ...graph.call import DataNode, Params
from ..argument_kinds import FLAG, Kind, numpy_dtype
from ..declaration import REQUIRED, PerSample, Static, operator
from ..image_extents import Extents
from ..lazy import Lazy
from ..operator_inputs import IMAGES, assuming
from ..transforms.maps import VECTOR
from ..values import BatchValue, Context
from .rotated_volumes import rotated_volumes
from .volume_operators import is_volumes
from .warping import FILTERS, OLD, WARPED, images_in, sequences_of, size_extents, size_of_rank, with_channels

__all__ = ["rotate"]


def _extents(params: Params, extents: Extents) -> Extents:
    angle = params["angle"]
    if params["size"] is not None or params["keep_size"]:
        return size_extents(params["size"], extents)

    def bound(found: np.ndarray) -> np.ndarray:
        from jaxdali._device.image.warp import largest_rotated, rotated_extents

        if isinstance(angle, DataNode):
            return largest_rotated(found)
        return rotated_extents(angle, found).astype(np.int64)

    return extents.within(bound, exact=not isinstance(angle, DataNode))


def _axis(word: str, value: object) -> tuple[float, ...]:
    axis = VECTOR.read(word, value)
    if len(axis) != 3 or not any(axis):
        raise ConfigError(f"{word} must be three numbers, x, y and z, not all 0; got {value!r:.80}")
    return axis


_AXIS = Kind("Sequence[float]", _axis, ((0.0, 0.0, 1.0), (1.0, 2.0, 3.0)))


@operator(
    "rotate",
    inputs=[assuming(IMAGES, "HWC", "FHWC", "FDHWC")],
    params=[
        PerSample("angle", REQUIRED, "angle in degrees, counter-clockwise"),
        *WARPED,
        PerSample(
            "axis", None, "axis (x, y, z) around which volumes are rotated; images are rotated in their plane", _AXIS
        ),
        Static(
            "keep_size",
            FLAG,
            False,
            "keep the size of the input; by default the output is large enough to hold the whole rotated image",
        ),
    ],
    old=OLD,
    lazy=Lazy(lambda _params: None, _extents),
)
def rotate(
    context: Context, value: BatchValue, *, angle: Array, axis: object, size: object, keep_size: bool, **options: Any
) -> BatchValue:
    """Rotates images around their centre, and volumes around an axis through their centre; DALI's `fn.rotate`.

    Without `size` and `keep_size`, each result is as large as the rotated image requires, so results with different
    angles differ in size. Their extents are odd where those of the input are, so that a pixel in the centre stays in
    the centre. All frames of a sequence get the same extents, which are large enough for each of them. See
    `jaxdali.image.rotate` and `rotate_volumes`.
    """
    options = {
        "fill": options["fill_value"],
        "filter": FILTERS[options["interp_type"]],
        "dtype": numpy_dtype(options["dtype"]),
    }
    if is_volumes(value):
        return rotated_volumes(context, value, angle, axis, size, keep_size, options)
    import jax.numpy as jnp

    from jaxdali._device.image.warp import largest_rotated, rotate, rotated_extents

    value = images_in(context, value, own_channels=True)
    canvas = np.asarray([value.data.shape[1:3]], np.int64)
    shapes = value.shapes
    made, extents = size_of_rank(context, size, value)
    if made is None and keep_size:
        made, extents = value.data.shape[1:3], None if shapes is None else shapes[:, :2]
    elif made is None and isinstance(angle, float) and shapes is None:
        ((height, width),) = rotated_extents(angle, canvas).tolist()
        made = height, width
    elif made is None:
        # One more: smaller images of a batch may have odd extents where the largest has even ones, or the reverse.
        most = rotated_extents(angle, canvas) + 1 if isinstance(angle, float) else largest_rotated(canvas)
        ((height, width),) = most.tolist()
        made = height, width
        own = jnp.broadcast_to(jnp.asarray(canvas, jnp.int32), (len(value.data), 2)) if shapes is None else shapes
        extents = rotated_extents(angle, own, *sequences_of(value))
    if 0 in made:
        data = jnp.zeros((len(value.data), *made, value.data.shape[3]), options["dtype"] or value.data.dtype)
    else:
        data = rotate(value.data, angle, made, shapes, extents=extents, **options)
    if extents is None:
        return BatchValue(data, None, value.layout)
    return BatchValue(data, with_channels(value, extents), value.layout)
