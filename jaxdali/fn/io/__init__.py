"""Operators that read."""

from jaxdali._dali.operators.operator_functions import function_named, lazily, names_in
from . import file as file

_mine = names_in("io")
__all__ = sorted([*_mine, "file"])  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = lazily(__name__, function_named, _mine, __all__)


def __dir__() -> list[str]:
    return __all__
