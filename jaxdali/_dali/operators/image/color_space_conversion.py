"""Converts colour spaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxdali._base.dtypes import BGR, GRAY, RGB, DALIImageType, YCbCr
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import MutableParams, Params
from ..argument_kinds import Kind
from ..declaration import REQUIRED, Static, operator
from ..lazy import Lazy
from ..operator_inputs import ANY, assuming
from ..values import BatchValue, Context, ImagesValue
from .pixelwise import pixels_of, within_extents

__all__ = ["color_space_conversion"]

_SPACES = (RGB, BGR, GRAY, YCbCr)


def _space(word: str, value: object) -> DALIImageType:
    if not isinstance(value, DALIImageType) or value not in _SPACES:
        names = ", ".join(f"types.{one.name}" for one in _SPACES)
        raise ConfigError(f"{word} must be one of {names}, got {value!r:.80}")
    return value


def _kind(*examples: DALIImageType) -> Kind:
    return Kind("DALIImageType", _space, examples)


def _differ(params: MutableParams) -> MutableParams:
    if params["image_type"] is params["output_type"]:
        raise ConfigError(
            f"image_type and output_type are both {params['image_type'].name}: there is nothing to convert"
        )
    return params


def _steps(params: Params) -> Sequence[str] | None:
    # A recipe has no instruction that changes the number of channels.
    return None if GRAY in (params["image_type"], params["output_type"]) else ("pixels",)


@operator(
    "color_space_conversion",
    inputs=[assuming(ANY, "HWC", "FHWC", "FDHWC")],
    params=[
        Static("image_type", _kind(RGB, BGR), REQUIRED, "colour space of the input"),
        Static("output_type", _kind(YCbCr, GRAY), REQUIRED, "colour space of the output"),
    ],
    prepare=_differ,
    keeps_extents=True,
    lazy=Lazy(_steps),
)
def color_space_conversion(
    context: Context, value: BatchValue | ImagesValue, *, image_type: DALIImageType, output_type: Any
) -> BatchValue | ImagesValue:
    """Converts UINT8 images, channels last, from one colour space to another; DALI's operator.

    As in DALI, YCbCr has luma from 16 to 235 and chroma from 16 to 240. See `jaxdali.image.convert_color_space`.
    """
    from jaxdali._device.image.color_matrix import color_space_instructions, convert_color_space

    found = pixels_of(context, value, None)
    if isinstance(found, ImagesValue):
        _check(image_type, found.images.dtype, found.images.channels)
        instructions = color_space_instructions(image_type.name, output_type.name)
        if instructions is not None:
            return found.then(found.images.run(*instructions, dtype=found.images.dtype))
        assert isinstance(value, BatchValue)  # no recipe is extended by this operator
        found = value
    _check(image_type, found.data.dtype, found.data.shape[-1])
    return within_extents(found, convert_color_space(found.data, image_type.name, output_type.name))


def _check(space: DALIImageType, dtype: object, channels: int) -> None:
    wanted = 1 if space is GRAY else 3
    if dtype != "uint8" or channels != wanted:
        raise GraphError(
            f"fn.color_space_conversion from {space.name} expects images of UINT8 with {wanted} channel(s), got {dtype} "
            f"with {channels}; cast them first"
        )
