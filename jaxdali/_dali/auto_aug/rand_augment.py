"""RandAugment: several augmentations one after the other, each drawn at random, all of the same strength."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from jaxdali.errors import ConfigError, check_integer
from ..graph.call import DataNode
from . import augmentations as a
from .core.augmentation import Augmentation
from .core.magnitudes import drawn
from .core.selection import Row, apply_rows, check_arguments
from .translations import translations

__all__ = [
    "apply_rand_augment",
    "by_plain_factors",
    "get_rand_augment_non_monotonic_suite",
    "get_rand_augment_suite",
    "monotonic_suite",
    "rand_augment",
    "taken_arguments",
    "without_excluded",
]


def rand_augment(
    data: DataNode,
    n: int,
    m: int,
    num_magnitude_bins: int = 31,
    shape: DataNode | tuple[int, int] | None = None,
    fill_value: int | None = 128,
    interp_type: object = None,
    max_translate_abs: int | tuple[int, int] | None = None,
    max_translate_rel: float | tuple[float, float] | None = None,
    seed: int | None = None,
    monotonic_mag: bool = True,
    excluded: list[str] | None = None,
) -> DataNode:
    """Applies `n` augmentations of `get_rand_augment_suite` to each image, drawn one by one; DALI's function.

    Args:
        data: images of UINT8, layout "HWC".
        n: how many, one after the other.
        m: their magnitude bin, 0 to `num_magnitude_bins` - 1.
        num_magnitude_bins: the number of bins that magnitudes are divided into.
        shape: (height, width), or a node with that for each sample: translations are then measured in it.
        fill_value: the level of pixels that warps leave empty; None extends the border.
        interp_type: that of warps, types.INTERP_LINEAR or INTERP_NN.
        max_translate_abs: without `shape`, the largest translation in pixels, a number or (height, width); 100 by
            default.
        max_translate_rel: with `shape`, the largest translation in extents; 100 / 224 by default.
        seed: that of its own random stream.
        monotonic_mag: a higher bin is stronger; with False, the magnitudes are those of
            `get_rand_augment_non_monotonic_suite`.
        excluded: names of augmentations to leave out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    suite = get_rand_augment_suite if monotonic_mag else get_rand_augment_non_monotonic_suite
    several = without_excluded(suite(shape is not None, max_translate_abs, max_translate_rel), excluded, "rand_augment")
    used = taken_arguments(several, shape, fill_value, interp_type)
    return apply_rand_augment(several, data, n, m, num_magnitude_bins, seed, **used)


def apply_rand_augment(
    augmentations: Sequence[Augmentation],
    data: DataNode,
    n: int,
    m: int,
    num_magnitude_bins: int = 31,
    seed: int | None = None,
    **kwargs: object,
) -> DataNode:
    """Applies `n` of some augmentations to each sample, drawn one by one, with the magnitude bin `m`.

    Args:
        kwargs: arguments of the augmentations; each gets those that its function takes.

    Raises:
        ConfigError: there are no augmentations, the bin does not exist, or no augmentation takes an argument.
    """
    check_integer("n", n, 0)
    check_integer("num_magnitude_bins", num_magnitude_bins, 1)
    check_integer("m", m, 0, num_magnitude_bins - 1)
    if n == 0:
        warnings.warn("apply_rand_augment with n=0 does nothing", stacklevel=2)
        return data
    if not augmentations:
        raise ConfigError("apply_rand_augment expects at least one augmentation")
    check_arguments(augmentations, kwargs, "apply_rand_augment")
    rows = [Row(one, m if one.mag_range is not None else None) for one in augmentations]
    which = drawn(range(len(rows)), seed, (n,), stream=0)
    negated = any(one.randomly_negate for one in augmentations)
    signs = drawn([0, 1], seed, (n,)) if negated else None
    for step in range(n):
        sign = None if signs is None else signs[step]
        data = apply_rows(data, rows, num_magnitude_bins, which[step], sign, kwargs)
    return data


def get_rand_augment_suite(
    use_shape: bool = False, max_translate_abs: object = None, max_translate_rel: object = None
) -> list[Augmentation]:
    """Returns the augmentations of `rand_augment`: the higher the bin, the stronger. Arguments as there."""
    moved = translations(use_shape, 100, 100 / 224, max_translate_abs, max_translate_rel)
    return monotonic_suite(moved, 0.3, 30, (0, 0.9), 4)


def monotonic_suite(
    moved: list[Augmentation], shear: float, degrees: float, enhanced: tuple[float, float], least_bits: int
) -> list[Augmentation]:
    """Returns augmentations of which each is stronger in a higher bin.

    Args:
        moved: the translations.
        shear: the largest factor.
        degrees: the largest angle.
        enhanced: the smallest and largest change of factors of brightness, contrast, color and sharpness.
        least_bits: how many bits of levels `posterize` leaves in the highest bin.
    """
    return [
        *moved,
        a.shear_x.augmentation((0, shear), True),
        a.shear_y.augmentation((0, shear), True),
        a.rotate.augmentation((0, degrees), True),
        a.brightness.augmentation(enhanced, True, a.shift_enhance_range),
        a.contrast.augmentation(enhanced, True, a.shift_enhance_range),
        a.color.augmentation(enhanced, True, a.shift_enhance_range),
        a.sharpness.augmentation(enhanced, True, a.sharpness_kernel),
        a.posterize.augmentation((8, least_bits), False, a.poster_mask_uint8),
        a.solarize.augmentation((256, 0)),
        a.equalize,
        a.auto_contrast,
        a.identity,
    ]


def get_rand_augment_non_monotonic_suite(
    use_shape: bool = False, max_translate_abs: object = None, max_translate_rel: object = None
) -> list[Augmentation]:
    """Returns the same augmentations with the magnitudes of other implementations: factors range from 0.1 to 1.9, and
    `posterize` and `solarize` weaken as bins rise.
    """
    return [
        *get_rand_augment_suite(use_shape, max_translate_abs, max_translate_rel)[:5],
        *by_plain_factors(),
        a.posterize.augmentation((0, 4), False, a.poster_mask_uint8),
        a.solarize.augmentation((0, 256)),
        a.equalize,
        a.auto_contrast,
        a.identity,
    ]


def by_plain_factors() -> list[Augmentation]:
    """Returns brightness, contrast, color and sharpness with the magnitudes of other implementations, 0.1 to 1.9."""
    factor: Any = {"mag_range": (0.1, 1.9), "randomly_negate": False}
    enhanced = [one.augmentation(**factor, mag_to_param=None) for one in (a.brightness, a.contrast, a.color)]
    return [*enhanced, a.sharpness.augmentation(**factor, mag_to_param=a.sharpness_kernel_shifted)]


def taken_arguments(
    several: Sequence[Augmentation], shape: object, fill_value: object, interp_type: object
) -> dict[str, Any]:
    """Returns those of these arguments of `rand_augment` that any of the augmentations takes."""
    given = {"fill_value": fill_value, "interp_type": interp_type, **({} if shape is None else {"shape": shape})}
    return {name: value for name, value in given.items() if any(name in one.extras for one in several)}


def without_excluded(
    several: list[Augmentation], excluded: Sequence[str] | None, display_name: str
) -> list[Augmentation]:
    """Returns the augmentations that are not excluded.

    Raises:
        ConfigError: an excluded augmentation does not exist.
    """
    names = [one.name for one in several]
    for name in excluded or ():
        if name not in names:
            raise ConfigError(f"{display_name}(excluded=) names {name!r}; expected some of {', '.join(names)}")
    return [one for one in several if one.name not in (excluded or ())]
