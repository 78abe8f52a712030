"""Equalizes the levels of images tile by tile."""

from __future__ import annotations

from jaxdali.errors import GraphError
from ..argument_kinds import FLAG, NUMBER, integer
from ..declaration import REQUIRED, Static, operator
from ..operator_inputs import IMAGES, assuming
from ..values import BatchValue, Context
from .warping import images_in

__all__ = ["clahe"]

_MOST_TILES = 1 << 10


@operator(
    "clahe",
    inputs=[assuming(IMAGES, "HWC")],
    params=[
        Static("tiles_x", integer(1, _MOST_TILES), REQUIRED, "number of tiles from left to right"),
        Static("tiles_y", integer(1, _MOST_TILES), REQUIRED, "number of tiles from top to bottom"),
        Static(
            "clip_limit",
            NUMBER,
            REQUIRED,
            "largest count of a level in a tile, as a multiple of the mean count; 0 or less: no limit",
        ),
        Static(
            "luma_only",
            FLAG,
            True,
            "change only the lightness of images with three channels; False: each channel separately",
        ),
    ],
    accepted={"bins": "there is one for each of 256 levels, as in DALI whatever is given"},
    keeps_extents=True,
)
def clahe(
    context: Context, value: BatchValue, *, tiles_x: int, tiles_y: int, clip_limit: float, luma_only: bool
) -> BatchValue:
    """Equalizes the levels of each tile of UINT8 images, as OpenCV's CLAHE; DALI's operator.

    Images are gray, or red, green and blue. See `jaxdali.image.clahe`.
    """
    from jaxdali._device.image.local_contrast import clahe as compute

    value = images_in(context, value)
    if value.data.dtype != "uint8" or value.data.shape[-1] not in (1, 3):
        raise GraphError(
            f"fn.clahe expects images of UINT8 with 1 or 3 channels, got {value.data.dtype} with {value.data.shape[-1]}; "
            "cast or convert them first"
        )
    data = compute(value.data, (tiles_y, tiles_x), clip_limit, value.shapes, luma_only=luma_only)
    return BatchValue(data, value.shapes, value.layout)
