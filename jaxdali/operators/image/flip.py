"""Mirrors images."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...graph.call import DataNode
from ..inputs import IMAGES
from ..lazy import Lazy
from ..record import Only, PerSample, operator
from ..values import BatchValue, Context, ImagesValue, images_of

__all__ = ["flip"]


def _one_window(stage: str, params: Mapping[str, Any]) -> bool:
    vertical = params["vertical"]
    return stage != "window" and not isinstance(vertical, DataNode) and not vertical


@operator(
    "flip",
    inputs=[IMAGES],
    params=[
        PerSample("horizontal", 1, "mirrors left to right where it is not 0"),
        PerSample("vertical", 0, "mirrors top to bottom where it is not 0"),
    ],
    refused={"depthwise": Only(0, "images have two dimensions")},
    keeps_extents=True,
    lazy=Lazy(lambda _params: ("flip",), one_window=_one_window),
)
def flip(context: Context, value: BatchValue | ImagesValue, *, horizontal: Any, vertical: Any) -> ImagesValue:
    """Mirrors images left to right (`horizontal`), top to bottom (`vertical`), or both; DALI's `fn.flip`."""
    images = images_of(context, value)
    return images.then(images.images.flip(horizontal, vertical))
