"""Changes the levels of each image in its own way, and sharpens images."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ..argument_kinds import NUMBER, Kind
from ..declaration import PerSample, operator
from ..operator_inputs import IMAGES
from ..values import BatchValue, Context

__all__ = ["levels", "sharpened"]


def _change(word: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer | float) or value != int(value) or value < 0:
        raise ConfigError(f"{word} must be the number of a change of levels, got {value!r:.80}")
    return int(value)


_IMAGES: dict[str, Any] = {"namespace": "", "inputs": [IMAGES], "keeps_extents": True}


@operator(
    "auto_aug.levels",
    display="the change of levels",
    params=[
        PerSample("change", 0, "which change of levels", Kind("int", _change, (8, 1))),
        PerSample("parameter", 0.0, "strength of the change", NUMBER),
    ],
    **_IMAGES,
)
def levels(context: Context, images: BatchValue, *, change: object, parameter: object) -> BatchValue:
    """Changes the levels of each image in its own way."""
    from jaxdali._device.image.level_changes import CHANGES, change_levels

    # Contrast follows from the luminance, which all channels determine.
    by_channel = isinstance(change, int) and CHANGES[change] != "contrast"
    _check(context, images, by_channel)
    return BatchValue(change_levels(images.data, change, parameter, images.shapes), images.shapes, images.layout)


@operator(
    "auto_aug.sharpen",
    display="sharpening",
    params=[PerSample("strength", 0.0, "strength; negative values blur", NUMBER)],
    **_IMAGES,
)
def sharpened(context: Context, images: BatchValue, *, strength: object) -> BatchValue:
    """Sharpens or blurs each image."""
    from jaxdali._device.image.level_changes import sharpen

    _check(context, images, by_channel=True)
    return BatchValue(sharpen(images.data, strength, images.shapes), images.shapes, images.layout)


def _check(context: Context, images: BatchValue, by_channel: bool) -> None:
    images.check_images(context, own_channels=by_channel)
    if images.data.dtype != np.uint8:
        raise GraphError(
            f"automatic augmentation takes images of UINT8, got {images.data.dtype}; augment before a cast"
        )
