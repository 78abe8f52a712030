"""Random draws as pure functions of (seed, operator, epoch, global sample index).

There is one typed key per sample, always threefry: the same numbers on every platform, for any number of workers or
devices, whatever the default generator is. A draw is a function of its key: `split` keys for two draws of a sample.
"""

from .beta import beta as beta
from .choices import choice as choice
from .choices import permutation as permutation
from .draws import coin_flip as coin_flip
from .draws import normal as normal
from .draws import uniform as uniform
from .keys import sample_keys as sample_keys
from .keys import split as split
from .mixing import cutmix as cutmix
from .mixing import mixup as mixup
from .pixels import pixel as pixel
from .pixels import window_about as window_about
from .poisson import poisson as poisson
from .windows import resized_crop_window as resized_crop_window

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
    "uniform",
    "window_about",
]
