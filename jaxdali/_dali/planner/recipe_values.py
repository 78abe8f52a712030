"""Computes the images of recipes while a graph is traced, with one call for all images of a source."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from jaxdali._device.image.image_arrays import evaluate
from jaxdali._run.executor.device_io.canvas import Canvas
from ..operators.values import BatchValue, Context, ImageSource, ImagesValue

__all__ = ["Asked", "compute_images"]

Size = tuple[int, int]


@dataclasses.dataclass(frozen=True)
class Asked:
    """Images that are needed as arrays.

    Attributes:
        fixed: (height, width) of their canvas if it is the same in every batch, else None.
        chosen: their canvas in this batch; None if none was chosen because none is needed.
    """

    value: ImagesValue
    fixed: Size | None
    chosen: Canvas | None

    @property
    def canvas(self) -> Size | None:
        """The canvas that they are computed on; None if all of them have one size."""
        images = self.value.images
        if images.size is not None:
            return None
        if self.fixed is not None:
            return self.fixed
        if self.chosen is not None:
            return self.chosen.height, self.chosen.width
        return self.value.source.canvas  # the canvas of input arrays: their recipes make nothing larger

    @property
    def exact(self) -> bool:
        """Whether each of them fills its canvas, with all its channels."""
        if self.value.images.keeps_channels:
            return False
        return self.value.images.size is not None or (
            self.fixed is None and self.chosen is not None and self.chosen.exact
        )


def compute_images(asked: Sequence[Asked], context: Context) -> list[BatchValue]:
    """Computes the images as arrays, and reports the statuses of the files that are decoded for them."""
    found: list[BatchValue | None] = [None] * len(asked)
    for source in dict.fromkeys(one.value.source for one in asked):
        mine = [index for index, one in enumerate(asked) if one.value.source is source]
        arrays, status = evaluate([asked[k].value.images for k in mine], [asked[k].canvas for k in mine], "zeros")
        _report(context, source, status)
        for k, array in zip(mine, arrays, strict=True):
            images = asked[k].value.images
            made = BatchValue(
                array, None if asked[k].exact else _shapes(images, array), images.layout, asked[k].value.wide
            )
            form = asked[k].value.form
            found[k] = made if form is None else made.in_form(form)
    return [value for value in found if value is not None]


def _report(context: Context, source: ImageSource, status: object) -> None:
    if source.column is not None:
        assert status is not None
        for on_error in source.on_error:
            context.report(source.column, on_error, status)


def _shapes(images: Any, array: Any) -> Any:
    """Returns `int32[N, 3]`, the shapes of images in an array. An image that is too large for the array is zeros, and
    its shape is cut to the array's.
    """
    return jnp.minimum(images.shapes, jnp.asarray([array.shape[1:]], jnp.int32))
