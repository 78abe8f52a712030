"""Decodes a row group of a Parquet file with pyarrow, and gives its rows one by one."""

from __future__ import annotations

import bisect
import functools
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import SourceDataError
from ..interruptions import raised_by_handler
from ..missing import load_extra

__all__ = ["Group", "read_group"]

# Returns a column's value at a row.
_Value = Callable[[int], Any]


class Group:
    """The columns of a row group."""

    def __init__(self, name: str, columns: Mapping[str, _Value]):
        self._name, self._columns = name, dict(columns)

    def row(self, number: int) -> dict[str, Any]:
        """Returns a row.

        Raises:
            SourceDataError: a value is null, or cannot be an array.
        """
        try:
            return {name: value(number) for name, value in self._columns.items()}
        except SourceDataError as error:
            raise SourceDataError(f"{self._name}, row {number}: {error}") from None


def read_group(
    path: str, footer: bytes, number: int, rows: int, pieces: Mapping[int, bytes], columns: Sequence[str] | None
) -> Group:
    """Decodes a row group.

    Args:
        path: the file's path, for errors.
        footer: the file's footer, and the bytes after it.
        number: the index of the row group in the file.
        rows: how many rows it has.
        pieces: the bytes of its columns, by their offsets in the file.
        columns: the columns to read; None: all.

    Raises:
        SourceDataError: the row group is damaged, or has columns that cannot be arrays.
        BackendUnavailable: pyarrow is not installed.
    """
    parquet = load_extra("pyarrow.parquet", "readers", "jaxdali.source.Parquet")
    name = f"{path}, row group {number}"
    try:
        metadata = parquet.read_metadata(io.BytesIO(b"PAR1" + footer))
        file = parquet.ParquetFile(_Pieces(pieces), metadata=metadata, pre_buffer=False)
        table = file.read_row_group(number, columns=columns, use_threads=False)
        if table.num_rows != rows:
            raise SourceDataError(f"{table.num_rows} rows, but the footer said {rows}; the file has changed")
        found = {one: _reader(table[one], one) for one in table.column_names}
    except MemoryError:
        raise
    except Exception as error:  # pyarrow raises many kinds
        if raised_by_handler(error):
            raise
        raise SourceDataError(f"{name}: {error}") from None
    return Group(name, found)


class _Pieces(io.RawIOBase):
    """A file object that has only some pieces of a file."""

    def __init__(self, pieces: Mapping[int, bytes]):
        super().__init__()
        self._places = sorted(pieces)
        self._pieces = pieces
        self._at = 0
        self._size = max(place + len(data) for place, data in pieces.items())

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = base + offset
        return self._at

    def read(self, size: int = -1) -> bytes:
        begin, left = self._at, max(self._size - self._at, 0)
        end = begin + (min(size, left) if size >= 0 else left)
        self._at = end
        first = max(bisect.bisect_right(self._places, begin) - 1, 0)
        near = [place for place in self._places[first:] if place < end]
        if len(near) == 1 and near[0] <= begin and end <= near[0] + len(self._pieces[near[0]]):
            return self._pieces[near[0]][begin - near[0] : end - near[0]]
        found = bytearray(end - begin)  # zeros between the pieces, which nobody looks at
        for place in near:
            data = self._pieces[place][max(begin - place, 0) : end - place]
            to = max(place - begin, 0)
            found[to : to + len(data)] = data
        return bytes(found)


def _reader(array: Any, name: str) -> _Value:
    """Returns a function that gives the value of an Arrow array, or chunked array, at a row."""
    import pyarrow as pa
    from pyarrow import types

    kind = array.type
    if isinstance(array, pa.ChunkedArray):
        if array.num_chunks == 1:
            return _reader(array.chunk(0), name)
        # There are several chunks because 32-bit offsets end at 2 GiB, so the combined one gets 64-bit offsets.
        narrow = types.is_string(kind) or types.is_binary(kind)
        return _reader((array.cast(pa.large_binary()) if narrow else array).combine_chunks(), name)
    if types.is_dictionary(kind):
        return _reader(array.dictionary_decode(), name)
    value: _Value
    if types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind):
        filled = array.fill_null(False if types.is_boolean(kind) else 0) if array.null_count else array
        value = filled.to_numpy(zero_copy_only=False).__getitem__
    elif types.is_string(kind) or types.is_large_string(kind):
        value = functools.partial(_bytes, array.cast(pa.large_binary()))
    elif types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        value = functools.partial(_bytes, array)
    elif types.is_struct(kind):
        fields = [kind.field(k).name for k in range(kind.num_fields)]
        readers = {field: _reader(one, f"{name}.{field}") for field, one in zip(fields, array.flatten(), strict=True)}
        value = lambda row: {field: one(row) for field, one in readers.items()}  # noqa: E731
    elif _is_list(kind):
        item = kind.value_type
        while _is_list(item):
            item = item.value_type
        if not (types.is_integer(item) or types.is_floating(item) or types.is_boolean(item)):
            raise SourceDataError(f"column {name!r} has lists of {item}, expected numbers; leave it out with columns=")
        value = functools.partial(_list, array, name)
    else:
        raise SourceDataError(
            f"column {name!r} has the type {kind}, expected numbers, bytes, text, or lists of numbers; leave it out with "
            "columns="
        )
    if not array.null_count:
        return value
    valid = array.is_valid().to_numpy(zero_copy_only=False)

    def checked(row: int) -> Any:
        if not valid[row]:
            raise SourceDataError(f"column {name!r} is null there, which no array can hold; leave it out with columns=")
        return value(row)

    return checked


def _is_list(kind: Any) -> bool:
    from pyarrow import types

    return types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)


def _bytes(array: Any, row: int) -> bytes:
    return array[row].as_py()


def _list(array: Any, name: str, row: int) -> np.ndarray:
    return _dense(array[row].values, name)


def _dense(array: Any, name: str) -> np.ndarray:
    """Converts an Arrow array of numbers, or of lists of one length, to NumPy."""
    if array.null_count:
        raise SourceDataError(f"column {name!r} has a null in its list there, which no array can hold")
    if not _is_list(array.type):
        return array.to_numpy(zero_copy_only=False)
    parts = [_dense(one.values, name) for one in array]
    if len({part.shape for part in parts}) > 1:
        raise SourceDataError(f"column {name!r} has a list of lists of different lengths there, expected one length")
    if parts:
        return np.stack(parts)
    # Without lists, only the type tells how many levels there are, and the type of the numbers.
    item, levels = array.type, 1
    while _is_list(item):
        item, levels = item.value_type, levels + 1
    return np.zeros((0,) * levels, item.to_pandas_dtype())
