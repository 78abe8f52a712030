"""A window of one size, placed at a fraction of what is left over of each image."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from ...errors import ConfigError
from ..kinds import EXTENT, EXTENTS, choice
from ..record import Only, Param, PerSample, Static
from ..undecoded import Planned, Undecoded
from ..values import BatchValue, Context

__all__ = ["REFUSED", "WINDOW", "Window", "read_window"]

REFUSED = {
    "fill_values": Only(0.0, "windows lie inside of their image"),
    "out_of_bounds_policy": Only("error", "resize first, so that the window fits"),
    "crop_d": Only(0, "images have two dimensions"),
    "crop_pos_z": Only(0.5, "images have two dimensions"),
}

WINDOW: tuple[Param, ...] = (
    Static("crop", EXTENTS, None, "(height, width) of the window, or one number for both; fractions are cut off"),
    Static("crop_h", EXTENT, 0.0, "height of the window, with `crop_w` in place of `crop`"),
    Static("crop_w", EXTENT, 0.0, "width of the window"),
    PerSample("crop_pos_x", 0.5, "where the window lies in what is left over from left to right, 0 to 1"),
    PerSample("crop_pos_y", 0.5, "likewise from top to bottom"),
    Static("rounding", choice("round", "truncate"), "round", "of the window's corner; `round` is half away from zero"),
)


def read_window(spoken: str, params: dict[str, Any], *, required: bool) -> dict[str, Any]:
    """The size as `crop`, however it was given.

    Raises:
        ConfigError: both forms, or none where one is required.
    """
    pair = (params["crop_h"], params["crop_w"])
    crop = params["crop"]
    if any(pair):
        if crop is not None:
            raise ConfigError(f"{spoken} got both crop= and crop_h= or crop_w=; give one of them")
        crop = EXTENTS.read(f"{spoken}(crop_h=, crop_w=)", pair)
    if crop is None and required:
        EXTENTS.read(f"{spoken}(crop=)", None)
    return {**params, "crop": crop, "crop_h": 0.0, "crop_w": 0.0}


@dataclasses.dataclass(frozen=True)
class Window:
    """The window of a call.

    Attributes:
        size: (height, width).
    """

    size: tuple[int, int]
    rounding: str

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> Window | None:
        """None: the images are not cut."""
        if params["crop"] is None:
            return None
        height, width = params["crop"]
        return cls((int(height), int(width)), params["rounding"])

    def anchor(self, context: Context, shapes: Any, params: Mapping[str, Any]) -> Any:
        """int32[N, 2], where the window lies in each image; negative where it does not fit."""
        from ...image import crop_anchor

        anchor = crop_anchor(shapes, self.size, (params["crop_pos_y"], params["crop_pos_x"]), self.rounding)
        context.require(
            (anchor >= 0).all(axis=1),
            f"Slice can't be placed out of bounds with current policy: an image is smaller than the window {self.size} of "
            f"{context.call.operator.spoken}; resize it first",
        )
        return anchor

    def cut(self, context: Context, value: BatchValue, params: Mapping[str, Any]) -> Any:
        """The windows of images that are decoded."""
        import jax.numpy as jnp

        from ... import image

        height, width = self.size
        images = value.images(context)
        anchor = self.anchor(context, value.image_shapes(), params)
        if height <= images.shape[1] and width <= images.shape[2]:
            return image.crop(images, anchor, self.size, value.shapes)
        # What is required above holds for no image, so that nobody sees these.
        return jnp.zeros((images.shape[0], *self.size, images.shape[3]), images.dtype)

    def plan(self, planned: Planned) -> Planned | None:
        """The window of images that are not decoded yet, as `Step.plan`."""
        if planned.resampled:
            return planned if planned.extent == self.size else None
        return Planned(self.size)

    def narrow(self, context: Context, images: Undecoded, params: Mapping[str, Any]) -> Undecoded:
        """The same, as `Step.apply`."""
        import jax.numpy as jnp

        if images.resampled:
            return images
        anchor = self.anchor(context, images.extents, params)
        size = jnp.broadcast_to(jnp.asarray(self.size, jnp.int32), anchor.shape)
        whole = jnp.concatenate([jnp.zeros_like(size), images.extents], axis=1)
        # Where it does not fit, which is reported, anything that can be decoded will do.
        fits = (anchor >= 0).all(axis=1, keepdims=True)
        return images.cut(jnp.where(fits, jnp.concatenate([anchor, size], axis=1), whole))
