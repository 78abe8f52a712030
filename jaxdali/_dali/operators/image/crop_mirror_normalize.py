"""Crops, mirrors and normalises."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.dtypes import FLOAT
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, MutableParams, Params
from ..argument_kinds import DTYPE, FLAG, NUMBER, NUMBERS, choice, numpy_dtype
from ..declaration import Operator, PerSample, Static, operator
from ..lazy import Lazy
from ..operator_inputs import IMAGES, assuming
from ..tensor.transpose import transpose
from ..values import BatchValue, Context, ImagesValue, images_of
from .pixelwise import recipe_dtype, within_extents
from .volume_operators import DEPTH, counts_frames, cut_volumes, is_volumes
from .window import (
    CROP,
    OLD,
    OUT_OF_BOUNDS,
    WINDOW,
    Window,
    is_cut,
    may_grow,
    read_window,
    unlimited_windows,
    window_extents,
)

__all__ = ["crop_mirror_normalize"]


_LAYOUTS = ("CHW", "HWC", "FCHW", "FHWC", "CDHW", "DHWC", "FCDHW", "FDHWC")


def _channels_first(layout: str) -> bool:
    return not layout.endswith("C")


def _moments(context: Context, params: Params) -> MutableParams:
    written = context.call.params
    # No numbers mean the default, as in DALI.
    empty = [name for name in ("mean", "std") if isinstance(written[name], tuple) and not written[name]]
    params = {**params, **{name: {"mean": 0.0, "std": 1.0}[name] for name in empty}}
    # A node's values, one per sample, are [N]; the pure function would take them as one per channel.
    own = {
        name: params[name][:, None] if isinstance(written[name], DataNode) and params[name].ndim == 1 else params[name]
        for name in ("mean", "std")
    }
    return {**own, "scale": params["scale"], "shift": params["shift"], "dtype": numpy_dtype(params["dtype"])}


def _steps(params: Params) -> Sequence[str] | None:
    if not recipe_dtype(params):
        return None
    window = Window.of(params)
    cut = () if window is None else (window.step,)
    finish = ("pixels",) if params["pad_output"] else ()
    return ("pixels", *cut, "flip", *finish, *(("to_layout",) if _channels_first(params["output_layout"]) else ()))


def _one_window(stage: str, params: Params) -> bool:
    return stage != "window" and not is_cut(params) and not params["pad_output"]


class _CropMirrorNormalize(Operator):
    def add_to_graph(self, inputs: Sequence[object], arguments: Params) -> DataNode | None:
        """Adds a transposition for axes in another order, such as CFHW."""
        layout = arguments.get("output_layout")
        if isinstance(layout, str) and layout not in _LAYOUTS:
            usual = next((one for one in _LAYOUTS if sorted(one) == sorted(layout)), None)
            if usual is not None:
                found = super().add_to_graph(inputs, {**arguments, "output_layout": usual})
                return transpose(found, perm=[usual.index(axis) for axis in layout])
        return super().add_to_graph(inputs, arguments)


@operator(
    "crop_mirror_normalize",
    kind=_CropMirrorNormalize,
    inputs=[assuming(IMAGES, "HWC", "DHWC", "FDHWC")],
    params=[
        CROP,
        *WINDOW[1:],
        *DEPTH,
        PerSample("mirror", 0, "mirror left to right if not 0"),
        PerSample("mean", 0.0, "a number, or one per channel", NUMBERS),
        PerSample("std", 1.0, "a number, or one per channel", NUMBERS),
        Static("scale", NUMBER, 1.0, "factor after the division by `std`"),
        Static("shift", NUMBER, 0.0, "added last"),
        Static("dtype", DTYPE, FLOAT, "that of the output; integers are rounded half away from zero and saturated"),
        Static(
            "output_layout",
            choice(*_LAYOUTS),
            "CHW",
            "that of the output; for sequences and volumes one letter for each of their axes, such as FCHW. If the "
            "axes have another order, such as CFHW, the result is transposed",
        ),
        Static(
            "pad_output",
            FLAG,
            False,
            "add channels until their number is a power of two: filled with the last of `fill_values` for padded "
            "windows, else with 0",
        ),
        *OUT_OF_BOUNDS,
    ],
    old=OLD,
    prepare=lambda params: read_window("fn.crop_mirror_normalize", params),
    keeps_extents=lambda params: not is_cut(params),
    lazy=Lazy(_steps, window_extents, grows=may_grow, one_window=_one_window, counts_frames=counts_frames),
    sized=unlimited_windows,
)
def crop_mirror_normalize(
    context: Context, value: BatchValue | ImagesValue, *, output_layout: str, pad_output: bool, **params: object
) -> BatchValue | ImagesValue:
    """Crops, mirrors left to right, and normalises; DALI's operator.

    `out = (in - mean) / std * scale + shift`. Without a window nothing is cropped. `fill_values` are numbers of the output:
    they are not normalised.
    """
    window = Window.of(params)
    moments = _moments(context, params)
    wanted = _axes(value)
    if set(output_layout) != set(wanted):
        raise GraphError(
            f"output_layout={output_layout!r} of fn.crop_mirror_normalize must have the axes of its input, {wanted}"
        )
    if is_volumes(value):
        assert isinstance(value, BatchValue)
        return _of_volumes(context, value, window, moments, output_layout, pad_output, params)
    value = images_of(context, value, moments["dtype"])
    # This step works on each pixel alone, so it may come first; then what is outside of an image is not normalised.
    value = value.then(value.images.standardize(**moments))
    channels = value.images.channels
    count = 1 << (channels - 1).bit_length() if pad_output else channels
    window, added = _fill_of_channels(window, moments, channels, count)
    value = value if window is None else window.cut(context, value, params)
    images = value.images.flip(params["mirror"])
    if pad_output:
        images = images.pad_channels(count, added)
    value = value.then(images.to_layout("CHW" if _channels_first(output_layout) else "HWC"))
    return dataclasses.replace(value, form=value.form and value.form.with_layout(output_layout))


def _fill_of_channels(window: Window | None, moments: Params, channels: int, count: int) -> tuple[Window | None, Any]:
    """Returns the window with a fill value for each of the input's channels, and the values of those that are added, up to
    `count`: as in DALI, the fill values if windows are padded, else 0. Beside a mean or std of each channel, values that
    are left out are 0, too.

    Raises:
        ConfigError: windows are padded, and the number of fill values is neither 1 nor that of the output's channels.
    """
    if window is None or window.policy != "pad":
        return window, 0.0
    fill = window.fill
    if 1 < len(fill) < count and any(np.shape(moments[name])[-1:] == (channels,) for name in ("mean", "std")):
        fill = (*fill, *[0.0] * (count - len(fill)))
    if len(fill) not in (1, count):
        raise ConfigError(f"fill_values are {fill} for {count} channels of the output; expected 1 or {count}.")
    return dataclasses.replace(window, fill=fill[:channels]), np.asarray(fill, np.float32)


def _axes(value: BatchValue | ImagesValue) -> str:
    """Returns the axes of samples, with channels last."""
    form = value.form
    if form is not None and form.depth == "F":
        return "FHWC"
    return ("F" if form is not None and form.frames is not None else "") + ("DHWC" if is_volumes(value) else "HWC")


def _of_volumes(
    context: Context,
    value: BatchValue,
    window: Window | None,
    moments: Params,
    output_layout: str,
    pad_output: bool,
    params: Params,
) -> BatchValue:
    import jax.numpy as jnp

    from jaxdali._device.image.convert import round_to_dtype
    from jaxdali._device.image.image_normalize import normalize
    from jaxdali._device.image.image_volumes import flip_volumes

    def normalized(value: BatchValue) -> BatchValue:
        samples, depth, height, width, channels = value.data.shape
        flat = normalize(value.data.reshape(samples, depth * height, width, channels), **moments)
        return within_extents(value, flat.reshape(value.data.shape))

    value_form, channels = value.form, value.data.shape[-1]
    count = 1 << (channels - 1).bit_length() if pad_output else channels
    window, added = _fill_of_channels(window, moments, channels, count)
    if window is not None:
        fill = round_to_dtype(np.asarray(window.fill, np.float32), moments["dtype"])
        # What is outside of volumes is not normalised.
        value = normalized(value) if window.policy == "pad" else value
        value = cut_volumes(context, value, window, params, fill)
    if window is None or window.policy != "pad":
        value = normalized(value)
    data, shapes = flip_volumes(value.data, params["mirror"], shapes=value.shapes), value.shapes
    more = count - channels
    if more:
        last = round_to_dtype(np.ravel(added)[-1].astype(np.float32), data.dtype)
        data = jnp.pad(data, (*[(0, 0)] * 4, (0, more)), constant_values=last)
        shapes = None if shapes is None else shapes.at[:, 3].add(more)
        value = within_extents(BatchValue(data, shapes, "DHWC"), data)
        data = value.data
    if value_form is not None and value_form.depth == "F":
        return BatchValue(data, shapes, "DHWC", form=value_form.with_layout(output_layout.replace("F", "D")))
    form = value_form and value_form.with_layout(output_layout)
    if not _channels_first(output_layout):
        return BatchValue(data, shapes, "DHWC", form=form)
    shapes = None if shapes is None else shapes[:, jnp.asarray((3, 0, 1, 2))]
    return BatchValue(data.transpose(0, 4, 1, 2, 3), shapes, "CDHW", form=form)
