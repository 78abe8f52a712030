"""RandAugment: several augmentations one after the other, each drawn at random, all of the same strength."""

from jaxdali._dali.auto_aug.rand_augment import apply_rand_augment as apply_rand_augment
from jaxdali._dali.auto_aug.rand_augment import (
    get_rand_augment_non_monotonic_suite as get_rand_augment_non_monotonic_suite,
)
from jaxdali._dali.auto_aug.rand_augment import get_rand_augment_suite as get_rand_augment_suite
from jaxdali._dali.auto_aug.rand_augment import rand_augment as rand_augment
from jaxdali._dali.auto_aug.rand_augment import taken_arguments as taken_arguments
from jaxdali._dali.auto_aug.rand_augment import without_excluded as without_excluded

__all__ = [
    "apply_rand_augment",
    "get_rand_augment_non_monotonic_suite",
    "get_rand_augment_suite",
    "rand_augment",
    "taken_arguments",
    "without_excluded",
]


def __dir__() -> list[str]:
    return __all__
