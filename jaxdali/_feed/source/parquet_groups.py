"""Decodes a row group of a Parquet file with pyarrow, and gives its rows one by one."""

from __future__ import annotations

import bisect
import functools
import io
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jaxdali._base.missing import load_extra
from jaxdali.errors import SourceDataError
from ..records.foreign import data_errors
from ..records.parquet_columns import Footer
from ..records.parquet_pages import ColumnSize, size_of_column
from ..records.thrift import Wrong

__all__ = ["Group", "read_group"]

# Limits on the bytes of a decoded row group: in any case, and for each of its bytes in the file.
MOST_BYTES, STORED = 1 << 30, 8
# Limits on what pyarrow does with the names of columns, and on rows that are decoded at once.
_MOST_IN_NAMES, _MOST_ROWS = 1 << 31, 1 << 20

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
    path: str,
    footer: Footer,
    number: int,
    pieces: Mapping[int, bytes],
    columns: Sequence[str] | None,
    most: int | None = None,
) -> Group:
    """Decodes a row group.

    Args:
        path: the file's path, for errors.
        footer: the file's footer.
        number: the index of the row group in the file.
        pieces: the bytes of its columns, by their offsets in the file.
        columns: the columns to read; None: all.
        most: bytes that it may take when it is decoded; None: `MOST_BYTES`, or `STORED` times the bytes of the pieces if
            that is more.

    Raises:
        SourceDataError: the row group is damaged or too large, or has columns that cannot be arrays.
        BackendUnavailable: pyarrow is not installed.
    """
    parquet = load_extra("pyarrow.parquet", "readers", "jaxdali.source.Parquet")
    name = f"{path}, row group {number}"
    if most is None:
        most = max(MOST_BYTES, STORED * sum(map(len, pieces.values())))
    with data_errors(name):
        sizes = _sizes(path, footer, number, pieces, columns, most)
        table = _table(parquet, footer, number, pieces, columns, sizes, most)
        if table.num_rows != footer.rows[number]:
            raise Wrong(f"{table.num_rows} rows, but the footer said {footer.rows[number]}; it is damaged")
        try:
            found = {one: _reader(table[one], one) for one in table.column_names}
        except SourceDataError as error:
            raise Wrong(str(error)) from None
    return Group(name, found)


def _sizes(
    path: str, footer: Footer, number: int, pieces: Mapping[int, bytes], columns: Sequence[str] | None, most: int
) -> dict[int, ColumnSize]:
    """Returns what each column that is read takes when it is decoded, by its number.

    Raises:
        Wrong: a page is damaged, or they take too much.
    """
    # pyarrow makes a list of all beginnings of each name up to a dot.
    if sum(len(name) * name.count(".") for name in footer.names) > _MOST_IN_NAMES:
        raise Wrong("names of columns with so many dots that pyarrow would take too long")
    sizes = {}
    for column in footer.leaves(columns, path):
        begin, stored = footer.ranges[number, column].tolist()
        if begin not in pieces:
            raise Wrong("the file has changed since it was opened")
        kind, values = footer.kinds[column], int(footer.values[number, column])
        try:
            sizes[column] = size_of_column(pieces[begin][:stored], kind, values)
        except Wrong as error:
            raise Wrong(f"column {footer.names[column]!r:.80}: {error}") from None
    _check(sum(one.sure for one in sizes.values()), most)
    return sizes


def _check(size: int, most: int) -> None:
    if size > most:
        raise Wrong(
            f"it takes up to {size} bytes when it is decoded, more than {most}; if it is meant to, write smaller row "
            "groups, read fewer columns=, or give source.Parquet a larger max_group_bytes="
        )


def _table(
    parquet: Any,
    footer: Footer,
    number: int,
    pieces: Mapping[int, bytes],
    columns: Sequence[str] | None,
    sizes: Mapping[int, ColumnSize],
    most: int,
) -> Any:
    """Returns a row group as a table. Values that are stored once stay in a dictionary if they could take too much."""
    metadata = parquet.read_metadata(io.BytesIO(b"PAR1" + footer.content))
    sure = sum(one.sure for one in sizes.values())
    shared = {column: one for column, one in sizes.items() if one.shared}
    fits = sure + sum(one.shared for one in shared.values()) <= most
    names = [footer.names[column] for column, one in shared.items() if one.in_dictionary and not fits]
    file = parquet.ParquetFile(_Pieces(pieces), metadata=metadata, read_dictionary=names or None, pre_buffer=False)
    if fits:
        return file.read_row_group(number, columns=columns, use_threads=False)
    leaves = [leaf for field in file.schema_arrow for leaf in _leaves(field.type)]
    alike = len(leaves) == len(footer.names)
    written_out = {k: one for k, one in shared.items() if not (alike and _is_dictionary(leaves[k]))}
    if not written_out:
        return file.read_row_group(number, columns=columns, use_threads=False)
    longest = sum(one.longest for one in written_out.values())
    if any(footer.kinds[column].repeated for column in written_out):
        _check(sure + sum(one.shared for one in written_out.values()), most)
    # As many rows at a time as fit even if each has the longest value.
    rows = min(max((most - sure) // max(longest, 1), 1), _MOST_ROWS)
    batches, size = [], 0
    for batch in file.iter_batches(rows, row_groups=[number], columns=columns, use_threads=False):
        batches.append(batch)
        size += batch.nbytes
        _check(size, most)
    import pyarrow as pa

    return pa.Table.from_batches(batches)


def _leaves(kind: Any) -> list[Any]:
    """Returns the types of the leaf columns below an Arrow type, in their order."""
    if _is_dictionary(kind) or not kind.num_fields:
        return [kind]
    return [leaf for k in range(kind.num_fields) for leaf in _leaves(kind.field(k).type)]


def _is_dictionary(kind: Any) -> bool:
    from pyarrow import types

    return types.is_dictionary(kind)


class _Pieces(io.RawIOBase):
    """A file object that has only some pieces of a file."""

    def __init__(self, pieces: Mapping[int, bytes]):
        super().__init__()
        self._offsets = sorted(pieces)
        self._pieces = pieces
        self._at = 0
        self._size = max(offset + len(data) for offset, data in pieces.items())

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
        first = max(bisect.bisect_right(self._offsets, begin) - 1, 0)
        near = [offset for offset in self._offsets[first:] if offset < end]
        if len(near) == 1 and near[0] <= begin and end <= near[0] + len(self._pieces[near[0]]):
            return self._pieces[near[0]][begin - near[0] : end - near[0]]
        found = bytearray(end - begin)  # zeros between the pieces, which nobody looks at
        for offset in near:
            data = self._pieces[offset][max(begin - offset, 0) : end - offset]
            to = max(offset - begin, 0)
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
        if any(map(_is_dictionary, _leaves(kind))):  # one for each chunk
            return _of_chunks([_reader(chunk, name) for chunk in array.chunks], [*map(len, array.chunks)])
        # There are several chunks because 32-bit offsets end at 2 GiB, so the combined one gets 64-bit offsets.
        wide = {pa.string(): pa.large_string(), pa.binary(): pa.large_binary()}.get(kind, kind)
        return _reader(array.cast(wide).combine_chunks(), name)
    value: _Value
    if types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind):
        filled = array.fill_null(False if types.is_boolean(kind) else 0) if array.null_count else array
        value = filled.to_numpy(zero_copy_only=False).__getitem__
    elif types.is_string(kind) or types.is_large_string(kind):
        value = functools.partial(_text, array, name)
    elif types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        value = functools.partial(_bytes, array)
    elif types.is_dictionary(kind):
        # Not decoded: a value that is stored once would be written out for each row.
        places, entry = array.indices.fill_null(0).to_numpy(zero_copy_only=False), _reader(array.dictionary, name)
        if array.null_count < len(array) and not 0 <= places.min() <= places.max() < len(array.dictionary):
            raise SourceDataError(f"column {name!r} has a value that its dictionary of {len(array.dictionary)} lacks")
        value = lambda row: entry(places[row])  # noqa: E731
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
    may_lack = _may_lack(kind)

    def checked(row: int) -> Any:
        if not valid[row]:
            if may_lack:
                return None
            raise SourceDataError(f"column {name!r} is null there, which no array can hold; leave it out with columns=")
        return value(row)

    return checked


def _of_chunks(values: Sequence[_Value], sizes: Sequence[int]) -> _Value:
    """Returns a function that gives the value at a row, from those of consecutive chunks."""
    begins = [0, *itertools.accumulate(sizes)]

    def value(row: int) -> Any:
        chunk = bisect.bisect_right(begins, row) - 1
        return values[chunk](row - begins[chunk])

    return value


def _is_list(kind: Any) -> bool:
    from pyarrow import types

    return types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)


def _may_lack(kind: Any) -> bool:
    """Whether a null has a meaning: a file that is missing, or an object of the host."""
    from pyarrow import types

    if types.is_dictionary(kind):
        return _may_lack(kind.value_type)
    texts = types.is_string(kind) or types.is_large_string(kind)
    files = types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind)
    return texts or files or types.is_struct(kind)


def _bytes(array: Any, row: int) -> bytes:
    return array[row].as_py()


def _text(array: Any, name: str, row: int) -> str:
    try:
        return array[row].as_py()
    except UnicodeDecodeError as error:
        raise SourceDataError(f"column {name!r} has text there that is not UTF-8 ({error}); is it of bytes?") from error


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
