"""Windows must lie within their images. One that is known not to is an error while tracing; any other becomes a bound of
the recipe, which the call that makes the images checks for each row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from .image_arguments import is_host

__all__ = ["Bound", "are_within", "bounded", "bounds_behind_cut", "check_room", "check_within", "regions_of"]


class Bound(NamedTuple):
    """A condition on each image: that it contains its window."""

    windows: Any
    """`int32[N, 4]`, top, left, height, width. None: the recipe's own, which the call compares with the image anyway."""
    extents: Any
    """`int32[N, 2]`, height and width of what the windows are cut from; None: the source's images."""


def are_within(windows: Array, extents: Array) -> Array:
    """Whether windows have pixels, all of them within images of these extents, `bool[N]`."""
    start, size = windows[:, :2], windows[:, 2:]
    # A sum of start and size could exceed int32.
    return ((start >= 0) & (size >= 1) & (size <= extents - start)).all(axis=1)


def bounds_behind_cut(bounds: tuple[Bound, ...], window: Any, bound: Bound | None) -> tuple[Bound, ...]:
    """The bounds of a recipe whose window is replaced by one within it.

    Args:
        window: `int32[N, 4]`, of the recipe so far; None: it has none.
        bound: of the new window; None: it holds for certain.
    """
    if window is None:
        return () if bound is None else (Bound(None, None),)
    # An image may contain the new window without containing this one.
    kept = tuple(Bound(window, None) if one.windows is None else one for one in bounds)
    return kept if bound is None else (*kept, bound)


def bounded(window: jax.Array, bounds: Sequence[Bound], extents: jax.Array) -> jax.Array:
    """The windows of source images, each of them replaced by one outside of its image if a bound does not hold.

    So there is one place where a call finds out that a row fails, whatever the windows were cut from.

    Args:
        window: `int32[N, 4]`.
        extents: `int32[N, 2]`, of the source's images.
    """
    for bound in reversed(bounds):  # the first one that does not hold decides
        if bound.windows is None:
            continue
        windows = jnp.asarray(bound.windows, jnp.int32) + extents[:, :1] * 0
        holds = are_within(windows, extents if bound.extents is None else jnp.asarray(bound.extents, jnp.int32))
        # The error shows these numbers. Negative extents are outside of any image.
        ambiguous = are_within(windows, extents)
        outside = jnp.concatenate([windows[:, :2], jnp.where(ambiguous[:, None], -windows[:, 2:], windows[:, 2:])], 1)
        window = jnp.where(holds[:, None], window, outside)
    return window


def regions_of(windows: Array) -> Array:
    """The edges of windows, `float32[N, 4]`: y_lo, y_hi, x_lo, x_hi."""
    xp = np if is_host(windows) else jnp
    top, left, height, width = xp.asarray(windows, np.float32).T
    return xp.stack([top, top + height, left, left + width], axis=1)


def check_room(size: tuple[int, int], extents: Array) -> None:
    """Checks that a window of this size has room in all images, if their extents are known while tracing. An image
    without pixels has failed before.

    Raises:
        ConfigError: an image is smaller.
    """
    if not is_host(extents):
        return
    extents = np.asarray(extents)
    wrong = np.flatnonzero((extents > 0).all(axis=1) & (extents < size).any(axis=1))
    if wrong.size:
        raise ConfigError(
            f"a window of {size} is out of bounds of images[{wrong[0]}], which has {_numbers(extents[wrong[0]])} (height, "
            "width); expected at most that. Resize the images to more first, or ask for a smaller window."
        )


def check_within(windows: Array, extents: Array) -> bool:
    """Checks windows that are known while tracing, of images whose extents are. Returns whether they were.

    Raises:
        ConfigError: a window is out of bounds.
    """
    if not (is_host(windows) and is_host(extents)):
        return False
    windows, extents = np.asarray(windows), np.asarray(extents)
    wrong = np.flatnonzero((extents > 0).all(axis=1) & ~are_within(windows.astype(np.int64), extents))
    if wrong.size:
        k = wrong[0]
        raise ConfigError(
            f"windows[{k}] is {_numbers(windows[k])} (top, left, height, width), out of bounds of an image of "
            f"{_numbers(extents[k])} (height, width); expected one pixel or more, all of them within the image. Resize the "
            "images to more first, or ask for a window within images.extents."
        )
    return True


def _numbers(row: np.ndarray) -> tuple[int, ...]:
    return tuple(map(int, row))
