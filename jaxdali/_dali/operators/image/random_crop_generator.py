"""Draws windows of images when only their shapes are given."""

from __future__ import annotations

from jaxdali.errors import GraphError
from ..declaration import Input, operator
from ..values import BatchValue, Context
from .random_window import RANDOM_WINDOW, draw_windows

__all__ = ["random_crop_generator"]

_LARGEST = (1 << 20) - 1


@operator(
    "random_crop_generator",
    inputs=[
        Input("shapes", "shapes of images, integers (height, width), or (height, width, channels)", takes="extents")
    ],
    params=[*RANDOM_WINDOW],
    devices=("cpu",),
    outputs=lambda _params: 2,
    returns="Where windows begin and their extents, INT32 [2] each: height before width.",
    is_random=True,
    raises={"SourceDataError": "an extent is below 1 or above 1048575, where the batch is handed out"},
)
def random_crop_generator(context: Context, value: BatchValue, **params: object) -> tuple[BatchValue, BatchValue]:
    """Draws a window of each image, as `fn.random_resized_crop` does; DALI's operator. `fn.slice` or
    `fn.decoders.image_slice` cuts it.
    """
    import jax.numpy as jnp

    data = value.data
    if data.dtype.kind not in "iu" or data.ndim != 2 or data.shape[1] not in (2, 3):
        raise GraphError(
            f"fn.random_crop_generator expects the shapes of images, 2 or 3 integers, got {data.dtype} of {data.shape[1:]}; "
            "image.shape() has them"
        )
    if value.shapes is not None:
        context.require(value.shapes[:, 0] >= 2, "fn.random_crop_generator expects shapes of two numbers at least")
    extents = data[:, :2]
    fits = (extents >= 1) & (extents <= _LARGEST)
    context.require(fits.all(axis=1), f"fn.random_crop_generator expects extents from 1 to {_LARGEST}")
    windows = draw_windows(context, jnp.clip(extents, 1, _LARGEST).astype(jnp.int32), params)
    return BatchValue(windows[:, :2]), BatchValue(windows[:, 2:])
