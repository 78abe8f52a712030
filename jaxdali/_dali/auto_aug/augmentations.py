"""DALI's augmentations: what each does to the levels or the positions of pixels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali._device.image.level_changes import CHANGES
from jaxdali.errors import ConfigError
from ..graph.call import DataNode
from ..graph.declarations import operator_named
from .core.augmentation import augmentation
from .core.magnitudes import looked_up
from .passes import colors, filling, levels_pass, rotated, sharpened, strength_of, warped

__all__ = [
    "auto_contrast",
    "brightness",
    "color",
    "contrast",
    "equalize",
    "identity",
    "invert",
    "posterize",
    "rotate",
    "sharpness",
    "shear_x",
    "shear_y",
    "solarize",
    "solarize_add",
    "translate_x",
    "translate_x_no_shape",
    "translate_y",
    "translate_y_no_shape",
]

# PARAMETERS -----------------------------------------------------------------------------------------------------------


def warp_x_param(magnitude: float) -> list[float]:
    """Returns (x, y) for a magnitude along x."""
    return [magnitude, 0]


def warp_y_param(magnitude: float) -> list[float]:
    """Returns (x, y) for a magnitude along y."""
    return [0, magnitude]


def shift_enhance_range(magnitude: float) -> float:
    """Returns a factor that is 1 for magnitude 0."""
    return 1 + magnitude


def sharpness_kernel(magnitude: float) -> np.ndarray:
    """Returns a kernel that sharpens; it blurs if the magnitude is below 0, and does nothing at 0."""
    blur = np.ones((3, 3), np.float32)
    blur[1, 1] = 5
    nothing = np.zeros((3, 3), np.float32)
    nothing[1, 1] = 1
    return nothing + np.float32(magnitude) * (nothing - blur / 13)


def sharpness_kernel_shifted(magnitude: float) -> np.ndarray:
    """Returns the kernel of the magnitude - 1."""
    return sharpness_kernel(magnitude - 1)


def poster_mask_uint8(magnitude: float) -> np.ndarray:
    """Returns the mask that keeps this many upper bits: at least one, at most all eight."""
    bits = min(max(int(np.round(magnitude)), 1), 8)
    return np.asarray(256 - (1 << (8 - bits)), np.uint8)


def solarize_add_shift(shift: float) -> np.uint8:
    """Returns the shift, an integer below 128.

    Raises:
        ConfigError: it is larger.
    """
    if shift >= 128:
        raise ConfigError(f"solarize_add adds less than 128 to levels below that, got {shift}")
    return np.uint8(shift)


# WHAT THEY DO ---------------------------------------------------------------------------------------------------------


def _levels(change: str) -> Callable[..., DataNode]:
    def op(data: DataNode, parameter: object) -> DataNode:
        number = {} if parameter is None else {"parameter": parameter}
        return operator_named("auto_aug.levels")(data, change=CHANGES.index(change), **number)

    return _named(op, change, one_pass=levels_pass, change=change)


def _named(op: Any, name: str, **attributes: object) -> Any:
    op.__name__ = op.__qualname__ = name
    for attribute, value in attributes.items():
        setattr(op, attribute, value)
    return op


def _color(data: DataNode, parameter: object) -> DataNode:
    return operator_named("saturation")(data, saturation=parameter)


def _sharpness(data: DataNode, kernel: object) -> DataNode:
    # The corners of a kernel are - strength / 13.
    strength = -13 * kernel[0, 0] if isinstance(kernel, DataNode) else strength_of(kernel)
    return operator_named("auto_aug.sharpen")(data, strength=strength)


def _rotate(
    data: DataNode, angle: object, fill_value: object = 128, interp_type: object = None, rotate_keep_size: bool = True
) -> DataNode:
    options = filling({"fill_value": fill_value, "interp_type": interp_type})
    return operator_named("rotate")(data, angle=angle, keep_size=rotate_keep_size, **options)


def _map(kind: str, offset: Array) -> tuple[np.ndarray, np.ndarray]:
    """Returns the affine map of an offset (x, y), and the part of it that is measured in extents."""
    fixed, relative = np.eye(2, 3), np.zeros((2, 3))
    if kind == "shear":
        fixed[0, 1], fixed[1, 0] = offset
    else:
        (relative if kind == "relative" else fixed)[:, 2] = offset
    return fixed, relative


# The factor of each component of a node (x, y) in each number of the map, [2, 3].
_PARTS = {
    "shear": np.asarray([[[0, 1, 0], [0, 0, 0]], [[0, 0, 0], [1, 0, 0]]], np.float32),
    "absolute": np.asarray([[[0, 0, 1], [0, 0, 0]], [[0, 0, 0], [0, 0, 1]]], np.float32),
}


def _warp(name: str, kind: str) -> Callable[..., DataNode]:
    def made(data: DataNode, offset: Any, scale: tuple[Any, Any], given: dict[str, object]) -> DataNode:
        parts = _PARTS["shear" if kind == "shear" else "absolute"]
        x, y = offset[0] * scale[0], offset[1] * scale[1]
        matrix = looked_up(parts, 0) * x + looked_up(parts, 1) * y + np.eye(2, 3, dtype=np.float32)
        return operator_named("warp_affine")(data, matrix=matrix, inverse_map=False, **filling(given))

    def op(data: DataNode, offset: object, fill_value: object = 128, interp_type: object = None) -> DataNode:
        return made(data, offset, (1, 1), {"fill_value": fill_value, "interp_type": interp_type})

    def op_of_shape(
        data: DataNode, offset: Any, shape: Any, fill_value: Any = 128, interp_type: Any = None
    ) -> DataNode:
        return made(data, offset, (shape[1], shape[0]), {"fill_value": fill_value, "interp_type": interp_type})

    def moves(offset: object) -> tuple[np.ndarray, np.ndarray]:
        return _map(kind, offset)

    return _named(op_of_shape if kind == "relative" else op, name, one_pass=warped, moves=moves)


def _identity(data: DataNode, _: object) -> DataNode:
    return data


def _nothing(data: DataNode, *_: object) -> DataNode:
    return data


_MOVED: dict[str, Any] = {"randomly_negate": True}
_FACTOR: dict[str, Any] = {"mag_range": (0, 0.9), "randomly_negate": True, "mag_to_param": shift_enhance_range}
_ROTATED = _named(_rotate, "rotate", one_pass=rotated)

shear_x = augmentation(_warp("shear_x", "shear"), mag_range=(0, 0.3), mag_to_param=warp_x_param, **_MOVED)
shear_y = augmentation(_warp("shear_y", "shear"), mag_range=(0, 0.3), mag_to_param=warp_y_param, **_MOVED)
translate_x = augmentation(_warp("translate_x", "relative"), mag_range=(0.0, 1.0), mag_to_param=warp_x_param, **_MOVED)
translate_y = augmentation(_warp("translate_y", "relative"), mag_range=(0.0, 1.0), mag_to_param=warp_y_param, **_MOVED)
translate_x_no_shape = augmentation(
    _warp("translate_x_no_shape", "absolute"),
    mag_range=(0, 250),
    mag_to_param=warp_x_param,
    name="translate_x",
    **_MOVED,
)
translate_y_no_shape = augmentation(
    _warp("translate_y_no_shape", "absolute"),
    mag_range=(0, 250),
    mag_to_param=warp_y_param,
    name="translate_y",
    **_MOVED,
)
rotate = augmentation(_ROTATED, mag_range=(0, 30), randomly_negate=True)
brightness = augmentation(_levels("brightness"), **_FACTOR)
contrast = augmentation(_levels("contrast"), **_FACTOR)
color = augmentation(_named(_color, "color", one_pass=colors), **_FACTOR)
sharpness = augmentation(
    _named(_sharpness, "sharpness", one_pass=sharpened), **{**_FACTOR, "mag_to_param": sharpness_kernel}
)
posterize = augmentation(_levels("posterize"), mag_range=(0, 4), mag_to_param=poster_mask_uint8)
solarize = augmentation(_levels("solarize"), mag_range=(256, 0))
solarize_add = augmentation(_levels("solarize_add"), mag_range=(0, 110), mag_to_param=solarize_add_shift)
invert = augmentation(_levels("invert"))
equalize = augmentation(_levels("equalize"))
auto_contrast = augmentation(_levels("auto_contrast"))
identity = augmentation(_named(_identity, "identity", one_pass=_nothing))
