"""Automatic and random augmentation of batches of images, for use in any jit: pure functions of images and one key per
sample.

The result for a sample depends on its key alone, and not on its neighbours, the number of devices or the workers. On a
canvas, each image is in its top left corner, `shapes: int32[N, 3]` says how much of the canvas it covers, and the rest
stays zero.
"""

from jaxdali._base.missing import explain_missing
from jaxdali._device.augment.automatic import auto_augment as auto_augment
from jaxdali._device.augment.automatic import rand_augment as rand_augment
from jaxdali._device.augment.automatic import trivial_augment_wide as trivial_augment_wide
from jaxdali._device.augment.erasing import random_erasing as random_erasing
from jaxdali._device.augment.jitter import color_jitter as color_jitter

__all__ = ["auto_augment", "color_jitter", "rand_augment", "random_erasing", "trivial_augment_wide"]

__getattr__ = explain_missing(__name__, __all__)


def __dir__() -> list[str]:
    return __all__
