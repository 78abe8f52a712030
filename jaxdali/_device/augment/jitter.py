"""Random changes of colour."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from ..image.color_matrix import hue_matrix, mix
from ..image.level_changes import CHANGES, change_levels
from ..random.choices import choice
from ..random.draws import uniform
from ..random.keys import split
from .checks import check_batch

__all__ = ["color_jitter"]

_Strength = float | Sequence[float]


@on_any_mesh
def color_jitter(
    images: ArrayLike,
    keys: jax.Array,
    brightness: _Strength = 0.0,
    contrast: _Strength = 0.0,
    saturation: _Strength = 0.0,
    hue: _Strength = 0.0,
    shapes: jax.Array | None = None,
) -> jax.Array:
    """Changes brightness, contrast, saturation and hue of each image, by random factors and in a random order, like
    torchvision's `ColorJitter`.

    As there, each step rounds to levels. Contrast moves levels away from the image's mean luminance. Hue is a rotation
    in the plane of I and Q, as in DALI's `fn.hsv`, not in HSV: a colour keeps its luma.

    Args:
        images: `uint8[N, H, W, 3]`, RGB.
        keys: typed threefry keys `[N]`. Equal keys give equal results.
        brightness: x draws factors from max(0, 1 - x) to 1 + x; or a pair, their range.
        contrast: x draws factors from max(0, 1 - x) to 1 + x; or a pair, their range.
        saturation: x draws factors from max(0, 1 - x) to 1 + x; or a pair, their range.
        hue: x, at most 0.5, draws from -x to x, in full turns of the hue circle; or a pair, the range.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas; None: every image fills it.

    Returns:
        `uint8[N, H, W, 3]`.

    Raises:
        ConfigError: a strength is negative or not a pair, or images or keys are of another kind.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from jaxdali import augment
        >>> images, keys = jnp.full((1, 2, 2, 3), 100, jnp.uint8), jax.random.split(jax.random.key(0), 1)
        >>> jitter = jax.jit(lambda images, keys: augment.color_jitter(images, keys, brightness=(0.5, 0.5)))
        >>> jitter(images, keys)[0, 0, 0].tolist()
        [50, 50, 50]
    """
    images = check_batch(images, keys, "color_jitter")
    given = {"brightness": brightness, "contrast": contrast, "saturation": saturation}
    ranges = {name: _range(name, value, 1.0, (0.0, np.inf)) for name, value in given.items()}
    ranges["hue"] = _range("hue", hue, 0.0, (-0.5, 0.5))
    used = [name for name, (low, high) in ranges.items() if (low, high) != (0.0 if name == "hue" else 1.0,) * 2]
    if not used:
        return images
    for_order, *for_factors = split(keys, 1 + len(used))
    orders = np.asarray(list(itertools.permutations(range(len(used)))), np.int32)
    order = jnp.asarray(orders)[choice(for_order, len(orders))]
    factors = jnp.stack([_drawn(key, ranges[name]) for key, name in zip(for_factors, used, strict=True)], axis=1)
    # Maps each change to its index in CHANGES; colours are mixed separately.
    changes = jnp.asarray([CHANGES.index(name) if name in CHANGES else 0 for name in used], jnp.int32)
    for step in range(len(used)):
        which = order[:, step]
        factor = jnp.take_along_axis(factors, which[:, None], axis=1)[:, 0]
        if {"brightness", "contrast"} & set(used):
            images = change_levels(images, changes[which], factor, shapes)
        if {"saturation", "hue"} & set(used):
            saturated = which == (used.index("saturation") if "saturation" in used else -1)
            turned = which == (used.index("hue") if "hue" in used else -1)
            degrees, factors_of_color = jnp.where(turned, factor * 360, 0.0), jnp.where(saturated, factor, 1.0)
            images = mix(images, hue_matrix(len(images), degrees, factors_of_color))
    return images


def _range(name: str, value: _Strength, middle: float, bounds: tuple[float, float]) -> tuple[float, float]:
    pair = np.asarray(value, np.float64) if not isinstance(value, bool) else np.zeros(3)
    if pair.shape == ():
        if pair < 0:
            raise ConfigError(f"{name} must be 0 or more, or a pair (smallest, largest), got {value!r:.80}")
        pair = np.asarray([max(middle - pair, bounds[0]) if middle else -pair, middle + pair])
    if pair.shape != (2,) or not bounds[0] <= pair[0] <= pair[1] <= bounds[1] or not np.isfinite(pair).all():
        raise ConfigError(f"{name} must be a number, or a pair (smallest, largest) within {bounds}, got {value!r:.80}")
    return float(pair[0]), float(pair[1])


def _drawn(keys, bounds: tuple[float, float]) -> jax.Array:
    if bounds[0] == bounds[1]:
        return jnp.full(keys.shape, bounds[0], jnp.float32)
    return uniform(keys, minval=bounds[0], maxval=bounds[1])
