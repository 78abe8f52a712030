"""Decoders as classes."""

from ..missing import explain_missing
from ..operators.classes import classes_in

_classes = classes_in("decoders")
globals().update(_classes)
__all__ = sorted(_classes)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = explain_missing("jaxdali.ops.decoders", __all__)


def __dir__() -> list[str]:
    return __all__
