"""Erases random rectangles."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from ..image.convert import round_to_dtype
from ..random.draws import coin_flip, normal, uniform
from ..random.keys import split
from ..random.windows import resized_crop_window

__all__ = ["random_erasing"]


@on_any_mesh
def random_erasing(
    images: ArrayLike,
    keys: jax.Array,
    probability: float = 0.5,
    area: tuple[float, float] = (0.02, 0.33),
    aspect_ratio: tuple[float, float] = (0.3, 3.3),
    value: float | Sequence[float] | str = 0.0,
    shapes: jax.Array | None = None,
) -> jax.Array:
    """Fills a random rectangle of an image, like torchvision's `RandomErasing` and timm's (arXiv:1708.04896).

    The rectangle's fraction of the image's area is uniform, the logarithm of its aspect ratio is uniform, and its
    position is uniform, see `jaxdali.random.resized_crop_window`. As there, it may be as high or as wide as the image,
    unlike torchvision's.

    Args:
        images: `[N, H, W, C]`, normalized or not.
        keys: typed threefry keys `[N]`. Equal keys give equal results.
        probability: that an image is changed.
        area: (smallest, largest) fraction of the image's area.
        aspect_ratio: (smallest, largest) height / width.
        value: the level of all channels, or one per channel, rounded by `round_to_dtype`; or "random": a draw for each
            number, floats from the standard normal distribution, integers uniformly from all values of their type. The
            extents of the canvas do not change them.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas; None: every image fills it.

    Returns:
        `[N, H, W, C]`, the images, of the same type.

    Raises:
        ConfigError: an argument cannot be honoured.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from jaxdali import augment
        >>> images, keys = jnp.ones((2, 8, 8, 1)), jax.random.split(jax.random.key(0), 2)
        >>> erase = jax.jit(lambda images, keys: augment.random_erasing(images, keys, 1.0, (0.25, 0.25), (1, 1)))
        >>> erase(images, keys).sum(axis=(1, 2, 3)).tolist()  # 4 x 4 of 64 pixels are 0
        [48.0, 48.0]
    """
    images = jnp.asarray(images)
    if images.ndim != 4 or jnp.shape(keys) != images.shape[:1]:
        raise ConfigError(
            f"random_erasing expected images [N, H, W, C] and keys [N], got {list(images.shape)} and {list(jnp.shape(keys))}"
        )
    if not isinstance(probability, int | float) or not 0 <= probability <= 1:
        raise ConfigError(f"probability must be 0 to 1, got {probability!r:.80}")
    count, height, width = images.shape[:3]
    for_chance, for_window, for_value = split(keys, 3)
    sizes = jnp.tile(jnp.asarray([images.shape[1:]], jnp.int32), (count, 1)) if shapes is None else shapes
    low, high = aspect_ratio
    if not 0 < low <= high:
        raise ConfigError(f"aspect_ratio must be (smallest, largest), above 0, got {aspect_ratio!r:.80}")
    window = resized_crop_window(for_window, sizes, area, (1 / high, 1 / low))
    done = coin_flip(for_chance, probability, dtype=jnp.bool_)
    rows, columns = (
        (place[None] >= window[:, axis, None]) & (place[None] < (window[:, axis] + window[:, 2 + axis])[:, None])
        for axis, place in enumerate((jnp.arange(height), jnp.arange(width)))
    )
    inside = rows[:, :, None, None] & columns[:, None, :, None] & done[:, None, None, None]
    return jnp.where(inside, _filling(value, for_value, images, shapes), images)


def _filling(value: float | Sequence[float] | str, keys, images: jax.Array, shapes) -> jax.Array:
    if isinstance(value, str):
        if value != "random":
            raise ConfigError(f'value must be a number, one per channel, or "random", got {value!r:.80}')
        if jnp.issubdtype(images.dtype, jnp.floating):
            return normal(keys, images.shape[1:], shapes=shapes).astype(images.dtype)
        limits = jnp.iinfo(images.dtype)
        low, high = float(limits.min), float(limits.max) + 1
        drawn = uniform(keys, images.shape[1:], minval=low, maxval=high, shapes=shapes)
        return jnp.floor(drawn).astype(images.dtype)
    numbers = np.asarray(value, np.float32)
    if numbers.shape not in ((), (images.shape[3],)) or not np.isfinite(numbers).all():
        raise ConfigError(f"value must be a number, or one for each of {images.shape[3]} channels, got {value!r:.80}")
    return round_to_dtype(jnp.asarray(numbers), images.dtype)
