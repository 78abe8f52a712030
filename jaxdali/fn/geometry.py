"""Operators that change where pixels are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import types
from ..errors import ConfigError
from ..pipeline.node import DataNode
from ..pipeline.trace import add_operator
from ..pipeline.value import BatchValue
from .arguments import check_numbers, check_unsupported, numpy_dtype

__all__ = ["crop_mirror_normalize", "resize"]

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
_CROP: dict[str, tuple[Any, str]] = {
    "fill_values": (0.0, "windows lie inside of their image"),
    "out_of_bounds_policy": ("error", "resize first, so that the window fits"),
    "pad_output": (False, "the number of channels stays"),
    "crop_d": (0, "images have two dimensions"),
    "crop_pos_z": (0.5, "images have two dimensions"),
}

_CROP_ARGUMENTS = ("crop", "crop_h", "crop_w", "crop_pos_x", "crop_pos_y", "mirror", "mean", "std", "scale", "shift")


def _extents(kind: str, name: str, value: Any) -> tuple[float, float]:
    """(height, width) of a number or a pair."""
    try:
        if np.asarray(value).dtype.kind not in "uif":
            raise TypeError
        pair = np.broadcast_to(np.asarray(value, np.float64), (2,)).tolist()
    except (TypeError, ValueError):
        pair = [0, 0]
    if not all(1 <= extent < 1 << 31 for extent in pair):
        raise ConfigError(f"fn.{kind}({name}=) wants (height, width) in pixels, known beforehand; got {value!r}")
    return pair[0], pair[1]


def _one_of(kind: str, name: str, value: Any, accepted: tuple[str, ...]) -> None:
    if value not in accepted:
        raise ConfigError(f"{name} of fn.{kind} must be one of {', '.join(accepted)}, got {value!r}")


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
    height, width = (math.floor(extent + 0.5) for extent in _extents("resize", "size", size))
    target = numpy_dtype(dtype)

    def evaluate(context: Any, inputs: list[BatchValue], _arguments: dict[str, Any]) -> BatchValue:
        from ..image import resize as compute

        (value,) = inputs
        images = value.images("resize", context)
        resized = compute(images, (height, width), value.shapes, antialias=antialias, dtype=target)
        return BatchValue(resized, None, "HWC")

    return add_operator("resize", evaluate, [data], device=device, name=name).node()


def crop_mirror_normalize(
    data: DataNode,
    *,
    crop: float | Sequence[float] | None = None,
    crop_h: float = 0,
    crop_w: float = 0,
    crop_pos_x: float | DataNode = 0.5,
    crop_pos_y: float | DataNode = 0.5,
    mirror: int | DataNode = 0,
    mean: float | Sequence[float] | DataNode = 0.0,
    std: float | Sequence[float] | DataNode = 1.0,
    scale: float = 1.0,
    shift: float = 0.0,
    dtype: types.DALIDataType = types.FLOAT,
    output_layout: str = "CHW",
    rounding: str = "round",
    device: str | None = None,
    name: str | None = None,
    **dali: Any,
) -> DataNode:
    """Crops, mirrors left to right, and normalises: `((in - mean) / std) * scale + shift`; DALI's operator.

    Args:
        data: images, layout "HWC".
        crop: (height, width) of the window, or one number; or give `crop_h` and `crop_w`. Fractions are cut off. Not
            given: no cropping.
        crop_pos_x, crop_pos_y: where the window lies in what is left over, 0 to 1; numbers, or nodes.
        mirror: 0 or 1; a number, or a node with one a sample.
        mean, std: a number, one a channel, or a node with one a sample.
        dtype: of the output; integers are rounded half away from zero and saturated.
        output_layout: "CHW" or "HWC".
        rounding: of the window's corner, "round" (half away from zero) or "truncate".
        dali: DALI's other arguments, with the values that describe how it is done here; others are refused.
    """
    check_unsupported("crop_mirror_normalize", dali, _CROP, _CROP_ARGUMENTS)
    _one_of("crop_mirror_normalize", "output_layout", output_layout, ("CHW", "HWC"))
    _one_of("crop_mirror_normalize", "rounding", rounding, ("round", "truncate"))
    target = numpy_dtype(dtype)
    if crop_h or crop_w:
        if crop is not None:
            raise ConfigError("fn.crop_mirror_normalize got both crop= and crop_h= or crop_w=; give one of them")
        crop = (crop_h, crop_w)
    window: tuple[int, int] | None = None
    if crop is not None:
        height, width = _extents("crop_mirror_normalize", "crop", crop)
        window = int(height), int(width)
    check_numbers("crop_mirror_normalize", {"scale": scale, "shift": shift})
    arguments = {"crop_pos_x": crop_pos_x, "crop_pos_y": crop_pos_y, "mirror": mirror, "mean": mean, "std": std}
    check_numbers("crop_mirror_normalize", arguments)

    def evaluate(context: Any, inputs: list[BatchValue], given: dict[str, Any]) -> BatchValue:
        import jax.numpy as jnp

        from .. import image

        (value,) = inputs
        images, shapes = value.images("crop_mirror_normalize", context), value.shapes
        if window is not None:
            extents = shapes
            if extents is None:
                extents = jnp.broadcast_to(jnp.asarray(images.shape[1:], jnp.int32), (images.shape[0], 3))
            anchor = image.crop_anchor(extents, window, (given["crop_pos_y"], given["crop_pos_x"]), rounding)
            context.require(
                (anchor >= 0).all(axis=1),
                f"Slice can't be placed out of bounds with current policy: an image is smaller than the window {window} of "
                "fn.crop_mirror_normalize; resize it first",
            )
            if window[0] <= images.shape[1] and window[1] <= images.shape[2]:
                images = image.crop(images, anchor, window, shapes)
            else:  # what is required above holds for no image, so that nobody sees these
                images = jnp.zeros((images.shape[0], *window, images.shape[3]), images.dtype)
            shapes = None
        images = image.flip(images, given["mirror"], shapes=shapes)
        # A node's values, one a sample, are [N]; the pure function would take them for one a channel.
        moments = {
            name: given[name][:, None]
            if isinstance(arguments[name], DataNode) and given[name].ndim == 1
            else given[name]
            for name in ("mean", "std")
        }
        images = image.normalize(images, **moments, scale=scale, shift=shift, dtype=target, output_layout=output_layout)
        if shapes is not None and output_layout == "CHW":
            shapes = shapes[:, jnp.asarray((2, 0, 1))]
        return BatchValue(images, shapes, output_layout)

    operator = add_operator("crop_mirror_normalize", evaluate, [data], arguments, device=device, name=name)
    return operator.node()
