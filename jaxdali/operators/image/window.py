"""A window of one size, placed at a fraction of what is left over of each image."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import ConfigError
from ..extents import Extents
from ..kinds import EXTENT, EXTENTS, FILL, choice
from ..record import Only, Param, PerSample, Static
from ..values import Context, ImagesValue

__all__ = ["OUT_OF_BOUNDS", "REFUSED", "WINDOW", "Window", "is_inside", "read_window", "window_extents"]

REFUSED = {
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

OUT_OF_BOUNDS: tuple[Param, ...] = (
    Static(
        "out_of_bounds_policy",
        choice("error", "pad", "constant", "trim_to_shape"),
        "error",
        'what becomes of a window that is larger than its image. "error": a SourceDataError where the batch is handed out; '
        '"pad" or "constant": what lies outside is `fill_values`; "trim_to_shape": it is cut to the image, so that sizes '
        "differ",
    ),
    Static("fill_values", FILL, (0.0,), "what lies outside of an image: a number, or one a channel"),
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
    found = {**params, "crop": crop, "crop_h": 0.0, "crop_w": 0.0}
    if found.get("out_of_bounds_policy") == "constant":
        found["out_of_bounds_policy"] = "pad"  # DALI's other word
    return found


def is_inside(params: Mapping[str, Any]) -> bool:
    """Whether the window has one size, and lies within each image."""
    return params["out_of_bounds_policy"] == "error"


def window_extents(params: Mapping[str, Any], extents: Extents) -> Extents:
    """How large windows are, of images of these extents."""
    window = Window.of(params)
    if window is None:
        return extents
    if window.policy != "trim_to_shape":
        return Extents.of_size(*window.size)
    size = np.asarray([window.size], np.int64)
    return dataclasses.replace(
        extents.within(lambda found: np.minimum(found, size), exact=True),
        most=window.size,
    )


@dataclasses.dataclass(frozen=True)
class Window:
    """The window of a call.

    Attributes:
        size: (height, width).
        policy: "error", "pad" or "trim_to_shape".
        fill: outside of images.
    """

    size: tuple[int, int]
    rounding: str
    policy: str
    fill: tuple[float, ...]

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> Window | None:
        """None: the images are not cut."""
        if params["crop"] is None:
            return None
        height, width = params["crop"]
        policy, fill = params.get("out_of_bounds_policy", "error"), params.get("fill_values", (0.0,))
        return cls((int(height), int(width)), params["rounding"], policy, fill)

    @property
    def step(self) -> str:
        """What it is to a recipe."""
        return "pad_cut" if self.policy == "pad" else "cut"

    def cut(self, context: Context, value: ImagesValue, params: Mapping[str, Any]) -> ImagesValue:
        """The windows of images."""
        import jax.numpy as jnp

        from ...image import crop_anchor

        images = value.images
        extents = jnp.asarray(images.extents)
        anchor = crop_anchor(extents, self.size, (params["crop_pos_y"], params["crop_pos_x"]), self.rounding)
        size = jnp.broadcast_to(jnp.asarray(self.size, jnp.int32), anchor.shape)
        if self.policy == "pad":
            fill = self.fill[0] if len(self.fill) == 1 else np.asarray(self.fill, np.float32)
            return value.then(images.pad_cut(jnp.concatenate([anchor, size], axis=1), self.size, fill))
        start = jnp.clip(anchor, 0, extents)
        inside = jnp.concatenate([start, jnp.clip(anchor + size, 0, extents) - start], axis=1)
        if self.policy == "trim_to_shape":
            return value.then(images.cut(inside))
        context.require(
            (anchor >= 0).all(axis=1),
            f"Slice can't be placed out of bounds with current policy: an image is smaller than the window {self.size} of "
            f"{context.call.operator.spoken}; resize it first, or give out_of_bounds_policy=",
        )
        # Where the window does not fit, which is reported, so much of it that the image does not fail.
        return value.then(images.cut(inside, self.size))
