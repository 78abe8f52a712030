"""Functions that draw a pipeline's graph; DALI's `fn`. Importing them loads no jax.

Each call adds an operator to the pipeline that is being defined and returns its `DataNode`. The computations are the
pure functions of `jaxdali.image` and `jaxdali.random`, which serve just as well in your own jit.

DALI's `bytes_per_sample_hint` sizes the slots of `external_source` and of readers; that of a decoder, the memory of a GPU
for images that are decoded ahead. All others take it, too, and look at nothing but its form: it is there so that no
buffer is allocated twice, and what they compute is part of one program, of which XLA knows the exact size of each buffer
before it runs.
"""

from ..missing import explain_missing
from . import decoders as decoders
from . import random as random
from . import readers as readers
from .color import brightness_contrast as brightness_contrast
from .cropping import crop as crop
from .cropping import crop_mirror_normalize as crop_mirror_normalize
from .external_source import external_source as external_source
from .geometry import flip as flip
from .geometry import random_resized_crop as random_resized_crop
from .geometry import resize as resize

__all__ = [
    "brightness_contrast",
    "crop",
    "crop_mirror_normalize",
    "decoders",
    "external_source",
    "flip",
    "random",
    "random_resized_crop",
    "readers",
    "resize",
]

__getattr__ = explain_missing("jaxdali.fn", __all__)


def __dir__() -> list[str]:
    return __all__
