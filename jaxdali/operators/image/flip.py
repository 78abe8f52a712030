"""Mirrors images."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...graph.call import DataNode
from ..inputs import IMAGES
from ..record import Only, PerSample, operator
from ..undecoded import Planned, Step, Undecoded
from ..values import BatchValue, Context

__all__ = ["flip"]


def _step(params: Mapping[str, Any]) -> Step:
    vertical = params["vertical"]

    def plan(planned: Planned) -> Planned | None:
        fits = planned.extent is not None and not isinstance(vertical, DataNode) and not vertical
        return Planned(planned.extent, resampled=True) if fits else None

    def apply(_context: Context, images: Undecoded, given: Mapping[str, Any]) -> Undecoded:
        return images.mirror(given["horizontal"]).resize()

    return Step(plan, apply)


@operator(
    "flip",
    inputs=[IMAGES],
    params=[
        PerSample("horizontal", 1, "mirrors left to right where it is not 0"),
        PerSample("vertical", 0, "mirrors top to bottom where it is not 0"),
    ],
    refused={"depthwise": Only(0, "images have two dimensions")},
    keeps_extents=True,
    step=_step,
)
def flip(context: Context, value: BatchValue, *, horizontal: Any, vertical: Any) -> BatchValue:
    """Mirrors images left to right (`horizontal`), top to bottom (`vertical`), or both; DALI's `fn.flip`."""
    from ...image import flip as compute

    images = value.images(context)
    return BatchValue(compute(images, horizontal, vertical, value.shapes), value.shapes, "HWC")
