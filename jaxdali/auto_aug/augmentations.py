"""The augmentations of AutoAugment, RandAugment and TrivialAugment, on images of UINT8, layout "HWC".

For example, `shear_x.augmentation(mag_range=(0, 0.5))` changes the range of one.
"""

from jaxdali._dali.auto_aug.augmentations import auto_contrast as auto_contrast
from jaxdali._dali.auto_aug.augmentations import brightness as brightness
from jaxdali._dali.auto_aug.augmentations import color as color
from jaxdali._dali.auto_aug.augmentations import contrast as contrast
from jaxdali._dali.auto_aug.augmentations import equalize as equalize
from jaxdali._dali.auto_aug.augmentations import identity as identity
from jaxdali._dali.auto_aug.augmentations import invert as invert
from jaxdali._dali.auto_aug.augmentations import posterize as posterize
from jaxdali._dali.auto_aug.augmentations import rotate as rotate
from jaxdali._dali.auto_aug.augmentations import sharpness as sharpness
from jaxdali._dali.auto_aug.augmentations import shear_x as shear_x
from jaxdali._dali.auto_aug.augmentations import shear_y as shear_y
from jaxdali._dali.auto_aug.augmentations import solarize as solarize
from jaxdali._dali.auto_aug.augmentations import solarize_add as solarize_add
from jaxdali._dali.auto_aug.augmentations import translate_x as translate_x
from jaxdali._dali.auto_aug.augmentations import translate_x_no_shape as translate_x_no_shape
from jaxdali._dali.auto_aug.augmentations import translate_y as translate_y
from jaxdali._dali.auto_aug.augmentations import translate_y_no_shape as translate_y_no_shape

__all__ = [
    "auto_contrast",
    "brightness",
    "color",
    "contrast",
    "equalize",
    "identity",
    "invert",
    "posterize",
    "rotate",
    "sharpness",
    "shear_x",
    "shear_y",
    "solarize",
    "solarize_add",
    "translate_x",
    "translate_x_no_shape",
    "translate_y",
    "translate_y_no_shape",
]


def __dir__() -> list[str]:
    return __all__
