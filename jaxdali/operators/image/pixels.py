"""What operators have in common that change each number alone, of images and of any others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...graph.call import Params
from ..kinds import numpy_dtype
from ..values import BatchValue, Context, ImagesValue, images_of, takes_recipes

__all__ = ["pixel_steps", "pixels_of", "recipe_dtype", "within_extents"]


def recipe_dtype(params: Params) -> bool:
    """Whether recipes have the type of the output."""
    return takes_recipes(numpy_dtype(params["dtype"]))


def pixel_steps(params: Params) -> Sequence[str] | None:
    """`Lazy.steps` of an operator with a `dtype`."""
    return ("pixels",) if recipe_dtype(params) else None


def pixels_of(context: Context, value: BatchValue | ImagesValue, dtype: object) -> BatchValue | ImagesValue:
    """Images where the layout says that samples are, and recipes have such types; else arrays."""
    if isinstance(value, BatchValue):
        images = value.layout == "HWC" and value.data.ndim == 4 and value.shapes is None
        if not (images and takes_recipes(value.data.dtype) and takes_recipes(dtype)):
            return value
    return images_of(context, value)


def within_extents(value: BatchValue, data: Any) -> BatchValue:
    """Numbers that were computed of each number of `value` alone, with zeros where its samples have none.

    Args:
        data: `[N, ...]`, the rank of those of `value`; its extents are theirs but for the last, which may be another one.
    """
    if value.shapes is None:
        return BatchValue(data, None, value.layout)
    import jax.numpy as jnp

    from ...numeric import outside_filled

    shapes = value.shapes
    if data.shape[-1] != value.data.shape[-1]:
        shapes = jnp.concatenate([shapes[:, :-1], jnp.full_like(shapes[:, -1:], data.shape[-1])], axis=1)
    return BatchValue(outside_filled(data, shapes), shapes, value.layout)
