"""Peekable iterators, where DALI has them; no other package is needed."""

from .decorator import peekable_data_iterator as peekable_data_iterator
from .peekable import DALIGenericPeekableIterator as DALIGenericPeekableIterator

__all__ = ["DALIGenericPeekableIterator", "peekable_data_iterator"]
