"""TrivialAugment: one augmentation per image, drawn together with its strength."""

from jaxdali._dali.auto_aug.trivial_augment import apply_trivial_augment as apply_trivial_augment
from jaxdali._dali.auto_aug.trivial_augment import get_trivial_augment_wide_suite as get_trivial_augment_wide_suite
from jaxdali._dali.auto_aug.trivial_augment import trivial_augment_wide as trivial_augment_wide

__all__ = ["apply_trivial_augment", "get_trivial_augment_wide_suite", "trivial_augment_wide"]


def __dir__() -> list[str]:
    return __all__
