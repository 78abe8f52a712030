"""Draws 0 or 1."""

from __future__ import annotations

from jaxdali._base.dtypes import INT32
from ..declaration import PerSample, operator
from ..values import BatchValue, Context
from .draw_arguments import SHAPE_LIKE, check_shape_like, common, draw, single

__all__ = ["coin_flip"]


@operator(
    "random.coin_flip",
    inputs=[SHAPE_LIKE],
    params=[
        PerSample(
            "probability",
            0.5,
            "probability of 1. A node's number below 0 always gives 0, and one above 1 always gives 1",
        ),
        *common(INT32),
    ],
    check=check_shape_like,
    is_random=True,
    keeps_extents=True,
)
def coin_flip(context: Context, like: BatchValue | None = None, **params: object) -> BatchValue:
    """Draws 1 with the given probability, otherwise 0; DALI's `fn.random.coin_flip`."""
    from jaxdali._device.random.draws import coin_flip as compute

    probability = single(context, "probability", params["probability"])
    return draw(context, like, params, lambda keys, **shape: compute(keys, probability, **shape))
