"""Peekable iterators at the place where DALI has them; they need no other package."""

from .decorator import peekable_data_iterator as peekable_data_iterator
from .peekable import DALIGenericPeekableIterator as DALIGenericPeekableIterator

__all__ = ["DALIGenericPeekableIterator", "peekable_data_iterator"]
