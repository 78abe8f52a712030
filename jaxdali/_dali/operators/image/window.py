"""Cuts a window out of each image, placed at a fraction of the remaining space."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, MutableParams, Params
from ..argument_kinds import EXTENT, EXTENTS, FILL, Kind, choice
from ..declaration import Old, Only, Param, PerSample, Static
from ..image_extents import Bound, Extents, limits_of
from ..values import Context, ImagesValue

__all__ = [
    "CROP",
    "OLD",
    "OUT_OF_BOUNDS",
    "REFUSED",
    "WINDOW",
    "Window",
    "is_cut",
    "is_inside",
    "limited",
    "may_grow",
    "read_window",
    "unlimited_windows",
    "window_extents",
]

REFUSED = {
    "crop_d": Only(0, "images have two dimensions"),
    "crop_pos_z": Only(0.5, "images have two dimensions"),
}

OLD = {"output_dtype": Old(now="dtype"), "image_type": Old()}


def _pair(word: str, value: object) -> tuple[float, ...]:
    """Reads (height, width), or one number for both; below 1 they stand for a whole axis."""
    several = isinstance(value, tuple | list) or (isinstance(value, np.ndarray) and value.ndim == 1)
    entries: list[Any] = list(value) if several else [value]  # type: ignore[call-overload]
    numbers = [isinstance(one, int | float | np.number) and not isinstance(one, bool) for one in entries]
    whole = [number and 0 <= one < 1 for number, one in zip(numbers, entries, strict=True)]
    found = [1 if one else entry for one, entry in zip(whole, entries, strict=True)]
    pair = EXTENTS.read(word, found if several else found[0])
    return tuple(0.0 if one else extent for one, extent in zip(whole * 2, pair, strict=False))


def _crop(word: str, value: object) -> tuple[float, ...]:
    """Reads (depth, height, width), or (height, width)."""
    if isinstance(value, tuple | list) and len(value) == 3 and not any(isinstance(one, DataNode) for one in value):
        depth, *rest = value
        return _pair(word, depth)[:1] + _pair(word, rest)
    return _pair(word, value)


CROP = PerSample(
    "crop",
    None,
    "(height, width) of the window, or one number for both; for volumes (depth, height, width) and for sequences "
    "(frames, height, width), otherwise they keep their depth or frames. Fractions are cut off. A number below 1 selects "
    "the whole axis",
    Kind("float | Sequence[float]", _crop, (4, (4, 3))),
)

WINDOW: tuple[Param, ...] = (
    PerSample(
        "crop",
        None,
        "(height, width) of the window, or one number for both. Fractions are cut off. A number below 1 selects "
        "the whole axis",
        Kind("float | Sequence[float]", _pair, (4, (4, 3))),
    ),
    PerSample(
        "crop_h", None, "height of the window; together with `crop_w`, instead of `crop`; 0: that of the image", EXTENT
    ),
    PerSample("crop_w", None, "width of the window; 0: that of the image", EXTENT),
    PerSample("crop_pos_x", 0.5, "horizontal position of the window in the free space, 0 (left) to 1 (right)"),
    PerSample("crop_pos_y", 0.5, "vertical position of the window in the free space, 0 (top) to 1 (bottom)"),
    Static(
        "rounding",
        choice("round", "truncate"),
        "round",
        "how the corner of the window is rounded; `round` rounds halves away from zero",
    ),
)

OUT_OF_BOUNDS: tuple[Param, ...] = (
    Static(
        "out_of_bounds_policy",
        choice("error", "pad", "constant", "trim_to_shape", any_case=True),
        "error",
        'what happens if a window exceeds its image. "error": a SourceDataError when the batch is handed out; "pad" '
        'or "constant": the outside is filled with `fill_values`; "trim_to_shape": the window is cut to the image, so'
        " that sizes differ",
    ),
    Static("fill_values", FILL, (0.0,), "level outside of an image: one number, or one per channel"),
)


# Larger than any image, but small enough for exact arithmetic on positions.
_MOST = (1 << 18) - 1
_ADVICE = (
    "what is outside of images is filled in windows of sizes whose largest value is known beforehand, and below 2**18, "
    "such as fn.random.uniform(range=)"
)


def read_window(display_name: str, params: MutableParams) -> MutableParams:
    """Returns the parameters with the size as `crop`, however it was given, if it is known.

    Raises:
        ConfigError: both forms are given, or half of one.
    """
    pair = {name: params[name] for name in ("crop_h", "crop_w")}
    if lacking := [name for name, extent in pair.items() if extent is None]:
        if len(lacking) == 1 and params["crop"] is None:
            raise ConfigError(
                f"{display_name} got one of crop_h= and crop_w= only; give {lacking[0]}=, too, or 0 for the whole axis, or "
                "crop="
            )
        pair.update(dict.fromkeys(lacking, 0.0))
    found = {**params, **pair}
    depth = params.get("crop_d", 0.0)
    if (isinstance(depth, DataNode) or depth) and not all(isinstance(one, DataNode) or one for one in pair.values()):
        raise ConfigError(
            f"{display_name}(crop_d=) belongs to crop_h= and crop_w=; give those, or three numbers as crop="
        )
    given = [name for name, extent in pair.items() if isinstance(extent, DataNode) or extent]
    if given:
        if params["crop"] is not None:
            raise ConfigError(f"{display_name} got both crop= and crop_h= or crop_w=; give one of them")
        if any(isinstance(extent, DataNode) for extent in (*pair.values(), depth)):
            for name, extent in pair.items():
                if not isinstance(extent, DataNode) and extent < 1:
                    raise ConfigError(
                        f"{display_name}({name}=) goes with {given[0]}= and must be at least 1; got {extent:g}"
                    )
        else:
            extents = (depth, *pair.values()) if depth else tuple(pair.values())
            found["crop"] = _crop(f"{display_name}(crop_h=, crop_w=)", extents)
            found.update({name: 0.0 for name in (*pair, "crop_d") if name in found})
    if found.get("out_of_bounds_policy") == "constant":
        found["out_of_bounds_policy"] = "pad"  # DALI's other name
    return found


def is_inside(params: Params) -> bool:
    """Whether windows must be within their images."""
    return params["out_of_bounds_policy"] == "error"


def limited(params: Params) -> bool:
    """Whether the largest window is known beforehand."""
    window = Window.of(params)
    return window is None or None not in [
        _limits(extent) for extent in window.asked if not (isinstance(extent, DataNode) and extent.measured is not None)
    ]


def is_cut(params: Params) -> bool:
    """Whether there is a window."""
    return _asked(params) is not None


def may_grow(params: Params) -> bool:
    """The `Lazy.grows` of an operator with windows; windows of one size need not be reported."""
    window = Window.of(params)
    return window is not None and window.policy == "pad" and window.size is None


def window_extents(params: Params, extents: Extents) -> Extents:
    """Returns the extents of windows, for images of these extents."""
    window = Window.of(params)
    if window is None:
        return extents
    if window.size is not None and window.policy != "trim_to_shape":
        return Extents.of_size(*window.size)
    if any(isinstance(extent, DataNode) and extent.measured is not None for extent in window.asked):
        return Extents(bound=extents.then(_measured_bound(window)), exact=False, loose=True, advice=_ADVICE)
    limits = [_limits(extent) for extent in window.asked]
    if window.policy == "pad" and None in limits:
        return Extents(bound=None, exact=False, advice=_ADVICE)
    # An axis that a window may take as a whole, or whose window has no limit, is bounded by the image.
    least, most = np.asarray([[limit or (0, _MOST) for limit in limits]], np.int64).transpose(2, 0, 1)
    is_open = least < 1

    def bound(found: np.ndarray) -> np.ndarray:
        if window.policy == "pad":
            return np.where(is_open, np.maximum(found, most), most)
        return np.where(is_open, found, np.minimum(found, most))

    cut = extents.within(bound, exact=window.size is not None)
    if cut.most is None and not is_open.any():
        height, width = most[0].tolist()
        cut = dataclasses.replace(cut, most=(height, width))
    return cut


def unlimited_windows(params: Params, _inputs: object = ()) -> list[DataNode]:
    """The `Operator.sized` of an operator with windows: only padded windows keep the requested size."""
    window = Window.of(params)
    if window is None or window.policy != "pad":
        return []
    nodes = dict.fromkeys(extent for extent in window.asked if isinstance(extent, DataNode))
    return [node for node in nodes if _limits(node) is None]


def _measured_bound(window: Window) -> Bound:
    def bound(found: np.ndarray) -> np.ndarray:
        most = [limits[1] for extent in window.asked if (limits := _limits(extent)) is not None]
        return np.maximum(found, np.asarray([most], np.int64))

    return bound


def _asked(params: Params) -> tuple[Any, Any] | None:
    """Returns height and width of windows, each a number, a node, or its values `[N]`; None if there are no windows.

    Raises:
        GraphError: a node has more numbers per sample.
    """
    crop = params["crop"]
    if crop is None:
        pair = tuple(_column(name, params[name], 1, 0) for name in ("crop_h", "crop_w"))
        return None if all(isinstance(extent, float) and not extent for extent in pair) else pair
    if isinstance(crop, tuple):
        return crop[-2], crop[-1]
    if not isinstance(crop, DataNode) and crop.ndim == 2 and crop.shape[1] == 3:
        crop = crop[:, 1:]  # the first one is the depth of volumes
    return _column("crop", crop, 2, 0), _column("crop", crop, 2, 1)


def _column(name: str, value: Any, most: int, index: int) -> Any:
    if isinstance(value, float | DataNode) or value.ndim == 1:
        return value
    if value.ndim != 2 or not 1 <= value.shape[1] <= most:
        wanted = "a number" if most == 1 else "(height, width), or a number for both,"
        raise GraphError(f"{name}= expects {wanted} per sample, got samples of shape {list(value.shape[1:])}")
    return value[:, min(index, value.shape[1] - 1)]


def _limits(extent: Any) -> tuple[int, int] | None:
    """Returns the (least, largest) requested number of pixels; None if the largest is not known beforehand."""
    if not isinstance(extent, DataNode):
        return int(extent), int(extent)
    limits = limits_of(extent)
    if limits is None or not all(map(math.isfinite, limits)) or limits[1] > _MOST:
        return None
    return max(int(limits[0]), 0), max(int(limits[1]), 0)


@dataclasses.dataclass(frozen=True, eq=False)
class Window:
    """The window of a call.

    Attributes:
        asked: height and width, each a number, a node, or the node's values, one per sample.
        policy: "error", "pad" or "trim_to_shape".
        fill: the value outside of images.
    """

    asked: tuple[Any, Any]
    rounding: str
    policy: str
    fill: tuple[float, ...]

    @classmethod
    def of(cls, params: Params) -> Window | None:
        """Reads the parameters of a call; returns None if images are not cut."""
        asked = _asked(params)
        if asked is None:
            return None
        policy, fill = params.get("out_of_bounds_policy", "error"), params.get("fill_values", (0.0,))
        return cls(asked, params["rounding"], policy, fill)

    @property
    def size(self) -> tuple[int, int] | None:
        """(height, width) of all windows; None if they may differ."""
        height, width = self.asked
        known = isinstance(height, float) and isinstance(width, float) and min(height, width) >= 1
        return (int(height), int(width)) if known else None

    @property
    def step(self) -> str:
        """The name of this step in a recipe."""
        return "pad_cut" if self.policy == "pad" else "cut"

    def cut(self, context: Context, value: ImagesValue, params: Params) -> ImagesValue:
        """Cuts the windows of images."""
        import jax.numpy as jnp

        from jaxdali._device.image.geometry import crop_anchor

        images = value.images
        extents = jnp.asarray(images.extents)
        wanted = self.size or self._wanted(extents)
        anchor = crop_anchor(extents, wanted, (params["crop_pos_y"], params["crop_pos_x"]), self.rounding)
        size = jnp.broadcast_to(jnp.asarray(wanted, jnp.int32), anchor.shape)
        if self.policy == "pad":
            self.check_fill(context, images.channels)
            fill = self.fill[0] if len(self.fill) == 1 else np.asarray(self.fill, np.float32)
            return value.then(images.pad_cut(jnp.concatenate([anchor, size], axis=1), self.size, fill))
        start = jnp.clip(anchor, 0, extents)
        inside = jnp.concatenate([start, jnp.clip(anchor + size, 0, extents) - start], axis=1)
        if self.policy == "trim_to_shape":
            return value.then(images.cut(inside))
        window = "its window" if self.size is None else f"the window {self.size}"
        context.require(
            (anchor >= 0).all(axis=1),
            f"Slice can't be placed out of bounds with current policy: an image is smaller than {window} of "
            f"{context.call.operator.display_name}; resize it first, or give out_of_bounds_policy=",
        )
        # A window that does not fit is reported; it is cut to the image, so that the image itself does not fail.
        return value.then(images.cut(inside, self.size))

    def check_fill(self, context: Context, channels: int) -> None:
        """Raises GraphError if there are neither as many fill values as channels, nor one."""
        if len(self.fill) not in (1, channels):
            raise GraphError(
                f"fill_values= of {context.call.operator.display_name} has {len(self.fill)} numbers for {channels} "
                "channels; give "
                "one, or one for each"
            )

    def _wanted(self, extents: Any) -> Any:
        """Returns int32[N, 2], height and width of each window."""
        import jax.numpy as jnp

        columns = []
        for axis, extent in enumerate(self.asked):
            number = jnp.asarray(extent, jnp.float32)
            given = number >= 1  # false for NaN
            pixels = jnp.where(given, jnp.minimum(number, _MOST), 0).astype(jnp.int32)
            columns.append(jnp.where(given, pixels, extents[:, axis]))
        return jnp.stack(columns, axis=1)
