"""Crops, mirrors and normalises."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ... import types
from ...errors import ConfigError
from ...graph.call import DataNode
from ..inputs import IMAGES
from ..kinds import DTYPE, FLAG, NUMBER, choice, numpy_dtype
from ..lazy import Lazy
from ..record import PerSample, Static, operator
from ..values import BatchValue, Context, ImagesValue, images_of
from .pixels import recipe_dtype
from .window import OLD, OUT_OF_BOUNDS, REFUSED, WINDOW, Window, is_cut, may_grow, read_window, window_extents

__all__ = ["crop_mirror_normalize"]


def _moments(context: Context, params: Mapping[str, Any]) -> dict[str, Any]:
    written = context.call.params
    # A node's values, one a sample, are [N]; the pure function would take them for one a channel.
    own = {
        name: params[name][:, None] if isinstance(written[name], DataNode) and params[name].ndim == 1 else params[name]
        for name in ("mean", "std")
    }
    return {**own, "scale": params["scale"], "shift": params["shift"], "dtype": numpy_dtype(params["dtype"])}


def _steps(params: Mapping[str, Any]) -> Sequence[str] | None:
    if not recipe_dtype(params):
        return None
    window = Window.of(params)
    cut = () if window is None else (window.step,)
    finish = ("pixels",) if params["pad_output"] else ()
    return ("pixels", *cut, "flip", *finish, *(("to_layout",) if params["output_layout"] == "CHW" else ()))


def _one_window(stage: str, params: Mapping[str, Any]) -> bool:
    return stage != "window" and not is_cut(params) and not params["pad_output"]


@operator(
    "crop_mirror_normalize",
    inputs=[IMAGES],
    params=[
        *WINDOW,
        PerSample("mirror", 0, "mirrors left to right where it is not 0"),
        PerSample("mean", 0.0, "a number, or one a channel"),
        PerSample("std", 1.0, "a number, or one a channel"),
        Static("scale", NUMBER, 1.0, "factor behind `std`"),
        Static("shift", NUMBER, 0.0, "added at last"),
        Static("dtype", DTYPE, types.FLOAT, "of the output; integers are rounded half away from zero and saturated"),
        Static("output_layout", choice("CHW", "HWC"), "CHW", "of the output"),
        Static(
            "pad_output",
            FLAG,
            False,
            "adds channels until their number is a power of two: the last of `fill_values` with padded windows, else 0",
        ),
        *OUT_OF_BOUNDS,
    ],
    refused=REFUSED,
    old=OLD,
    prepare=lambda params: read_window("fn.crop_mirror_normalize", params, required=False),
    keeps_extents=lambda params: not is_cut(params),
    lazy=Lazy(_steps, window_extents, grows=may_grow, one_window=_one_window),
)
def crop_mirror_normalize(
    context: Context, value: BatchValue | ImagesValue, *, output_layout: str, pad_output: bool, **params: Any
) -> ImagesValue:
    """Crops, mirrors left to right, and normalises: `((in - mean) / std) * scale + shift`; DALI's operator.

    Without a window nothing is cut off. `fill_values` are numbers of the output: they are not normalised.
    """
    window = Window.of(params)
    moments = _moments(context, params)
    value = images_of(context, value, moments["dtype"])
    # Each pixel alone, so that it may come first, and what lies outside of an image is not normalised.
    value = value.then(value.images.normalize(**moments))
    channels = value.images.channels
    count = 1 << (channels - 1).bit_length() if pad_output else channels
    added: Any = 0.0  # as in DALI: fill where windows are padded, else 0
    if window is not None:
        if window.policy == "pad":
            if len(window.fill) not in (1, count):
                raise ConfigError(
                    f"fill_values are {window.fill} for {count} channels of the output; expected 1 or {count}."
                )
            added = np.asarray(window.fill, np.float32)
            window = dataclasses.replace(window, fill=window.fill[:channels])
        value = window.cut(context, value, params)
    images = value.images.flip(params["mirror"])
    if pad_output:
        images = images.pad_channels(count, added)
    return value.then(images.to_layout(output_layout))
