"""Automatic augmentation: AutoAugment, RandAugment and TrivialAugment, with DALI's API.

Each image is changed in its own way, according to its draws. DALI uses branches for that; here it takes a few passes
over all images: one changes levels, one moves pixels, one rotates, one changes saturation, and one sharpness. A pass
leaves images unchanged that are to stay as they are. User-defined augmentations (`@augmentation`) are computed for all
images, and then selected. Pipelines do not need `enable_conditionals=True`. Videos are refused.
"""

from . import augmentations as augmentations
from . import auto_augment as auto_augment
from . import core as core
from . import rand_augment as rand_augment
from . import trivial_augment as trivial_augment

__all__ = ["augmentations", "auto_augment", "core", "rand_augment", "trivial_augment"]


def __dir__() -> list[str]:
    return __all__
