"""Automatic and random augmentation of batches of images, for anyone's jit: pure functions of images and a key per sample.

What a sample gets follows from its key alone: not from its neighbours, the number of devices or workers. On a canvas, each
image is in its top left corner, `shapes: int32[N, 3]` says how much of it is image, and what is beyond stays zero.
"""

from .automatic import auto_augment as auto_augment
from .automatic import rand_augment as rand_augment
from .automatic import trivial_augment_wide as trivial_augment_wide
from .erasing import random_erasing as random_erasing
from .jitter import color_jitter as color_jitter

__all__ = ["auto_augment", "color_jitter", "rand_augment", "random_erasing", "trivial_augment_wide"]
