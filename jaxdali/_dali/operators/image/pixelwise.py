"""The common part of operators that change each number by itself, in images and other data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...graph.call import Params
from ..argument_kinds import numpy_dtype
from ..values import BatchValue, Context, ImagesValue, images_of, takes_recipes

__all__ = ["pixel_steps", "pixels_of", "recipe_dtype", "within_extents"]


def recipe_dtype(params: Params) -> bool:
    """Whether recipes support the type of the output."""
    return takes_recipes(numpy_dtype(params["dtype"]))


def pixel_steps(params: Params) -> Sequence[str] | None:
    """The `Lazy.steps` of an operator with a `dtype`."""
    return ("pixels",) if recipe_dtype(params) else None


def pixels_of(context: Context, value: BatchValue | ImagesValue, dtype: object) -> BatchValue | ImagesValue:
    """Returns images if the layout says that samples are, and recipes support their types; else arrays."""
    if isinstance(value, BatchValue):
        images = value.layout == "HWC" and value.data.ndim == 4 and value.shapes is None
        if not (images and takes_recipes(value.data.dtype) and takes_recipes(dtype)):
            return value
    return images_of(context, value)


def within_extents(value: BatchValue, data: Any) -> BatchValue:
    """Wraps numbers that were computed from each number of `value` by itself, with zeros outside of its samples.

    Args:
        data: `[N, ...]`, with the rank and extents of `value`, except that the last extent may differ.
    """
    if value.shapes is None:
        return BatchValue(data, None, value.layout)
    import jax.numpy as jnp

    from jaxdali._device.numeric.ragged import outside_filled

    shapes = value.shapes
    if data.shape[-1] != value.data.shape[-1]:
        shapes = jnp.concatenate([shapes[:, :-1], jnp.full_like(shapes[:, -1:], data.shape[-1])], axis=1)
    return BatchValue(outside_filled(data, shapes), shapes, value.layout)
