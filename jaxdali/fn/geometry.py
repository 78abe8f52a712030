"""Operators that change where pixels are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import types
from ..errors import ConfigError
from ..pipeline.node import DataNode
from ..pipeline.trace import add_operator
from ..pipeline.value import BatchValue
from .arguments import check_unsupported, numpy_dtype

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


def _extents(kind: str, name: str, value: Any) -> tuple[int, int]:
    """(height, width) of a number or a pair."""
    pair = (value, value) if isinstance(value, int | float) else value
    if isinstance(value, DataNode) or not isinstance(pair, Sequence) or len(pair) != 2 or min(pair) < 1:
        raise ConfigError(f"fn.{kind}({name}=) wants (height, width) in pixels, known beforehand; got {value!r}")
    return int(pair[0]), int(pair[1])


def resize(
    data: DataNode,
    *,
    size: int | Sequence[int],
    antialias: bool = True,
    dtype: types.DALIDataType | None = None,
    device: str | None = None,
    name: str | None = None,
    **dali: Any,
) -> DataNode:
    """Resizes every image to the same size with a triangular filter; DALI's `fn.resize(size=)`.

    Args:
        data: images, layout "HWC".
        size: (height, width), or one number for both.
        antialias: widens the filter when shrinking.
        dtype: of the output; not given: that of the input.
        dali: DALI's other arguments, with the values that describe how it is done here; others are refused.
    """
    check_unsupported("resize", dali, _RESIZE)
    target = _extents("resize", "size", size)

    def evaluate(_context: Any, inputs: list[BatchValue], _arguments: dict[str, Any]) -> BatchValue:
        from ..image import resize as compute

        (value,) = inputs
        images = value.images("resize")
        resized = compute(images, target, value.shapes, antialias=antialias, dtype=numpy_dtype(dtype))
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
        crop: (height, width) of the window, or one number; or give `crop_h` and `crop_w`. Not given: no cropping, which
            needs images of one size.
        crop_pos_x, crop_pos_y: where the window lies in what is left over, 0 to 1; numbers, or nodes.
        mirror: 0 or 1; a number, or a node with one a sample.
        mean, std: a number, one a channel, or a node with one a sample.
        dtype: of the output; integers are rounded half away from zero and saturated.
        output_layout: "CHW" or "HWC".
        rounding: of the window's corner, "round" (half away from zero) or "truncate".
        dali: DALI's other arguments, with the values that describe how it is done here; others are refused.
    """
    check_unsupported("crop_mirror_normalize", dali, _CROP)
    if crop is None and (crop_h or crop_w):
        crop = (crop_h, crop_w)
    window = None if crop is None else _extents("crop_mirror_normalize", "crop", crop)
    arguments = {"crop_pos_x": crop_pos_x, "crop_pos_y": crop_pos_y, "mirror": mirror, "mean": mean, "std": std}

    def evaluate(context: Any, inputs: list[BatchValue], given: dict[str, Any]) -> BatchValue:
        import jax.numpy as jnp

        from .. import image

        (value,) = inputs
        images, shapes = value.images("crop_mirror_normalize"), value.shapes
        if window is not None:
            extents = shapes if shapes is not None else jnp.broadcast_to(jnp.asarray(images.shape[1:]), (images.shape[0], 3))
            anchor = image.crop_anchor(extents, window, (given["crop_pos_y"], given["crop_pos_x"]), rounding)
            context.require(
                (anchor >= 0).all(axis=1),
                f"Slice can't be placed out of bounds with current policy: an image is smaller than the window {window} of "
                "fn.crop_mirror_normalize; resize it first",
            )
            images, shapes = image.crop(images, anchor, window, shapes), None
        images = image.flip(images, given["mirror"], shapes=shapes)
        images = image.normalize(
            images, _a_channel(given["mean"]), _a_channel(given["std"]),
            scale=scale, shift=shift, dtype=numpy_dtype(dtype), output_layout=output_layout,
        )
        if shapes is not None and output_layout == "CHW":
            shapes = shapes[:, jnp.asarray((2, 0, 1))]
        return BatchValue(images, shapes, output_layout)

    operator = add_operator("crop_mirror_normalize", evaluate, [data], arguments, device=device, name=name)
    return operator.node()


def _a_channel(value: Any) -> Any:
    """A node's values, one a sample, are `[N]`; the pure function wants `[N, 1]` or `[N, C]`."""
    return value[:, None] if hasattr(value, "ndim") and value.ndim == 1 else value
