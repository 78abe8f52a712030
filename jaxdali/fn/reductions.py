"""Reductions of each sample, such as sums and means."""

from jaxdali._dali.operators.operator_functions import function_named, lazily, names_in

_mine = names_in("reductions")
__all__ = sorted(_mine)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = lazily(__name__, function_named, _mine, __all__)


def __dir__() -> list[str]:
    return __all__
