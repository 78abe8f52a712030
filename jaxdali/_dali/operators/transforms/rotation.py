"""Maps that rotate."""

from __future__ import annotations

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali.errors import GraphError
from ..argument_kinds import Kind
from ..declaration import REQUIRED, PerSample, operator
from ..values import BatchValue, Context
from .maps import MAPS, REVERSE_ORDER, VECTOR, combined, matrix_of, vector

__all__ = ["rotation"]

_AXIS = Kind(VECTOR.annotation, VECTOR.read, ((0.0, 0.0, 1.0), (1.0, 2.0, 3.0)))


@operator(
    "transforms.rotation",
    inputs=[MAPS],
    params=[
        PerSample("angle", REQUIRED, "in degrees"),
        PerSample("axis", None, "for three dimensions, the direction of the rotation axis", _AXIS),
        PerSample("center", None, "the point that stays fixed, (x, y) or (x, y, z); by default the origin", VECTOR),
        REVERSE_ORDER,
    ],
    each_frame="**",
)
def rotation(
    context: Context, maps: BatchValue | None = None, *, angle: Array, reverse_order: bool, **params: object
) -> BatchValue:
    """Makes maps that rotate, `float32[2, 3]`, or `[3, 4]` with `axis`; DALI's operator. See
    `jaxdali.image.affine.rotation`.
    """
    from jaxdali._device.image import affine

    count = 2 if params["axis"] is None else 3
    if maps is not None and matrix_of(context, maps).shape[1] != count:
        raise GraphError(
            f"fn.transforms.rotation {'without' if count == 2 else 'with'} axis= makes maps of {count} dimensions"
        )
    axis, center = (vector(context, params, name, count) for name in ("axis", "center"))
    degrees = np.asarray([angle], np.float32) if isinstance(angle, float) else angle
    return combined(context, affine.rotation(degrees, center, axis), maps, reverse_order)
