"""Random draws as pure functions of (seed, operator, epoch, global sample index).

There is one typed key per sample, always threefry: the same numbers on every platform, for any number of workers or
devices, whatever the default generator is. A draw is a function of its key: `split` keys for two draws of a sample.
"""

from jaxdali._base.missing import explain_missing
from jaxdali._device.random.beta_draws import beta as beta
from jaxdali._device.random.choices import choice as choice
from jaxdali._device.random.choices import permutation as permutation
from jaxdali._device.random.draws import coin_flip as coin_flip
from jaxdali._device.random.draws import normal as normal
from jaxdali._device.random.draws import uniform as uniform
from jaxdali._device.random.image_mixing import cutmix as cutmix
from jaxdali._device.random.image_mixing import mixup as mixup
from jaxdali._device.random.keys import sample_keys as sample_keys
from jaxdali._device.random.keys import split as split
from jaxdali._device.random.keys import to_words as to_words
from jaxdali._device.random.mask_pixels import pixel as pixel
from jaxdali._device.random.mask_pixels import window_about as window_about
from jaxdali._device.random.poisson import poisson as poisson
from jaxdali._device.random.windows import resized_crop_window as resized_crop_window

__all__ = [
    "beta",
    "choice",
    "coin_flip",
    "cutmix",
    "mixup",
    "normal",
    "permutation",
    "pixel",
    "poisson",
    "resized_crop_window",
    "sample_keys",
    "split",
    "to_words",
    "uniform",
    "window_about",
]

__getattr__ = explain_missing(__name__, __all__)


def __dir__() -> list[str]:
    return __all__
