"""Limits on translations of images."""

from __future__ import annotations

from jaxdali.errors import ConfigError
from . import augmentations as a
from .core.augmentation import Augmentation

__all__ = ["translations"]


def translations(
    use_shape: bool, usual_abs: int, usual_rel: float, most_abs: object, most_rel: object
) -> list[Augmentation]:
    """Returns the translations along x and y.

    Args:
        use_shape: measure them in extents of the image.
        usual_abs, usual_rel: the default limits, in pixels and in extents.
        most_abs, most_rel: the user's limits, each one number or (height, width).

    Raises:
        ConfigError: the limit that has no effect is given, or a limit is not a number.
    """
    other, name = (most_abs, "max_translate_abs") if use_shape else (most_rel, "max_translate_rel")
    if other is not None:
        with_shape = "with shape=, translations are fractions of the extents: give max_translate_rel="
        without = "without shape=, translations are in pixels: give max_translate_abs="
        raise ConfigError(f"{name}={other!r:.80} has no effect; {with_shape if use_shape else without}")
    most = (most_rel if use_shape else most_abs) if (most_abs, most_rel) != (None, None) else None
    most = (usual_rel if use_shape else usual_abs) if most is None else most
    pair = tuple(most) if isinstance(most, list | tuple) else (most, most)
    if len(pair) != 2 or not all(isinstance(one, int | float) for one in pair):
        raise ConfigError(f"the largest translation must be a number, or (height, width); got {most!r:.80}")
    height, width = pair
    along_x, along_y = (a.translate_x, a.translate_y) if use_shape else (a.translate_x_no_shape, a.translate_y_no_shape)
    return [along_x.augmentation((0, width), True), along_y.augmentation((0, height), True)]
