"""Maps from one box to another."""

from __future__ import annotations

from ..argument_kinds import FLAG, Kind
from ..declaration import PerSample, Static, operator
from ..values import BatchValue, Context
from .maps import MAPS, REVERSE_ORDER, VECTOR, combined, dimensions, vector

__all__ = ["crop"]

_ENDS = Kind(VECTOR.annotation, VECTOR.read, ((1.5, 2.0), (3.0, 2.0)))
_CORNERS = ("from_start", "from_end", "to_start", "to_end")


@operator(
    "transforms.crop",
    inputs=[MAPS],
    params=[
        PerSample("from_start", (0.0,), "where the source box begins, one number per dimension", VECTOR),
        PerSample("from_end", (1.0,), "where the source box ends", _ENDS),
        PerSample("to_start", (0.0,), "where the target box begins", VECTOR),
        PerSample("to_end", (1.0,), "where the target box ends", _ENDS),
        Static(
            "absolute", FLAG, False, "use the smaller of start and end as the start; by default boxes may be mirrored"
        ),
        REVERSE_ORDER,
    ],
    each_frame="**",
)
def crop(
    context: Context, maps: BatchValue | None = None, *, absolute: bool, reverse_order: bool, **params: object
) -> BatchValue:
    """Makes maps from one box to another, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.crop`."""
    from jaxdali._device.image import affine

    count = dimensions(context, params, _CORNERS, maps)
    corners = (vector(context, params, name, count) for name in _CORNERS)
    return combined(context, affine.crop(*corners, absolute=absolute), maps, reverse_order)
