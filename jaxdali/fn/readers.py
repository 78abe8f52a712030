"""Readers: sources that know where their data lie, and cut them into shards."""

from ..missing import explain_missing
from ..operators.functions import functions_in

_functions = functions_in("readers")
globals().update(_functions)
__all__ = sorted(_functions)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = explain_missing("jaxdali.fn.readers", __all__)


def __dir__() -> list[str]:
    return __all__
