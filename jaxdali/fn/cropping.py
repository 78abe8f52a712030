"""Operators that cut a window out of each image."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import types
from ..errors import ConfigError
from ..pipeline.fusion import Planned, Step, Undecoded
from ..pipeline.node import DataNode
from ..pipeline.recording import recorded
from ..pipeline.trace import add_operator
from ..pipeline.value import BatchValue
from .arguments import check_numbers, check_unsupported, extents, numpy_dtype, one_of

__all__ = ["crop", "crop_mirror_normalize"]

_CROP: dict[str, tuple[Any, str]] = {
    "fill_values": (0.0, "windows lie inside of their image"),
    "out_of_bounds_policy": ("error", "resize first, so that the window fits"),
    "crop_d": (0, "images have two dimensions"),
    "crop_pos_z": (0.5, "images have two dimensions"),
}

_NORMALIZE: dict[str, tuple[Any, str]] = {**_CROP, "pad_output": (False, "the number of channels stays")}

_CROP_ARGUMENTS = ("crop", "crop_h", "crop_w", "crop_pos_x", "crop_pos_y", "rounding", "dtype", "device", "name")
_NORMALIZE_ARGUMENTS = (*_CROP_ARGUMENTS, "mirror", "mean", "std", "scale", "shift", "output_layout")


@dataclasses.dataclass(frozen=True)
class _Window:
    """A window of one size, placed at a fraction of the free space by the arguments crop_pos_x and crop_pos_y."""

    kind: str
    size: tuple[int, int]
    rounding: str

    @classmethod
    def of(
        cls, kind: str, crop: Any, crop_h: float, crop_w: float, rounding: str, *, required: bool = True
    ) -> _Window | None:
        """None: there is no window.

        Raises:
            ConfigError: both forms of the size, none where one is required, or another `rounding`.
        """
        one_of(kind, "rounding", rounding, ("round", "truncate"))
        if crop_h or crop_w:
            if crop is not None:
                raise ConfigError(f"fn.{kind} got both crop= and crop_h= or crop_w=; give one of them")
            crop = (crop_h, crop_w)
        if crop is None and not required:
            return None
        height, width = extents(kind, "crop", crop)
        return cls(kind, (int(height), int(width)), rounding)

    def anchor(self, context: Any, shapes: Any, given: dict[str, Any]) -> Any:
        """int32[N, 2], where the window lies in each image; negative where it does not fit."""
        from ..image import crop_anchor

        anchor = crop_anchor(shapes, self.size, (given["crop_pos_y"], given["crop_pos_x"]), self.rounding)
        context.require(
            (anchor >= 0).all(axis=1),
            f"Slice can't be placed out of bounds with current policy: an image is smaller than the window {self.size} of "
            f"fn.{self.kind}; resize it first",
        )
        return anchor

    def cut(self, context: Any, value: BatchValue, given: dict[str, Any]) -> Any:
        """The windows of images that are decoded."""
        import jax.numpy as jnp

        from .. import image

        height, width = self.size
        images = value.images(self.kind, context)
        anchor = self.anchor(context, value.image_shapes(), given)
        if height <= images.shape[1] and width <= images.shape[2]:
            return image.crop(images, anchor, self.size, value.shapes)
        # What is required above holds for no image, so that nobody sees these.
        return jnp.zeros((images.shape[0], *self.size, images.shape[3]), images.dtype)

    def plan(self, planned: Planned) -> Planned | None:
        """The window of images that are not decoded yet, as `Step.plan`."""
        if planned.resampled:
            return planned if planned.extent == self.size else None
        return Planned(self.size)

    def narrow(self, context: Any, images: Undecoded, given: dict[str, Any]) -> Undecoded:
        """The same, as `Step.apply`."""
        import jax.numpy as jnp

        if images.resampled:
            return images
        anchor = self.anchor(context, images.extents, given)
        size = jnp.broadcast_to(jnp.asarray(self.size, jnp.int32), anchor.shape)
        whole = jnp.concatenate([jnp.zeros_like(size), images.extents], axis=1)
        # Where it does not fit, which is reported, anything that can be decoded will do.
        fits = (anchor >= 0).all(axis=1, keepdims=True)
        return images.cut(jnp.where(fits, jnp.concatenate([anchor, size], axis=1), whole))


@recorded("fn.crop")
def crop(
    data: DataNode,
    *,
    crop: float | Sequence[float] | None = None,
    crop_h: float = 0,
    crop_w: float = 0,
    crop_pos_x: float | DataNode = 0.5,
    crop_pos_y: float | DataNode = 0.5,
    rounding: str = "round",
    dtype: types.DALIDataType | None = None,
    device: str | None = None,
    name: str | None = None,
    **dali: Any,
) -> DataNode:
    """Cuts a window of one size out of every image; DALI's `fn.crop`.

    Args:
        data: images, layout "HWC".
        crop: (height, width) of the window, or one number; or give `crop_h` and `crop_w`. Fractions are cut off.
        crop_pos_x, crop_pos_y: where the window lies in what is left over, 0 to 1; numbers, or nodes.
        rounding: of the window's corner, "round" (half away from zero) or "truncate".
        dtype: of the output; not given: that of the input.
        dali: DALI's other arguments, with the values that describe how it is done here; others are refused.

    Raises:
        ConfigError: an argument cannot be honoured, or no size is given.
    """
    check_unsupported("crop", dali, _CROP, _CROP_ARGUMENTS)
    window = _Window.of("crop", crop, crop_h, crop_w, rounding)
    assert window is not None
    arguments = {"crop_pos_x": crop_pos_x, "crop_pos_y": crop_pos_y}
    check_numbers("crop", arguments)
    target = numpy_dtype(dtype)

    def evaluate(context: Any, inputs: list[BatchValue], given: dict[str, Any]) -> BatchValue:
        from ..image import round_to_dtype

        (value,) = inputs
        images = window.cut(context, value, given)
        return BatchValue(images if target is None else round_to_dtype(images, target), None, "HWC")

    settings = Step(window.plan, window.narrow) if target in (None, np.dtype("uint8")) else None
    operator = add_operator("crop", evaluate, [data], arguments, device=device, name=name, settings=settings)
    return operator.node()


@recorded("fn.crop_mirror_normalize")
def crop_mirror_normalize(
    data: DataNode,
    *,
    crop: float | Sequence[float] | None = None,
    crop_h: float = 0,
    crop_w: float = 0,
    crop_pos_x: float | DataNode = 0.5,
    crop_pos_y: float | DataNode = 0.5,
    mirror: int | DataNode = 0,
    mean: float | Sequence[float] | DataNode = 0.0,
    std: float | Sequence[float] | DataNode = 1.0,
    scale: float = 1.0,
    shift: float = 0.0,
    dtype: types.DALIDataType = types.FLOAT,
    output_layout: str = "CHW",
    rounding: str = "round",
    device: str | None = None,
    name: str | None = None,
    **dali: Any,
) -> DataNode:
    """Crops, mirrors left to right, and normalises: `((in - mean) / std) * scale + shift`; DALI's operator.

    Args:
        data: images, layout "HWC".
        crop: (height, width) of the window, or one number; or give `crop_h` and `crop_w`. Fractions are cut off. Not
            given: no cropping.
        crop_pos_x, crop_pos_y: where the window lies in what is left over, 0 to 1; numbers, or nodes.
        mirror: 0 or 1; a number, or a node with one a sample.
        mean, std: a number, one a channel, or a node with one a sample.
        dtype: of the output; integers are rounded half away from zero and saturated.
        output_layout: "CHW" or "HWC".
        rounding: of the window's corner, "round" (half away from zero) or "truncate".
        dali: DALI's other arguments, with the values that describe how it is done here; others are refused.
    """
    check_unsupported("crop_mirror_normalize", dali, _NORMALIZE, _NORMALIZE_ARGUMENTS)
    one_of("crop_mirror_normalize", "output_layout", output_layout, ("CHW", "HWC"))
    target = numpy_dtype(dtype)
    if target is None:
        raise ConfigError(
            "fn.crop_mirror_normalize(dtype=) must be one of jaxdali.types, such as types.FLOAT; got None"
        )
    window = _Window.of("crop_mirror_normalize", crop, crop_h, crop_w, rounding, required=False)
    check_numbers("crop_mirror_normalize", {"scale": scale, "shift": shift})
    arguments = {"crop_pos_x": crop_pos_x, "crop_pos_y": crop_pos_y, "mirror": mirror, "mean": mean, "std": std}
    check_numbers("crop_mirror_normalize", arguments)

    def moments(given: dict[str, Any]) -> dict[str, Any]:
        # A node's values, one a sample, are [N]; the pure function would take them for one a channel.
        own = {
            name: given[name][:, None]
            if isinstance(arguments[name], DataNode) and given[name].ndim == 1
            else given[name]
            for name in ("mean", "std")
        }
        return {**own, "scale": scale, "shift": shift, "dtype": target}

    def evaluate(context: Any, inputs: list[BatchValue], given: dict[str, Any]) -> BatchValue:
        import jax.numpy as jnp

        from .. import image

        (value,) = inputs
        if window is None:
            images, shapes = value.images("crop_mirror_normalize", context), value.shapes
        else:
            images, shapes = window.cut(context, value, given), None
        images = image.flip(images, given["mirror"], shapes=shapes)
        images = image.normalize(images, **moments(given), output_layout=output_layout)
        if shapes is not None and output_layout == "CHW":
            shapes = shapes[:, jnp.asarray((2, 0, 1))]
        return BatchValue(images, shapes, output_layout)

    def plan(planned: Planned) -> Planned | None:
        cut = planned if window is None else window.plan(planned)
        if cut is None or cut.extent is None or target.itemsize > 4:
            return None
        return Planned(cut.extent, resampled=True, finished=True)

    def apply(context: Any, images: Undecoded, given: dict[str, Any]) -> Undecoded:
        if window is not None:
            images = window.narrow(context, images, given)
        images = images.mirror(given["mirror"])
        return images.normalize(**moments(given), layout=output_layout)

    options: dict[str, Any] = {"device": device, "name": name, "settings": Step(plan, apply)}
    options["keeps_extents"] = window is None
    return add_operator("crop_mirror_normalize", evaluate, [data], arguments, **options).node()
