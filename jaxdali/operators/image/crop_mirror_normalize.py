"""Crops, mirrors and normalises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import types
from ...graph.call import DataNode
from ..inputs import IMAGES
from ..kinds import DTYPE, NUMBER, choice, numpy_dtype
from ..record import Only, PerSample, Static, operator
from ..undecoded import Planned, Step, Undecoded
from ..values import BatchValue, Context
from .window import REFUSED, WINDOW, Window, read_window

__all__ = ["crop_mirror_normalize"]


def _moments(context: Context, params: Mapping[str, Any]) -> dict[str, Any]:
    written = context.call.params
    # A node's values, one a sample, are [N]; the pure function would take them for one a channel.
    own = {
        name: params[name][:, None] if isinstance(written[name], DataNode) and params[name].ndim == 1 else params[name]
        for name in ("mean", "std")
    }
    return {**own, "scale": params["scale"], "shift": params["shift"], "dtype": numpy_dtype(params["dtype"])}


def _step(params: Mapping[str, Any]) -> Step:
    window, target = Window.of(params), numpy_dtype(params["dtype"])
    assert target is not None

    def plan(planned: Planned) -> Planned | None:
        cut = planned if window is None else window.plan(planned)
        if cut is None or cut.extent is None or target.itemsize > 4:
            return None
        return Planned(cut.extent, resampled=True, finished=True)

    def apply(context: Context, images: Undecoded, given: Mapping[str, Any]) -> Undecoded:
        if window is not None:
            images = window.narrow(context, images, given)
        images = images.mirror(given["mirror"])
        return images.normalize(**_moments(context, given), layout=given["output_layout"])

    return Step(plan, apply)


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
    ],
    refused={**REFUSED, "pad_output": Only(False, "the number of channels stays")},
    prepare=lambda params: read_window("fn.crop_mirror_normalize", params, required=False),
    keeps_extents=lambda params: params["crop"] is None,
    step=_step,
)
def crop_mirror_normalize(context: Context, value: BatchValue, *, output_layout: str, **params: Any) -> BatchValue:
    """Crops, mirrors left to right, and normalises: `((in - mean) / std) * scale + shift`; DALI's operator.

    Without `crop` nothing is cut off.
    """
    import jax.numpy as jnp

    from ... import image

    window = Window.of(params)
    if window is None:
        images, shapes = value.images(context), value.shapes
    else:
        images, shapes = window.cut(context, value, params), None
    images = image.flip(images, params["mirror"], shapes=shapes)
    images = image.normalize(images, **_moments(context, params), output_layout=output_layout)
    if shapes is not None and output_layout == "CHW":
        shapes = shapes[:, jnp.asarray((2, 0, 1))]
    return BatchValue(images, shapes, output_layout)
