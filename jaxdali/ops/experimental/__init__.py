"""Operators that DALI calls experimental, and former experimental ones under their old names, as classes."""

from jaxdali._dali.operators.classes import class_named, class_names_in
from jaxdali._dali.operators.operator_functions import lazily
from . import decoders as decoders
from . import inputs as inputs
from . import readers as readers

_mine = class_names_in("experimental")
__all__ = sorted([*_mine, "decoders", "inputs", "readers"])  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = lazily(__name__, class_named, _mine, __all__)


def __dir__() -> list[str]:
    return __all__
