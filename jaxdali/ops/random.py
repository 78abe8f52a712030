"""Random operators as classes."""

from ..operators.classes import class_names_in, class_of
from ..operators.functions import lazily

_mine = class_names_in("random")
__all__ = sorted(_mine)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = lazily(__name__, class_of, _mine, __all__)


def __dir__() -> list[str]:
    return __all__
