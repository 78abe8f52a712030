"""Operators as classes; DALI's `ops`.

The constructor takes some of the arguments of the function in `jaxdali.fn`; a call takes the inputs and the other
arguments.
"""

from jaxdali._dali.operators.classes import class_named, class_names_in
from jaxdali._dali.operators.compose import Compose as Compose
from jaxdali._dali.operators.operator_functions import lazily
from . import decoders as decoders
from . import io as io
from . import noise as noise
from . import random as random
from . import readers as readers
from . import reductions as reductions
from . import segmentation as segmentation
from . import transforms as transforms

_mine = class_names_in("")
_ROOMS = ["decoders", "experimental", "io", "noise", "random", "readers", "reductions", "segmentation", "transforms"]
__all__ = sorted([*_mine, "Compose", *_ROOMS])  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = lazily(__name__, class_named, _mine, __all__)


def __dir__() -> list[str]:
    return __all__
