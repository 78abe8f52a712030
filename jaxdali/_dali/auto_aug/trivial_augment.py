"""TrivialAugment: one augmentation per image, drawn together with its strength."""

from __future__ import annotations

from collections.abc import Sequence

from jaxdali.errors import ConfigError, check_integer
from ..graph.call import DataNode
from .core.augmentation import Augmentation
from .core.magnitudes import drawn
from .core.selection import Row, apply_rows, check_arguments
from .rand_augment import monotonic_suite, taken_arguments, without_excluded
from .translations import translations

__all__ = ["apply_trivial_augment", "get_trivial_augment_wide_suite", "trivial_augment_wide"]


def trivial_augment_wide(
    data: DataNode,
    num_magnitude_bins: int = 31,
    shape: DataNode | tuple[int, int] | None = None,
    fill_value: int | None = 128,
    interp_type: object = None,
    max_translate_abs: int | tuple[int, int] | None = None,
    max_translate_rel: float | tuple[float, float] | None = None,
    seed: int | None = None,
    excluded: list[str] | None = None,
) -> DataNode:
    """Applies one augmentation of `get_trivial_augment_wide_suite` to each image, drawn with its magnitude; DALI's
    function.

    Args:
        max_translate_abs: 32 by default.
        max_translate_rel: 1 by default.
        data, num_magnitude_bins, shape, fill_value, interp_type, seed, excluded: as in `rand_augment`.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    suite = get_trivial_augment_wide_suite(shape is not None, max_translate_abs, max_translate_rel)
    several = without_excluded(suite, excluded, "trivial_augment_wide")
    used = taken_arguments(several, shape, fill_value, interp_type)
    return apply_trivial_augment(several, data, num_magnitude_bins, seed, **used)


def apply_trivial_augment(
    augmentations: Sequence[Augmentation],
    data: DataNode,
    num_magnitude_bins: int = 31,
    seed: int | None = None,
    **kwargs: object,
) -> DataNode:
    """Applies one of some augmentations to each sample, drawn with its magnitude bin.

    Args:
        kwargs: arguments of the augmentations; each gets those that its function takes.

    Raises:
        ConfigError: there are no augmentations, or no augmentation takes an argument.
    """
    check_integer("num_magnitude_bins", num_magnitude_bins, 1)
    if not augmentations:
        raise ConfigError("apply_trivial_augment expects at least one augmentation")
    check_arguments(augmentations, kwargs, "apply_trivial_augment")
    bins = range(num_magnitude_bins)
    rows = [Row(one, which if one.mag_range is not None else None) for one in augmentations for which in bins]
    one = drawn(range(len(augmentations)), seed, stream=0)
    strength = drawn(bins, seed, stream=2)
    negated = any(one.randomly_negate for one in augmentations)
    sign = drawn([0, 1], seed) if negated else None
    return apply_rows(data, rows, num_magnitude_bins, one * num_magnitude_bins + strength, sign, kwargs)


def get_trivial_augment_wide_suite(
    use_shape: bool = False, max_translate_abs: object = None, max_translate_rel: object = None
) -> list[Augmentation]:
    """Returns the augmentations of `trivial_augment_wide`. Arguments as there; `use_shape` says that `shape` is given."""
    moved = translations(use_shape, 32, 1.0, max_translate_abs, max_translate_rel)
    return monotonic_suite(moved, 0.99, 135, (0.01, 0.99), 2)
