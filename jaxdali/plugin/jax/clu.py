"""Peekable iterators, where DALI has them; no other package is needed."""

from jaxdali._dali.iterators.iterator_decorator import peekable_data_iterator as peekable_data_iterator
from jaxdali._dali.iterators.peekable import DALIGenericPeekableIterator as DALIGenericPeekableIterator

__all__ = ["DALIGenericPeekableIterator", "peekable_data_iterator"]
