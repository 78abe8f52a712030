"""Random operators as classes."""

from jaxdali._dali.operators.classes import class_named, class_names_in
from jaxdali._dali.operators.operator_functions import lazily

_mine = class_names_in("random")
__all__ = sorted(_mine)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = lazily(__name__, class_named, _mine, __all__)


def __dir__() -> list[str]:
    return __all__
