"""Operators as classes; DALI's `ops`. An object is made with some of the arguments of the function in `jaxdali.fn`, and
called with inputs and the others.
"""

from ..missing import explain_missing
from ..operators.classes import classes_in
from . import decoders as decoders
from . import random as random
from . import readers as readers

_classes = classes_in("")
globals().update(_classes)
__all__ = sorted([*_classes, "decoders", "random", "readers"])  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = explain_missing("jaxdali.ops", __all__)


def __dir__() -> list[str]:
    return __all__
