"""Maps that translate, or scale."""

from __future__ import annotations

from ..argument_kinds import integer
from ..declaration import REQUIRED, PerSample, Static, operator
from ..values import BatchValue, Context
from .maps import MAPS, REVERSE_ORDER, VECTOR, combined, dimensions, vector

__all__ = ["scale", "translation"]


@operator(
    "transforms.translation",
    inputs=[MAPS],
    params=[PerSample("offset", REQUIRED, "offset, one number per dimension", VECTOR), REVERSE_ORDER],
    each_frame="**",
)
def translation(
    context: Context, maps: BatchValue | None = None, *, reverse_order: bool, **params: object
) -> BatchValue:
    """Makes maps that add an offset, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.translation`."""
    from jaxdali._device.image import affine

    count = dimensions(context, params, ("offset",), maps)
    made = affine.translation(vector(context, params, "offset", count))
    return combined(context, made, maps, reverse_order)


@operator(
    "transforms.scale",
    inputs=[MAPS],
    params=[
        PerSample("scale", REQUIRED, "scale factor of each dimension", VECTOR),
        PerSample("center", None, "the point that stays fixed, (x, y) or (x, y, z); by default the origin", VECTOR),
        Static("ndim", integer(1), None, "number of dimensions, if `scale` is one number for all of them"),
        REVERSE_ORDER,
    ],
    each_frame="**",
)
def scale(
    context: Context, maps: BatchValue | None = None, *, ndim: int | None, reverse_order: bool, **params: object
) -> BatchValue:
    """Makes maps that scale, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.scaling`."""
    from jaxdali._device.image import affine

    count = dimensions(context, params, ("scale", "center"), maps, ndim)
    factors, center = (vector(context, params, name, count) for name in ("scale", "center"))
    return combined(context, affine.scaling(factors, center), maps, reverse_order)
