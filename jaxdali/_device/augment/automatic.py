"""AutoAugment, RandAugment and TrivialAugment for batches.

Each image gets its own augmentations. A step makes at most four passes over all images.
"""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxdali.errors import ConfigError, check_integer
from ..any_mesh import on_any_mesh
from ..image.color_matrix import hue_matrix, mix
from ..image.exact_arithmetic import product, rounded
from ..image.level_changes import change_levels, sharpen
from ..image.warp import warp_affine
from ..random.draws import coin_flip, uniform
from ..random.keys import split
from .checks import check_batch
from .policies import BINS, IMAGE_NET, REDUCED_CIFAR10, REDUCED_IMAGE_NET, SVHN
from .strengths import NOTHING, Row, Tables, Translation, magnitude_of, policy_suite, suite_of, tables_of

__all__ = ["auto_augment", "rand_augment", "trivial_augment_wide"]

_POLICIES = {
    "image_net": IMAGE_NET,
    "reduced_cifar10": REDUCED_CIFAR10,
    "reduced_image_net": REDUCED_IMAGE_NET,
    "svhn": SVHN,
}


@on_any_mesh
def auto_augment(
    images: ArrayLike,
    keys: jax.Array,
    policy: str = "image_net",
    shapes: jax.Array | None = None,
    *,
    max_translate_abs: float | None = None,
    max_translate_rel: float | None = None,
    fill: float | None = 128,
    filter: str = "linear",
) -> jax.Array:
    """Applies to each image one of a policy's sub-policies, drawn at random: two augmentations, each with its
    probability.

    The policies are those of the paper (arXiv:1805.09501), with the magnitudes of DALI's `auto_augment`.

    Args:
        images: `uint8[N, H, W, 3]`.
        keys: typed threefry keys `[N]`, e.g. those that a Loader gives to `augment`. Equal keys give equal results.
        policy: "image_net", "reduced_image_net", "svhn" or "reduced_cifar10".
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas; None: every image fills it.
        max_translate_abs: the largest translation in pixels; 250 if neither limit is given.
        max_translate_rel: the largest translation as a fraction of the image's extent.
        fill: the level of pixels that geometric augmentations leave empty; None: the nearest pixel of the border.
        filter: that of geometric augmentations, "linear" or "nearest".

    Returns:
        `uint8[N, H, W, 3]`.

    Raises:
        ConfigError: an argument cannot be honoured.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from jaxdali import augment
        >>> images = jnp.full((2, 8, 8, 3), 100, jnp.uint8)
        >>> result = jax.jit(augment.auto_augment)(images, jnp.stack([jax.random.key(0)] * 2))
        >>> bool((result[0] == result[1]).all())  # equal keys
        True
    """
    if not isinstance(policy, str) or policy not in _POLICIES:
        raise ConfigError(f"policy must be one of {', '.join(_POLICIES)}, got {policy!r:.80}")
    images = check_batch(images, keys, "auto_augment")
    far = _translation(max_translate_abs, max_translate_rel, 250)
    suite, several = policy_suite(far), _POLICIES[policy]
    for_policy, for_chance, for_sign = split(keys, 3)
    which = uniform(for_policy, values=range(len(several)), dtype=jnp.int32)
    chance = uniform(for_chance, (2,))
    sign = coin_flip(for_sign, shape=(2,))
    for step in range(2):
        rows, likely = [], []
        for one in several:
            name, probability, magnitude = one[step] if step < len(one) else (None, 0.0, None)
            rows.append(NOTHING if name is None else Row(suite[name], magnitude_of(suite[name], BINS, magnitude)))
            likely.append(probability)
        tables = tables_of([*rows, NOTHING], far)
        done = chance[:, step] < jnp.asarray(likely, jnp.float32)[which]
        row = jnp.where(done, which, len(rows))
        images = _apply(images, tables, 2 * row + sign[:, step], shapes, fill, filter)
    return images


@on_any_mesh
def rand_augment(
    images: ArrayLike,
    keys: jax.Array,
    n: int,
    m: int,
    shapes: jax.Array | None = None,
    *,
    num_magnitude_bins: int = 31,
    monotonic_mag: bool = True,
    excluded: Sequence[str] = (),
    max_translate_abs: float | None = None,
    max_translate_rel: float | None = None,
    fill: float | None = 128,
    filter: str = "linear",
) -> jax.Array:
    """Applies `n` augmentations of one strength to each image, each drawn at random (RandAugment, arXiv:1909.13719),
    with the magnitudes of DALI's `rand_augment`.

    Args:
        images: `uint8[N, H, W, 3]`.
        keys: typed threefry keys `[N]`. Equal keys give equal results.
        n: how many augmentations, one after the other.
        m: their magnitude bin, 0 to `num_magnitude_bins` - 1.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas; None: every image fills it.
        num_magnitude_bins: the number of bins that magnitudes are divided into.
        monotonic_mag: higher bins are always stronger. False: factors range from 0.1 to 1.9, and `posterize` and
            `solarize` weaken as bins rise.
        excluded: names of augmentations to leave out.
        max_translate_abs: the largest translation in pixels; 100 if neither limit is given.
        max_translate_rel: the largest translation as a fraction of the image's extent.
        fill: the level of pixels that geometric augmentations leave empty; None: the nearest pixel of the border.
        filter: that of geometric augmentations, "linear" or "nearest".

    Returns:
        `uint8[N, H, W, 3]`.

    Raises:
        ConfigError: an argument cannot be honoured.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from jaxdali import augment
        >>> images = jnp.arange(384, dtype=jnp.uint8).reshape(2, 8, 8, 3)
        >>> keys = jax.random.split(jax.random.key(0), len(images))
        >>> result = jax.jit(augment.rand_augment, static_argnames=("n", "m"))(images, keys, n=2, m=9)
        >>> (result != images).any(axis=(1, 2, 3)).tolist()
        [True, True]
    """
    bins = check_integer("num_magnitude_bins", num_magnitude_bins, 1)
    check_integer("n", n, 0)
    check_integer("m", m, 0, bins - 1)
    images = check_batch(images, keys, "rand_augment")
    far = _translation(max_translate_abs, max_translate_rel, 100)
    suite = suite_of(far, False, monotonic_mag, excluded)
    tables = tables_of([Row(one, magnitude_of(one, bins, m)) for one in suite], far)
    if n == 0:
        return images
    for_choice, for_sign = split(keys, 2)
    which = uniform(for_choice, values=range(len(suite)), shape=(n,), dtype=jnp.int32)
    index = 2 * which + coin_flip(for_sign, shape=(n,))
    for step in range(n):
        images = _apply(images, tables, index[:, step], shapes, fill, filter)
    return images


@on_any_mesh
def trivial_augment_wide(
    images: ArrayLike,
    keys: jax.Array,
    shapes: jax.Array | None = None,
    *,
    num_magnitude_bins: int = 31,
    excluded: Sequence[str] = (),
    max_translate_abs: float | None = None,
    max_translate_rel: float | None = None,
    fill: float | None = 128,
    filter: str = "linear",
) -> jax.Array:
    """Applies one augmentation to each image, itself and its magnitude drawn at random (TrivialAugment,
    arXiv:2103.10158, its wide ranges), like DALI's `trivial_augment_wide`.

    Args:
        images: `uint8[N, H, W, 3]`.
        keys: typed threefry keys `[N]`. Equal keys give equal results.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas; None: every image fills it.
        num_magnitude_bins: the number of bins that magnitudes are divided into, one of which is drawn.
        excluded: names of augmentations to leave out.
        max_translate_abs: the largest translation in pixels; 32 if neither limit is given.
        max_translate_rel: the largest translation as a fraction of the image's extent.
        fill: the level of pixels that geometric augmentations leave empty; None: the nearest pixel of the border.
        filter: that of geometric augmentations, "linear" or "nearest".

    Returns:
        `uint8[N, H, W, 3]`.

    Raises:
        ConfigError: an argument cannot be honoured.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from jaxdali import augment
        >>> images, keys = jnp.full((2, 8, 8, 3), 100, jnp.uint8), jax.random.split(jax.random.key(0), 2)
        >>> augmented = jax.jit(augment.trivial_augment_wide)
        >>> bool((augmented(images, keys)[::-1] == augmented(images[::-1], keys[::-1])).all())  # each follows its key
        True
    """
    bins = check_integer("num_magnitude_bins", num_magnitude_bins, 1)
    images = check_batch(images, keys, "trivial_augment_wide")
    far = _translation(max_translate_abs, max_translate_rel, 32)
    suite = suite_of(far, True, True, excluded)
    tables = tables_of([Row(one, magnitude_of(one, bins, k)) for one in suite for k in range(bins)], far)
    for_choice, for_strength, for_sign = split(keys, 3)
    which = uniform(for_choice, values=range(len(suite)), dtype=jnp.int32)
    strength = uniform(for_strength, values=range(bins), dtype=jnp.int32)
    index = 2 * (which * bins + strength) + coin_flip(for_sign)
    return _apply(images, tables, index, shapes, fill, filter)


def _apply(images, tables: Tables, index, shapes, fill: float | None, filter: str) -> jax.Array:
    """Gives each image the augmentation at its index in the tables."""

    def own(table: np.ndarray):
        return jnp.asarray(table)[index]

    if "levels" in tables.passes:
        images = change_levels(images, own(tables.change), own(tables.number), shapes)
    if "color" in tables.passes:
        images = mix(images, hue_matrix(len(images), saturation=own(tables.saturation)))
    if "sharpness" in tables.passes:
        images = sharpen(images, own(tables.sharpness), shapes)
    if "moves" in tables.passes:
        height, width = images.shape[1:3] if shapes is None else (shapes[:, axis] for axis in range(2))
        height, width = (jnp.asarray(extent, jnp.float32).reshape(-1, 1) for extent in (height, width))
        relative = own(tables.relative)
        of_extents = rounded(product(relative[..., 0], width) + product(relative[..., 1], height))
        matrix = jnp.concatenate([own(tables.linear), rounded(own(tables.offset) + of_extents)[..., None]], axis=-1)
        extents = None if shapes is None else shapes[:, :2]
        images = warp_affine(images, matrix, None, shapes, extents=extents, fill=fill, filter=filter)
    return images


def _translation(most_abs: float | None, most_rel: float | None, usual: float) -> Translation:
    if most_abs is not None and most_rel is not None:
        raise ConfigError("translations got both max_translate_abs= and max_translate_rel=; give one of them")
    given = most_rel if most_abs is None else most_abs
    most = usual if given is None else given
    if isinstance(most, bool) or not isinstance(most, int | float) or not 0 <= most < 1 << 20:
        raise ConfigError(f"the largest translation must be a number, 0 or more; got {most!r:.80}")
    return Translation(most, most, most_rel is not None)
