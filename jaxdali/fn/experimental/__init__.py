"""Operators by the names that they had while DALI called them experimental."""

from ...operators.functions import lazily
from . import decoders as decoders

__all__ = ["decoders"]

__getattr__ = lazily(__name__, str, {}, __all__)


def __dir__() -> list[str]:
    return __all__
