"""Resizes images."""

from __future__ import annotations

from typing import Any

from ..argument_kinds import FLAG, numpy_dtype
from ..declaration import Old, Static, operator
from ..lazy import Lazy
from ..operator_inputs import IMAGES, assuming
from ..values import BatchValue, Context, ImagesValue, images_of
from .resized_volumes import resized_volumes
from .resizing import (
    HINTS,
    RESIZED,
    SIZED,
    is_plain,
    read_sizes,
    resize_steps,
    resized,
    resized_bounds,
    unlimited_sizes,
)
from .volume_operators import is_volumes

__all__ = ["resize"]


@operator(
    "resize",
    inputs=[assuming(IMAGES, "HWC", "FHWC", "FDHWC")],
    params=[
        *SIZED,
        *RESIZED,
        Static("save_attrs", FLAG, False, "also return the shape of each image before resizing, INT32 (height, width)"),
    ],
    accepted=HINTS,
    old={"image_type": Old()},
    prepare=read_sizes,
    outputs=lambda params: 2 if params["save_attrs"] else None,
    returns="With `save_attrs` a list of two nodes: images and extents.",
    lazy=Lazy(resize_steps, resized_bounds, grows=True, one_window=is_plain),
    sized=unlimited_sizes,
)
def resize(context: Context, value: BatchValue | ImagesValue, *, save_attrs: bool, **params: Any) -> Any:
    """Resizes every image or volume; DALI's `fn.resize`.

    Sizes are rounded to the nearest pixel, halves upwards, and are at least 1. Results of different sizes are on a
    canvas chosen for each batch from the headers of its files. A size that is a node without limits known in advance
    (draws of fn.random.uniform(range=) have them) is first copied to the host, which finds the largest of the batch;
    `max_size` avoids that. If `resize_longer`, `max_size` or `size` with mode="not_larger" limit both axes, that limit
    is the canvas of every batch, and iterators return the output as a pair: `[N, height, width, C]`, each image in the
    top left corner, and shapes, `int32[N, 3]`.
    """
    if is_volumes(value):
        assert isinstance(value, BatchValue)
        return resized_volumes(value, params, save_attrs, written=context.call.params)
    images = images_of(context, value, numpy_dtype(params["dtype"]))
    found = resized(images, params)
    if not save_attrs:
        return found
    import jax.numpy as jnp

    return found, BatchValue(jnp.asarray(images.images.extents, jnp.int32))
