"""Readers: sources that know where their data are stored, and cut them into shards."""

from jaxdali._dali.operators.operator_functions import function_named, lazily, names_in

_mine = names_in("readers")
__all__ = sorted(_mine)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = lazily(__name__, function_named, _mine, __all__)


def __dir__() -> list[str]:
    return __all__
