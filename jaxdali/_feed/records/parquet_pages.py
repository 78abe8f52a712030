"""How much memory decoding a column of a row group may take, by the headers of its pages: before anything is decoded.

A few bytes may stand for any number of equal values, and a value that is stored once, in a dictionary or as the beginning
of the next ones, may be many rows' value. No size in the footer counts them all.
"""

from __future__ import annotations

from typing import NamedTuple

from .parquet_columns import Leaf
from .thrift import Wrong, number_in, read_struct, struct_in

__all__ = ["ColumnSize", "size_of_column"]

# Field numbers: in a page's header, in that of a page of values, and in its second version.
_KIND, _UNPACKED, _PACKED, _VALUES_1, _VALUES_2 = 1, 2, 3, 5, 8
_COUNT, _ENCODING_1, _ENCODING_2 = 1, 2, 4
# Kinds of pages.
_PAGE_1, _DICTIONARY, _PAGE_2 = 0, 2, 3
# Encodings: numbers of values in a dictionary, and how much of the value before each one begins with.
_OF_DICTIONARY, _OF_BEGINNINGS = (2, 8), 7
# Beside each value: where it begins if its size is its own. How deep it lies, otherwise, which is as much or less than the
# smallest numbers are counted with.
_OFFSET, _LEAST_WIDTH = 8, 4


class ColumnSize(NamedTuple):
    """Bytes that decoding a column takes.

    Attributes:
        sure: at most, if each value that is stored once is kept once.
        shared: how many more, at most, if these are written out for each row.
        longest: the longest of these, at most.
        in_dictionary: whether a dictionary holds all of these.
    """

    sure: int
    shared: int
    longest: int
    in_dictionary: bool


def size_of_column(piece: bytes, kind: Leaf, values: int) -> ColumnSize:
    """Returns the bytes that a column of a row group takes when it is decoded. Looks at the headers of its pages only.

    Args:
        piece: its bytes in the file.
        values: how many values it has, as the footer says.

    Raises:
        Wrong: a page's header is damaged.
    """
    offset = seen = stored = largest = dictionary = of_dictionary = beginnings = longest = 0
    while offset < len(piece):
        try:
            header, offset = read_struct(piece, offset)
        except Wrong as error:
            if seen >= values:  # bytes after the last page, at which nobody looks
                break
            raise Wrong(f"the page at its byte {offset}: {error}") from None
        size, kind_of_page = number_in(header, _UNPACKED), number_in(header, _KIND)
        packed = number_in(header, _PACKED)
        if size < 0 or packed < 0:
            raise Wrong(f"a page before its byte {offset} has {size} bytes, {packed} of them in the file")
        offset, stored, largest = offset + packed, stored + size, max(largest, size)
        if kind_of_page == _DICTIONARY:
            dictionary = max(dictionary, size)
        elif kind_of_page in (_PAGE_1, _PAGE_2):
            first = kind_of_page == _PAGE_1
            inner = struct_in(header, _VALUES_1 if first else _VALUES_2)
            count, encoding = number_in(inner, _COUNT), number_in(inner, _ENCODING_1 if first else _ENCODING_2)
            seen += max(count, 0)
            if encoding in _OF_DICTIONARY:
                of_dictionary += max(count, 0)
            elif encoding == _OF_BEGINNINGS:
                beginnings, longest = beginnings + max(count, 0) * size, max(longest, size)
    count = max(values, seen)
    if kind.width:
        return ColumnSize(count * max(kind.width, _LEAST_WIDTH) + largest, 0, 0, False)
    shared = of_dictionary * dictionary + beginnings
    return ColumnSize(
        count * _OFFSET + stored, shared, max(longest, dictionary if of_dictionary else 0), not beginnings
    )
