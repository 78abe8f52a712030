"""Draws from normal distributions."""

from __future__ import annotations

from jaxdali._base.dtypes import FLOAT
from ..declaration import PerSample, operator
from ..values import BatchValue, Context
from .draw_arguments import SHAPE_LIKE, check_shape_like, common, draw, single

__all__ = ["normal"]


@operator(
    "random.normal",
    inputs=[SHAPE_LIKE],
    params=[PerSample("mean", 0.0, "of the draws"), PerSample("stddev", 1.0, "of the draws"), *common(FLOAT)],
    check=check_shape_like,
    is_random=True,
    keeps_extents=True,
)
def normal(context: Context, like: BatchValue | None = None, **params: object) -> BatchValue:
    """Draws from a normal distribution; DALI's `fn.random.normal`. Integers are saturated to the range of `dtype`: 300
    becomes 255 in UINT8.
    """
    from jaxdali._device.random.draws import normal as compute

    moments = {name: single(context, name, params[name]) for name in ("mean", "stddev")}
    return draw(context, like, params, lambda keys, **shape: compute(keys, **moments, **shape))
