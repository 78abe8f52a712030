"""Iterators that give dictionaries of `jax.Array`; DALI's `plugin.jax`. Importing this loads no jax."""

from ...missing import explain_missing
from ..base_iterator import LastBatchPolicy as LastBatchPolicy
from . import clu as clu
from . import fn as fn
from .decorator import data_iterator as data_iterator
from .iterator import DALIGenericIterator as DALIGenericIterator

__all__ = ["DALIGenericIterator", "LastBatchPolicy", "clu", "data_iterator", "fn"]

__getattr__ = explain_missing(__name__, __all__)
