"""Operators that change where pixels are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import types
from ..pipeline.fusion import Planned, Step, Undecoded
from ..pipeline.node import DataNode
from ..pipeline.recording import recorded
from ..pipeline.trace import add_operator
from ..pipeline.value import BatchValue
from .arguments import check_numbers, check_unsupported, extents, numpy_dtype
from .windows import RandomWindow

__all__ = ["flip", "random_resized_crop", "resize"]

_ONE_FILTER = "images are resized with the triangular filter (INTERP_LINEAR)"
_RESIZE: dict[str, tuple[Any, str]] = {
    "interp_type": (types.INTERP_LINEAR, _ONE_FILTER),
    "min_filter": (types.INTERP_LINEAR, _ONE_FILTER),
    "mag_filter": (types.INTERP_LINEAR, _ONE_FILTER),
    "mode": ("default", "every image gets the size that is given; give size=(height, width)"),
    "minibatch_size": (32, "the whole batch is one computation"),
    "subpixel_scale": (True, "sizes are whole pixels"),
    "roi_start": (None, "crop first"),
    "roi_end": (None, "crop first"),
    "roi_relative": (False, "crop first"),
    "max_size": (None, "give size=(height, width)"),
    "save_attrs": (False, "read the shapes of the node that is resized"),
    "resize_x": (0, "give size=(height, width)"),
    "resize_y": (0, "give size=(height, width)"),
    "resize_shorter": (0, "the result would differ in size from image to image; give size=(height, width)"),
    "resize_longer": (0, "the result would differ in size from image to image; give size=(height, width)"),
}


_RANDOM_RESIZED_CROP = {name: _RESIZE[name] for name in ("interp_type", "min_filter", "mag_filter", "minibatch_size")}
_RANDOM_ARGUMENTS = (
    *("size", "random_area", "random_aspect_ratio", "num_attempts", "antialias", "dtype", "seed", "device", "name"),
)
_FLIP_ARGUMENTS = ("horizontal", "vertical", "device", "name")


@recorded("fn.resize")
def resize(
    data: DataNode,
    *,
    size: float | Sequence[float] | None = None,
    antialias: bool = True,
    dtype: types.DALIDataType | None = None,
    device: str | None = None,
    name: str | None = None,
    **dali: Any,
) -> DataNode:
    """Resizes every image to the same size with a triangular filter; DALI's `fn.resize(size=)`.

    Args:
        data: images, layout "HWC".
        size: (height, width), or one number for both; fractions are rounded to the nearest pixel.
        antialias: widens the filter when shrinking.
        dtype: of the output; not given: that of the input.
        dali: DALI's other arguments, with the values that describe how it is done here; others are refused.
    """
    check_unsupported("resize", dali, _RESIZE, ("size", "antialias", "dtype", "device", "name"))
    height, width = (math.floor(extent + 0.5) for extent in extents("resize", "size", size))
    target = numpy_dtype(dtype)

    def evaluate(context: Any, inputs: list[BatchValue], _arguments: dict[str, Any]) -> BatchValue:
        from ..image import resize as compute

        (value,) = inputs
        images = value.images("resize", context)
        resized = compute(images, (height, width), value.shapes, antialias=antialias, dtype=target)
        return BatchValue(resized, None, "HWC")

    settings = _resized((height, width), antialias, target, lambda _, images, __: images.resize())
    return add_operator("resize", evaluate, [data], device=device, name=name, settings=settings).node()


@recorded("fn.random_resized_crop")
def random_resized_crop(
    data: DataNode,
    *,
    size: float | Sequence[float],
    random_area: Sequence[float] = (0.08, 1.0),
    random_aspect_ratio: Sequence[float] = (3 / 4, 4 / 3),
    num_attempts: int = 10,
    antialias: bool = True,
    dtype: types.DALIDataType | None = None,
    seed: int | None = None,
    device: str | None = None,
    name: str | None = None,
    **dali: Any,
) -> DataNode:
    """Resizes a random window of every image to the same size; DALI's `fn.random_resized_crop`.

    Straight behind a decoder, only the window is decoded.

    Args:
        data: images, layout "HWC".
        size: (height, width), or one number for both; fractions are rounded to the nearest pixel.
        random_area: (smallest, largest) fraction of the image that the window covers.
        random_aspect_ratio: (smallest, largest) width / height of the window.
        num_attempts: windows to draw before the largest one that fits is taken; see
            `jaxdali.random.resized_crop_window`.
        antialias: widens the filter when shrinking.
        dtype: of the output; not given: that of the input.
        seed: a stream of its own, see `fn.random.uniform`.
        dali: DALI's other arguments, with the values that describe how it is done here; others are refused.
    """
    check_unsupported("random_resized_crop", dali, _RANDOM_RESIZED_CROP, _RANDOM_ARGUMENTS)
    height, width = (math.floor(extent + 0.5) for extent in extents("random_resized_crop", "size", size))
    draw = RandomWindow.of("random_resized_crop", random_area, random_aspect_ratio, num_attempts, seed)
    target = numpy_dtype(dtype)

    def evaluate(context: Any, inputs: list[BatchValue], _arguments: dict[str, Any]) -> BatchValue:
        from ..image import crop_windows
        from ..image import resize as compute

        (value,) = inputs
        images = value.images("random_resized_crop", context)
        windows = draw(context, operator, value.image_shapes())
        cut = crop_windows(images, windows, value.shapes)
        return BatchValue(compute(cut, (height, width), windows[:, 2:], antialias=antialias, dtype=target), None, "HWC")

    def apply(context: Any, images: Undecoded, _arguments: dict[str, Any]) -> Undecoded:
        return images.cut(draw(context, operator, images.extents)).resize()

    settings = _resized((height, width), antialias, target, apply)
    operator = add_operator(
        "random_resized_crop", evaluate, [data], device=device, name=name, draws=True, settings=settings
    )
    return operator.node()


@recorded("fn.flip")
def flip(
    data: DataNode,
    *,
    horizontal: int | DataNode = 1,
    vertical: int | DataNode = 0,
    device: str | None = None,
    name: str | None = None,
    **dali: Any,
) -> DataNode:
    """Mirrors images left to right (`horizontal`), top to bottom (`vertical`), or both; DALI's `fn.flip`.

    Args:
        data: images, layout "HWC".
        horizontal, vertical: 0 or 1; numbers, or nodes with one a sample.
        dali: DALI's other arguments, with the values that describe how it is done here; others are refused.
    """
    check_unsupported("flip", dali, {"depthwise": (0, "images have two dimensions")}, _FLIP_ARGUMENTS)
    arguments = {"horizontal": horizontal, "vertical": vertical}
    check_numbers("flip", arguments)

    def evaluate(context: Any, inputs: list[BatchValue], given: dict[str, Any]) -> BatchValue:
        from ..image import flip as compute

        (value,) = inputs
        images = value.images("flip", context)
        return BatchValue(compute(images, given["horizontal"], given["vertical"], value.shapes), value.shapes, "HWC")

    def plan(planned: Planned) -> Planned | None:
        fits = planned.extent is not None and not isinstance(vertical, DataNode) and not vertical
        return Planned(planned.extent, resampled=True) if fits else None

    def apply(_context: Any, images: Undecoded, given: dict[str, Any]) -> Undecoded:
        return images.mirror(given["horizontal"]).resize()

    options: dict[str, Any] = {"device": device, "name": name, "settings": Step(plan, apply), "keeps_extents": True}
    return add_operator("flip", evaluate, [data], arguments, **options).node()


def _resized(size: tuple[int, int], antialias: bool, dtype: Any, apply: Any) -> Step | None:
    """The step of an operator that resizes; None: it does so otherwise than `decode_resample`."""
    if not antialias or dtype not in (None, np.dtype("uint8")):
        return None
    return Step(lambda planned: None if planned.resampled else Planned(size, resampled=True), apply)
