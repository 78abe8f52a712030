"""Mixes the images of a batch with each other, and their labels with them."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from ..image.exact_arithmetic import product
from .beta_draws import beta
from .keys import check_keys

__all__ = ["cutmix", "mixup"]


@on_any_mesh
def mixup(key: jax.Array, images: Array, labels: Array, *, alpha: float = 0.2) -> tuple[jax.Array, jax.Array]:
    """Mixes each image with another one of the batch, and their labels in the same proportion
    (https://arxiv.org/abs/1710.09412). It needs the whole batch: use it in `Loader(mix=)`, or in your training step.
    Equal keys mix alike, so several arrays, such as two views of each image, are mixed by one call each.

    Args:
        key: a typed threefry key, as a Loader gives it to `mix`.
        images: `[N, ...]`, float.
        labels: `[N, classes]`, float: a probability for each class, such as `jax.nn.one_hot`.
        alpha: positive; each image's share is drawn from the beta distribution (alpha, alpha).

    Returns:
        Images and labels, of the same shapes and types. The larger share is that of the row's own image.

    Raises:
        ConfigError: the key is of another kind; arrays are not float, or differ in their number of rows; or `alpha` is
            not positive.

    Example:
        >>> import jax, numpy as np
        >>> from jaxdali import random
        >>> black_and_white = np.stack([np.zeros((4, 4, 1)), np.ones((4, 4, 1))])
        >>> images, labels = jax.jit(random.mixup)(jax.random.key(0), black_and_white, np.eye(2))
        >>> images[:, 0, 0, 0] == labels[:, 1]
        Array([ True,  True], dtype=bool)
    """
    _check("mixup", key, images, labels, alpha)
    for_partner, for_share = _split(key, 2)
    partner = _order(for_partner, len(images))
    share = beta(_split(for_share, len(images)), alpha, alpha)
    share = jnp.maximum(share, 1 - share)
    return _blend(images, images[partner], share), _blend(labels, labels[partner], share)


@on_any_mesh
def cutmix(key: jax.Array, images: Array, labels: Array, *, alpha: float = 1.0) -> tuple[jax.Array, jax.Array]:
    """Pastes a window of another image of the batch into each image, and mixes their labels by the window's share of
    the area (https://arxiv.org/abs/1905.04899). It needs the whole batch: use it in `Loader(mix=)`, or in your training
    step.

    Args:
        key: a typed threefry key, as a Loader gives it to `mix`.
        images: `[N, H, W, C]`, float.
        labels: `[N, classes]`, float.
        alpha: positive; each image's share of the area is drawn from the beta distribution (alpha, alpha).

    Returns:
        Images and labels, of the same shapes and types.

    Raises:
        ConfigError: the key is of another kind; arrays are not float, differ in their number of rows, or images have
            another rank; or `alpha` is not positive.

    Example:
        >>> import jax, numpy as np
        >>> from jaxdali import random
        >>> black_and_white = np.stack([np.zeros((4, 4, 1)), np.ones((4, 4, 1))])
        >>> images, labels = jax.jit(random.cutmix)(jax.random.key(0), black_and_white, np.eye(2))
        >>> images.mean(axis=(1, 2, 3)) == labels[:, 1]
        Array([ True,  True], dtype=bool)
    """
    _check("cutmix", key, images, labels, alpha)
    if jnp.ndim(images) != 4:
        raise ConfigError(f"cutmix expects images [N, H, W, C], got shape {jnp.shape(images)}")
    for_partner, for_share, for_center = _split(key, 3)
    count, height, width, _ = images.shape
    partner = _order(for_partner, count)
    side = jnp.sqrt(1 - beta(_split(for_share, count), alpha, alpha))
    center = _unit(_bits(for_center, 2 * count)).reshape(2, count)
    inside = [_inside(center[axis], side, extent) for axis, extent in enumerate((height, width))]
    cut = inside[0][:, :, None, None] & inside[1][:, None, :, None]
    share = 1 - cut.mean(axis=(1, 2, 3), dtype=jnp.float32)
    return jnp.where(cut, images[partner], images), _blend(labels, labels[partner], share)


# The draws of `jax.random` as they are without settings. There they also depend on `jax_threefry_partitionable` and, by
# their types, on `jax_enable_x64`.


def _split(key: jax.Array, number: int) -> jax.Array:
    """What `jax.random.split` makes."""
    return jax.vmap(lambda place: jax.random.fold_in(key, place))(jnp.arange(number, dtype=jnp.uint32))


def _bits(key: jax.Array, number: int) -> jax.Array:
    """What `jax.random.bits` draws, `uint32[number]`."""
    words = jax.random.key_data(_split(key, number))
    return words[:, 0] ^ words[:, 1]


def _unit(bits: jax.Array) -> jax.Array:
    """What `jax.random.uniform` makes of bits."""
    return lax.bitcast_convert_type((bits >> 9) | np.uint32(0x3F800000), jnp.float32) - 1


def _order(key: jax.Array, count: int) -> jax.Array:
    """What `jax.random.permutation` draws, `int32[count]`: sorts by random words, more than once if some may be equal."""
    order = jnp.arange(count, dtype=jnp.int32)
    for _ in range(math.ceil(3 * math.log(max(count, 1)) / math.log(2**32 - 1))):
        key, own = _split(key, 2)
        order = lax.sort_key_val(_bits(own, count), order)[1]
    return order


def _inside(center: jax.Array, side: jax.Array, extent: int) -> jax.Array:
    """`bool[N, extent]`: which pixels along an axis a window covers; windows are cut off at the image's edge."""
    places = jnp.arange(extent, dtype=jnp.float32)[None] + 0.5
    return jnp.abs(places - product(center, extent)[:, None]) < product(side, extent / 2)[:, None]


def _blend(own: Any, others: Any, share: jax.Array) -> jax.Array:
    # Each product is rounded separately. Otherwise the number of devices would decide which one is fused with the sum.
    kind = jnp.promote_types(own.dtype, jnp.float32)
    share = share.reshape(-1, *[1] * (own.ndim - 1)).astype(kind)
    return (product(own.astype(kind), share) + product(others.astype(kind), 1 - share)).astype(own.dtype)


def _check(name: str, key: Any, images: Any, labels: Any, alpha: float) -> None:
    if not isinstance(key, jax.Array) or key.ndim:
        raise ConfigError(f"{name} expects one typed threefry key, as Loader(mix=) gets it, got shape {jnp.shape(key)}")
    check_keys(key[None])
    for what, array in (("images", images), ("labels", labels)):
        if isinstance(array, dict | list | tuple):
            raise ConfigError(
                f"{name} expects {what} as one array, got {type(array).__name__}; calls with equal keys mix alike, so call "
                "it once for each array"
            )
        if not jnp.issubdtype(jnp.result_type(array), jnp.floating) or jnp.ndim(array) < 2:
            raise ConfigError(
                f"{name} expects {what} of a float type, [N, ...], got {jnp.result_type(array)}{list(jnp.shape(array))}"
                + ("; jax.nn.one_hot makes them of numbers of classes" if what == "labels" else "")
            )
    if jnp.shape(images)[0] != jnp.shape(labels)[0]:
        raise ConfigError(
            f"{name} expects a label for each image, got {jnp.shape(labels)[0]} for {jnp.shape(images)[0]}"
        )
    if not alpha > 0:
        raise ConfigError(f"{name}: alpha must be positive, got {alpha}")
