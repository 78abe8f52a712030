"""Readers as classes."""

from ..missing import explain_missing
from ..operators.classes import classes_in

_classes = classes_in("readers")
globals().update(_classes)
__all__ = sorted(_classes)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = explain_missing("jaxdali.ops.readers", __all__)


def __dir__() -> list[str]:
    return __all__
