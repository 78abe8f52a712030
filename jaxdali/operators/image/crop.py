"""Cuts a window of one size out of every image."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import types
from ..inputs import IMAGES
from ..kinds import DTYPE, numpy_dtype
from ..record import Static, operator
from ..undecoded import Step
from ..values import BatchValue, Context
from .window import REFUSED, WINDOW, Window, read_window

__all__ = ["crop"]


def _step(params: Mapping[str, Any]) -> Step | None:
    window = Window.of(params)
    assert window is not None
    return Step(window.plan, window.narrow) if params["dtype"] in (None, types.UINT8) else None


@operator(
    "crop",
    inputs=[IMAGES],
    params=[*WINDOW, Static("dtype", DTYPE, None, "of the output; not given: that of the input")],
    refused=REFUSED,
    prepare=lambda params: read_window("fn.crop", params, required=True),
    step=_step,
)
def crop(context: Context, value: BatchValue, *, dtype: Any, **params: Any) -> BatchValue:
    """Cuts a window of one size out of every image; DALI's `fn.crop`."""
    from ...image import round_to_dtype

    window, target = Window.of(params), numpy_dtype(dtype)
    assert window is not None
    images = window.cut(context, value, params)
    return BatchValue(images if target is None else round_to_dtype(images, target), None, "HWC")
