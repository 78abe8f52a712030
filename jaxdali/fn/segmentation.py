"""Objects, pixels and polygons of masks."""

from jaxdali._dali.operators.operator_functions import function_named, lazily, names_in

_mine = names_in("segmentation")
__all__ = sorted(_mine)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = lazily(__name__, function_named, _mine, __all__)


def __dir__() -> list[str]:
    return __all__
