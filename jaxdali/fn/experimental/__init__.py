"""Operators that DALI calls experimental, and former experimental ones under their old names."""

from jaxdali._dali.operators.operator_functions import function_named, lazily, names_in
from . import decoders as decoders
from . import inputs as inputs
from . import readers as readers

_mine = names_in("experimental")
__all__ = sorted([*_mine, "decoders", "inputs", "readers"])  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = lazily(__name__, function_named, _mine, __all__)


def __dir__() -> list[str]:
    return __all__
