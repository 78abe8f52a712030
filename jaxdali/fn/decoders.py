"""Decoders: files in, images out."""

from ..missing import explain_missing
from ..operators.functions import functions_in

_functions = functions_in("decoders")
globals().update(_functions)
__all__ = sorted(_functions)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = explain_missing("jaxdali.fn.decoders", __all__)


def __dir__() -> list[str]:
    return __all__
