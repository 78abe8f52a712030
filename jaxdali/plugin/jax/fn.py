"""Functions of JAX as operators."""

from jaxdali._base.missing import explain_missing
from jaxdali._dali.iterators.jax_function import jax_function as jax_function

__all__ = ["jax_function"]

__getattr__ = explain_missing(__name__, __all__)


def __dir__() -> list[str]:
    return __all__
