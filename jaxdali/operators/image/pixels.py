"""What operators have in common that change each number alone, of images and of any others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..kinds import numpy_dtype
from ..values import BatchValue, Context, ImagesValue, images_of, takes_recipes

__all__ = ["pixel_steps", "pixels_of", "recipe_dtype"]


def recipe_dtype(params: Mapping[str, Any]) -> bool:
    """Whether recipes have the type of the output."""
    return takes_recipes(numpy_dtype(params["dtype"]))


def pixel_steps(params: Mapping[str, Any]) -> Sequence[str] | None:
    """`Lazy.steps` of an operator with a `dtype`."""
    return ("pixels",) if recipe_dtype(params) else None


def pixels_of(context: Context, value: BatchValue | ImagesValue, dtype: Any) -> BatchValue | ImagesValue:
    """Images where the layout says that samples are, and recipes have such types; else arrays."""
    if isinstance(value, BatchValue):
        images = value.layout == "HWC" and value.data.ndim == 4 and value.shapes is None
        if not (images and takes_recipes(value.data.dtype) and takes_recipes(dtype)):
            return value
    return images_of(context, value)
