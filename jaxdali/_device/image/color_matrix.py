"""Colours as mixtures of the channels: hue, saturation, and other colour spaces."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike, DTypeLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from ..ffi.recipes import InstructionKind
from . import pixel_program as program
from .convert import check_dtype, round_to_dtype
from .exact_arithmetic import product, rounded, to_float32, total
from .image_arguments import check_number
from .pixel_program import Instruction
from .recipe import numpy_of
from .trigonometry import sine_and_cosine

__all__ = [
    "COLOR_SPACES",
    "color_space_instructions",
    "color_twist",
    "convert_color_space",
    "hsv",
    "hue_matrix",
    "mix",
    "twist_matrix",
]

# From RGB to luma and two chroma axes, in whose plane hue is an angle: Y, I and Q of television.
_YIQ = np.array([[0.299, 0.587, 0.114], [0.596, -0.274, -0.321], [0.211, -0.523, 0.311]])
_RGB = np.linalg.inv(_YIQ)
# A change of hue and saturation is a combination of three matrices: for luma, for chroma, and for chroma turned by 90
# degrees.
_LUMA, _COLORS, _TURNED = (
    np.asarray(_RGB @ np.asarray(plane, np.float64) @ _YIQ, np.float32)
    for plane in (
        [[1, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0, 0, 0], [0, 0, 1], [0, -1, 0]],
    )
)


@on_any_mesh
def color_twist(
    images: ArrayLike,
    brightness: ArrayLike = 1.0,
    contrast: ArrayLike = 1.0,
    hue: ArrayLike = 0.0,
    saturation: ArrayLike = 1.0,
    dtype: DTypeLike | None = None,
) -> jax.Array:
    """Changes hue, saturation, contrast and brightness; DALI's operator of the same name.

    `out = brightness * (c + contrast * (M @ in - c))`, where `M` rotates the hue and scales the saturation, see `hsv`,
    and `c` is 128 for integers and 0.5 for floats. It is one matrix, in float32, the same on every platform; the result
    is converted by `round_to_dtype`.

    Args:
        images: `[N, ..., 3]`, RGB, integer or floating. The canvas around the images is changed, too.
        brightness: factor of the result; a scalar or one value per sample, `[N]`.
        contrast: factor of the distance from `c`; a scalar or `[N]`.
        hue: in degrees; a scalar or `[N]`.
        saturation: factor; a scalar or `[N]`.
        dtype: that of the result; None: that of `images`.

    Returns:
        `dtype[N, ..., 3]`.

    Raises:
        ConfigError: an argument is neither a scalar nor `[N]`; or the images do not have three channels.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> image.color_twist(np.array([[10, 20, 30]], np.uint8), brightness=2, saturation=0)
        Array([[36, 36, 36]], dtype=uint8)
    """
    images = jnp.asarray(images)
    matrix = twist_matrix(images.dtype, len(images), brightness, contrast, hue, saturation)
    return mix(images, matrix, dtype)


@on_any_mesh
def hsv(
    images: ArrayLike,
    hue: ArrayLike = 0.0,
    saturation: ArrayLike = 1.0,
    value: ArrayLike = 1.0,
    dtype: DTypeLike | None = np.uint8,
) -> jax.Array:
    """Rotates hues by `hue` degrees and scales saturation and value; DALI's operator of the same name.

    As in DALI this is linear in RGB, in the planes of Y, I and Q: colours are not converted to HSV and back. It is one
    matrix, in float32, the same on every platform; the result is converted by `round_to_dtype`.

    Args:
        images: `[N, ..., 3]`, RGB, integer or floating. The canvas around the images is changed, too.
        hue: in degrees; a scalar or one value per sample, `[N]`.
        saturation: factor of the distance from gray; a scalar or `[N]`.
        value: factor of the result; a scalar or `[N]`.
        dtype: that of the result; None: that of `images`.

    Returns:
        `dtype[N, ..., 3]`.

    Raises:
        ConfigError: an argument is neither a scalar nor `[N]`; or the images do not have three channels.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> image.hsv(np.array([[10, 20, 30]], np.uint8), saturation=0, value=2)
        Array([[36, 36, 36]], dtype=uint8)
    """
    images = jnp.asarray(images)
    return mix(images, hue_matrix(len(images), hue, saturation, value), dtype)


def mix(images, matrix, dtype=None) -> jax.Array:
    """Mixes three channels: `float32[3, 4]` or `[N, 3, 4]`, whose last column is added, in float32.

    Args:
        images: `[N, ..., 3]`, integer or floating.
        dtype: of the result, rounded by `round_to_dtype`; None: that of `images`.

    Raises:
        ConfigError: the images do not have three channels.
    """
    return _mixed(jnp.asarray(images), (program.matrix(matrix),), dtype)


def hue_matrix(
    samples: int, hue: Array = 0.0, saturation: Array = 1.0, value: Any = 1.0
) -> jax.Array | np.ndarray | None:
    """`float32[3, 4]` or `[N, 3, 4]`: the matrix of `hsv`.

    Raises:
        ConfigError: an argument is neither a scalar nor `[N]`.
    """
    given = {"hue": hue, "saturation": saturation, "value": value}
    hue, saturation, value = (_numbers(name, value, samples) for name, value in given.items())
    return _affine(hue, saturation, value, np.float32(0))


def twist_matrix(
    dtype: Any, samples: int, brightness: Array = 1.0, contrast: Array = 1.0, hue: Array = 0.0, saturation: Array = 1.0
) -> jax.Array | np.ndarray:
    """`float32[3, 4]` or `[N, 3, 4]`: the matrix of `color_twist` for images of a dtype.

    Raises:
        ConfigError: an argument is neither a scalar nor `[N]`.
    """
    given = {"hue": hue, "saturation": saturation, "brightness": brightness, "contrast": contrast}
    hue, saturation, brightness, contrast = (_numbers(name, value, samples) for name, value in given.items())
    center = np.float32(128 if np.issubdtype(np.dtype(dtype), np.integer) else 0.5)
    added = product(brightness, rounded(center - product(contrast, center)))
    return _affine(hue, saturation, product(brightness, contrast), added)


def _affine(hue: ArrayLike, saturation: ArrayLike, factor: Array, added: Array) -> jax.Array | np.ndarray:
    xp = numpy_of(hue, saturation, factor, added)
    sine, cosine = sine_and_cosine(hue)
    plain, turned, factor, added = xp.broadcast_arrays(
        product(saturation, cosine), product(saturation, sine), factor, added
    )
    plain, turned, factor = (part[..., None, None] for part in (plain, turned, factor))
    matrix = product(factor, total(total(_LUMA, product(plain, _COLORS)), product(turned, _TURNED)))
    added = xp.broadcast_to(added[..., None, None], (*matrix.shape[:-1], 1))
    return xp.concatenate([matrix, added], axis=-1)


def _numbers(name: str, value: ArrayLike, samples: int) -> Any:
    """Returns `value` as `float32[]` or `[N]`."""
    check_number(value, name)
    if np.shape(value) not in ((), (samples,)):
        raise ConfigError(
            f"{name} has shape {np.shape(value)} for {samples} images; expected a scalar or one value per sample, [N]."
        )
    return to_float32(value)


def _mixed(images: jax.Array, instructions: tuple[Instruction, ...], dtype: DTypeLike | None) -> jax.Array:
    source = check_dtype(images.dtype, "images have dtype")
    target = source if dtype is None else check_dtype(dtype)
    if images.ndim < 2 or images.shape[-1] != 3:
        raise ConfigError(f"images have shape {images.shape}; expected three channels, [N, ..., 3].")
    pixels = jnp.asarray(to_float32(images)).reshape(len(images), 1, -1, 3)
    return round_to_dtype(program.run(pixels, instructions), target).reshape(images.shape)


# COLOUR SPACES --------------------------------------------------------------------------------------------------------

COLOR_SPACES = ("RGB", "BGR", "GRAY", "YCbCr")
# Luma from 16 to 235 and chroma from 16 to 240, for levels from 0 to 255: ITU-R BT.601.
_TO_YCBCR = np.array(
    [[0.299, 0.587, 0.114], [-0.299 / 1.772, -0.587 / 1.772, 0.5], [0.5, -0.587 / 1.402, -0.114 / 1.402]]
) * np.array([[219 / 255], [224 / 255], [224 / 255]])
_FROM_YCBCR = np.array([[1, 0, 1.402], [1, -0.114 * 1.772 / 0.587, -0.299 * 1.402 / 0.587], [1, 1.772, 0]]) * np.array(
    [255 / 219, 255 / 224, 255 / 224]
)
_DARKEST = np.array([16.0, 128.0, 128.0])
# Multiples of 2**-15, as in integer conversions: then halves do not depend on rounding.
_LUMA_WEIGHTS = np.asarray([9798, 19235, 3735], np.float32) / np.float32(1 << 15)


def color_space_instructions(source: str, target: str) -> tuple[Instruction, ...] | None:
    """Instructions that convert between two spaces of three channels; None if one of them has a single channel."""
    if "GRAY" in (source, target):
        return None
    if "YCbCr" not in (source, target):
        return (program.matrix(np.concatenate([np.eye(3)[::-1], np.zeros((3, 1))], axis=1)),)
    if target == "YCbCr":
        matrix = np.concatenate([_TO_YCBCR[:, ::-1] if source == "BGR" else _TO_YCBCR, _DARKEST[:, None]], axis=1)
        return (program.matrix(matrix),)
    matrix = _FROM_YCBCR[::-1] if target == "BGR" else _FROM_YCBCR
    from_darkest = program.constant(InstructionKind.ADD, np.asarray(-_DARKEST, np.float32))
    return from_darkest, program.matrix(np.concatenate([matrix, np.zeros((3, 1))], axis=1))


@on_any_mesh
def convert_color_space(images: ArrayLike, source: str, target: str) -> jax.Array:
    """Converts levels from one colour space to another; DALI's `fn.color_space_conversion`.

    YCbCr has luma from 16 to 235 and chroma from 16 to 240 (ITU-R BT.601). A gray level is luma from 0 to
    255. Integers are rounded half away from zero and saturated.

    Args:
        images: `uint8[N, ..., C]`, C 1 for "GRAY", else 3.
        source: the space of `images`: "RGB", "BGR", "GRAY" or "YCbCr".
        target: another one of these.

    Returns:
        `uint8[N, ..., C']`.

    Raises:
        ConfigError: the spaces are the same or unknown, the type is another one, or the channels do not fit.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> image.convert_color_space(np.array([[255, 0, 0]], np.uint8), "RGB", "YCbCr")
        Array([[ 81,  90, 240]], dtype=uint8)
    """
    images = jnp.asarray(images)
    if source == target or not {source, target} <= set(COLOR_SPACES):
        raise ConfigError(
            f"colours are converted between {', '.join(COLOR_SPACES)}; expected two of them, got {source!r} and {target!r}"
        )
    channels = 1 if source == "GRAY" else 3
    if images.ndim < 2 or images.shape[-1] != channels or images.dtype != np.uint8:
        raise ConfigError(
            f"images are {images.dtype}[{', '.join(map(str, images.shape))}]; {source} expects uint8[N, ..., {channels}]"
        )
    instructions = color_space_instructions(source, target)
    if instructions is not None:
        return _mixed(images, instructions, None)
    levels = images.astype(jnp.float32)
    if target == "GRAY":
        return round_to_dtype(_luma(levels, source), np.uint8)
    if target == "YCbCr":
        luma = round_to_dtype(product(levels, np.float32(219 / 255)) + np.float32(16), np.uint8)
        return jnp.concatenate([luma, *[jnp.full_like(luma, 128)] * 2], axis=-1)
    return jnp.concatenate([images] * 3, axis=-1)


def _luma(levels: jax.Array, source: str) -> jax.Array:
    if source == "YCbCr":
        return product(levels[..., :1] - np.float32(16), np.float32(255 / 219))
    weights = _LUMA_WEIGHTS[::-1] if source == "BGR" else _LUMA_WEIGHTS
    # Exact, because 23 bits hold all of these sums.
    parts = [product(levels[..., channel : channel + 1], weights[channel]) for channel in range(3)]
    return rounded(rounded(parts[0] + parts[1]) + parts[2])
