"""Automatic augmentation: AutoAugment, RandAugment and TrivialAugment, as DALI has them.

Each image is changed in its own way, by what is drawn for it. What DALI gives to each image by branches is here a few passes
over all of them: one changes levels, one moves pixels, one rotates, two are of saturation and sharpness; those that are to
stay as they are go through with a change that changes nothing. Augmentations of one's own, `@augmentation`, are computed for
all images and selected. Pipelines need no `enable_conditionals=True` for it. Videos are refused.
"""

from . import augmentations as augmentations
from . import auto_augment as auto_augment
from . import core as core
from . import rand_augment as rand_augment
from . import trivial_augment as trivial_augment

__all__ = ["augmentations", "auto_augment", "core", "rand_augment", "trivial_augment"]
