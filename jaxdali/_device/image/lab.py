"""Colours as lightness and two differences (CIE L*a*b*) in 8 bits, with the integer arithmetic of OpenCV."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from .barrier import materialize

__all__ = ["from_lab", "to_lab"]

_WHITE = np.asarray([0.950456, 1.0, 1.088754])
_TO_XYZ = np.asarray([[0.412453, 0.357580, 0.180423], [0.212671, 0.715160, 0.072169], [0.019334, 0.119193, 0.950227]])
_FROM_XYZ = np.asarray(
    [[3.240479, -1.53715, -0.498535], [-0.969256, 1.875991, 0.041556], [0.055648, -0.204043, 1.057311]]
)
# Binary places of factors, of light, of its cube root, and of both on the way back.
_FACTOR, _LIGHT, _ROOT, _BACK = 12, 3, 15, 14
_ONE = 1 << _BACK
# Up to here, 6 / 29, the cube root is replaced by a line.
_BEND = 3390


def to_lab(colors: Any) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Returns L, a and b, `int32[...]` from 0 to 255, for red, green and blue `uint8[..., 3]`."""
    light, root, factors = _forward()
    red, green, blue = (jnp.asarray(light)[colors[..., k].astype(jnp.int32)] for k in range(3))
    x, y, z = (
        jnp.asarray(root)[_shifted(red * one + green * two + blue * three, _FACTOR)]
        for one, two, three in factors.tolist()
    )
    lightness = _shifted(((116 * 255 + 50) // 100) * y - (16 * 255 * (1 << _ROOT) + 50) // 100, _ROOT)
    middle = 128 * (1 << _ROOT)
    a, b = _shifted(500 * (x - y) + middle, _ROOT), _shifted(200 * (y - z) + middle, _ROOT)
    return tuple(jnp.clip(one, 0, 255) for one in (lightness, a, b))  # type: ignore[return-value]


def from_lab(lightness: ArrayLike, a: Any, b: Any) -> jax.Array:
    """Returns red, green and blue, `uint8[..., 3]`, for L, a and b, `int32[...]` from 0 to 255."""
    luminance, root, light, factors = _backward()
    y, middle = jnp.asarray(luminance)[lightness], jnp.asarray(root)[lightness]
    x = _cubed(middle + ((5 * a * 53687 + (1 << 7)) >> 13) - 128 * _ONE // 500)
    z = _cubed(middle - (((b * 41943 + (1 << 4)) >> 9) - 128 * _ONE // 200 + 1))
    # Else XLA's CPU compiler recomputes all three for each colour and pixel.
    x, y, z = map(materialize, (x, y, z))
    made = []
    for one, two, three in factors.tolist():
        amount = _shifted(one * x + two * y + three * z, _BACK)
        made.append(materialize(jnp.asarray(light)[jnp.clip(amount, 0, len(light) - 1)]))
    return jnp.stack(made, axis=-1)


def _shifted(value: Any, places: int) -> Any:
    """Drops that many binary places, rounding halves up."""
    return (value + (1 << (places - 1))) >> places


def _cubed(root: Any) -> Any:
    line = (root * 108) // 841 - _ONE * 16 // 116 * 108 // 841
    return jnp.where(root <= _BEND, line, (((root * root) >> _BACK) * root) >> _BACK)


@functools.cache
def _forward() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tables of the light of each level and the cube roots of light, and the factors of red, green and blue."""
    level = np.arange(256) / 255
    light = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)
    amount = np.arange(256 * 3 // 2 << _LIGHT) / (255 << _LIGHT)
    root = np.where(amount < 216 / 24389, amount * (841 / 108) + 16 / 116, np.cbrt(amount))
    factors = np.rint((1 << _FACTOR) * _TO_XYZ / _WHITE[:, None])
    light, root = np.rint((255 << _LIGHT) * light), np.rint((1 << _ROOT) * root)
    return light.astype(np.int32), root.astype(np.int32), factors.astype(np.int32)


@functools.cache
def _backward() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Tables of the luminance of each lightness, its cube root, and the level of light; and the factors of x, y and z."""
    level = np.arange(256)
    dark = level <= 20
    root = (level * 100 / 255 + 16) / 116
    luminance = np.where(dark, level * 180 / (17 * 29**3), root**3)
    root = np.where(dark, 16 / 116 + level * 5 / (3 * 17 * 29), root)
    amount = np.arange(1 << _FACTOR) / (1 << _FACTOR)
    light = np.where(amount <= 0.0031308, amount * 12.92, 1.055 * amount ** (1 / 2.4) - 0.055)
    factors = np.rint((1 << _FACTOR) * _FROM_XYZ * _WHITE[None])
    luminance, root, light = np.rint(_ONE * luminance), np.rint(_ONE * root), np.rint(255 * light)
    return luminance.astype(np.int32), root.astype(np.int32), light.astype(np.uint8), factors.astype(np.int32)
