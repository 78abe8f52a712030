"""Iterators that give dictionaries of `jax.Array`; DALI's `plugin.jax`. Importing this loads no jax."""

from jaxdali._base.missing import explain_missing
from jaxdali._dali.iterators.iterator import DALIGenericIterator as DALIGenericIterator
from jaxdali._dali.iterators.iterator_decorator import data_iterator as data_iterator
from ..base_iterator import LastBatchPolicy as LastBatchPolicy
from . import clu as clu
from . import fn as fn

__all__ = ["DALIGenericIterator", "LastBatchPolicy", "clu", "data_iterator", "fn"]

__getattr__ = explain_missing(__name__, __all__)


def __dir__() -> list[str]:
    return __all__
