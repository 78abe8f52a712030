"""Where samples come from: what users hand in, and how it is called."""

from .folder import ImageFolder as ImageFolder

__all__ = ["ImageFolder"]


def __dir__() -> list[str]:
    return __all__
