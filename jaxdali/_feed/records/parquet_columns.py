"""Reads the footer of a Parquet file without a library: its row groups, and where their columns lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from jaxdali.errors import ConfigError
from .safe_open import open_checked
from .thrift import Struct, Wrong, number_in, read_struct, struct_in, structs_in, texts_in

__all__ = ["Footer", "Leaf", "begins_parquet", "read_footer"]

_MAGIC, _ENCRYPTED = b"PAR1", b"PARE"
# Bytes after the footer: its size, and the magic bytes.
_TAIL = 8
# Parquet's field numbers: in the file's metadata, an element of the schema, a row group, a column chunk, and the chunk's
# metadata.
_SCHEMA, _ROW_GROUPS = 2, 4
_TYPE, _LENGTH, _REPETITION, _CHILDREN = 1, 2, 3, 5
_COLUMNS, _ROWS = 1, 3
_ELSEWHERE, _META = 1, 3
_PATH, _VALUES, _SIZE, _DATA, _DICTIONARY = 3, 5, 7, 9, 11
# Bytes of a decoded value, by the number of its type: bool, int32, int64, int96, float, double; bytes, whose values have
# sizes of their own; and bytes of one size, which the schema tells.
_WIDTHS = (1, 4, 8, 12, 4, 8, 0)
_BYTES_OF_ONE_SIZE = len(_WIDTHS)
_REPEATED = 2
# Limits on fields within fields, which libraries go down by recursion, and on the rows of a file.
_DEEPEST, _MOST_ROWS = 64, 1 << 62


def begins_parquet(head: bytes) -> bool:
    """Whether the first bytes of a file are those of Parquet."""
    return head.startswith(_MAGIC)


class Leaf(NamedTuple):
    """A leaf column.

    Attributes:
        width: bytes of a value; 0 if values have sizes of their own.
        repeated: whether it is within a list, so that a row may have any number of values.
    """

    width: int
    repeated: bool


class Footer(NamedTuple):
    """What a file's footer says.

    Attributes:
        content: the footer's bytes, and those after it.
        rows: `int64[groups]`: the rows of each row group.
        names: the names of the leaf columns, "a.b" for b in a.
        kinds: what they hold.
        values: `int64[groups, columns]`: how many values each has.
        ranges: `int64[groups, columns, 2]`: offset and size of each in the file, zeros in groups without rows.
    """

    content: bytes
    rows: np.ndarray
    names: list[str]
    kinds: list[Leaf]
    values: np.ndarray
    ranges: np.ndarray

    def leaves(self, columns: Sequence[str] | None, path: str) -> list[int]:
        """Returns which of the names belong to the given columns, such as all "a.b" to "a"; all if `columns` is None.

        Raises:
            ConfigError: the file lacks a column.
        """
        if columns is None:
            return list(range(len(self.names)))
        # "a.b.c" belongs to "a", "a.b" and itself. A dict, since tables may have thousands of columns; and names are cut
        # where a column may end, since one name may have thousands of dots.
        belong: dict[str, list[int]] = {column: [] for column in columns}
        ends = sorted({len(column) for column in belong})
        for k, name in enumerate(self.names):
            for end in ends:
                if (end == len(name) or name[end : end + 1] == ".") and (mine := belong.get(name[:end])) is not None:
                    mine.append(k)
        found: dict[int, None] = {}
        for column in columns:
            if not (mine := belong.get(column)):
                tops = list(dict.fromkeys(name.partition(".")[0] for name in self.names))
                raise ConfigError(f"{path} has no column {column!r:.80}; it has {', '.join(map(repr, tops[:20]))}")
            found |= dict.fromkeys(mine)
        return list(found)


def read_footer(path: str) -> Footer:
    """Reads the footer of a file or a remote object.

    Raises:
        ConfigError: the file is not Parquet, is encrypted, or is damaged.
        OSError: the file cannot be read.
    """
    with open_checked(path) as file:
        tail = file.read(_TAIL, file.size - _TAIL) if file.size >= _TAIL + len(_MAGIC) else b""
        if tail[4:] == _ENCRYPTED:
            raise ConfigError(f"{path} is encrypted, which cannot be read; write it without encryption")
        if tail[4:] != _MAGIC:
            raise ConfigError(f"{path} does not end as Parquet files do; it is another file, or cut off")
        size = int.from_bytes(tail[:4], "little")
        begin = file.size - _TAIL - size
        if begin < len(_MAGIC):
            raise ConfigError(
                f"{path} says that its footer has {size} bytes, but the file has {file.size}; it is damaged"
            )
        content = file.read(size, begin) + tail
    try:
        return Footer(content, *_groups(read_struct(content)[0], begin))
    except Wrong as error:
        raise ConfigError(f"{path}: its footer, at byte {begin}, is damaged: {error}") from None


def _groups(file: Struct, end: int) -> tuple[np.ndarray, list[str], list[Leaf], np.ndarray, np.ndarray]:
    names: list[str] | None = None
    kinds = _leaves(structs_in(file, _SCHEMA))
    rows, values, ranges = [], [], []
    for number, group in enumerate(structs_in(file, _ROW_GROUPS)):
        chunks = structs_in(group, _COLUMNS)
        found = [b".".join(texts_in(struct_in(one, _META), _PATH)).decode(errors="surrogateescape") for one in chunks]
        if names is not None and found != names:
            raise Wrong(f"row group {number} has different columns from the first one")
        if len(found) != len(kinds):
            raise Wrong(f"row group {number} has {len(found)} columns, but the schema {len(kinds)}")
        names = found
        size = number_in(group, _ROWS)
        if not 0 <= size < _MOST_ROWS:
            raise Wrong(f"row group {number} has {size} rows")
        # pyarrow writes byte 0 as the place of groups without rows; nobody reads them.
        pairs = zip(chunks, found, strict=True)
        mine = [_range(chunk, name, number, end) if size else (0, 0) for chunk, name in pairs]
        counts = [number_in(struct_in(one, _META), _VALUES) for one in chunks]
        for name, kind, count in zip(found, kinds, counts, strict=True):
            if count < size or count >= _MOST_ROWS or (count > size and not kind.repeated):
                raise Wrong(f"column {name!r:.80} of row group {number} has {count} values in {size} rows")
        rows.append(size)
        values.append(counts)
        ranges.append(mine)
    if sum(rows) >= _MOST_ROWS:
        raise Wrong(f"{sum(rows)} rows in all")
    names, shape = names or [], (len(rows), len(kinds))
    if not rows:
        kinds, shape = [], (0, 0)
    found_at = np.array(ranges, np.int64).reshape(*shape, 2)
    return np.array(rows, np.int64), names, kinds, np.array(values, np.int64).reshape(shape), found_at


def _leaves(schema: list[Struct]) -> list[Leaf]:
    """Returns the leaves of a schema, whose elements come in order, each before its children."""
    found: list[Leaf] = []
    # Of each element that has children to come: how many, whether it is repeated, and how deep they are.
    above: list[tuple[int, bool, int]] = []
    for number, element in enumerate(schema):
        repeated, depth = False, 0  # the first element is the whole row
        if number:
            if not above:
                raise Wrong("the schema has elements after the last column")
            left, within, depth = above.pop()
            repeated = within or number_in(element, _REPETITION, 0) == _REPEATED
            if left > 1:
                above.append((left - 1, within, depth))
            if depth > _DEEPEST:
                raise Wrong(f"fields within fields, more than {_DEEPEST} deep")
        children = number_in(element, _CHILDREN, 0)
        if not 0 <= children < len(schema):
            raise Wrong(f"element {number} of the schema has {children} children")
        if children:
            above.append((children, repeated, depth + 1))
        elif number:
            found.append(Leaf(_width(element), repeated))
    if above:
        raise Wrong("the schema lacks elements")
    return found


def _width(element: Struct) -> int:
    kind = number_in(element, _TYPE)
    if kind == _BYTES_OF_ONE_SIZE:
        return max(number_in(element, _LENGTH), 1)
    if not 0 <= kind < len(_WIDTHS):
        raise Wrong(f"a column of the type {kind}, which Parquet does not have")
    return _WIDTHS[kind]


def _range(chunk: Struct, name: str, group: int, end: int) -> tuple[int, int]:
    if _ELSEWHERE in chunk:
        raise Wrong(f"column {name!r:.80} of row group {group} lies in another file, which is not read")
    meta = struct_in(chunk, _META)
    data, size = number_in(meta, _DATA), number_in(meta, _SIZE)
    # Old writers put 0 if there is no dictionary.
    begin = min(number_in(meta, _DICTIONARY, 0) or data, data)
    if not 0 < begin <= begin + size <= end:
        raise Wrong(
            f"column {name!r:.80} of row group {group} has {size} bytes at byte {begin}, which is not in the file"
        )
    return begin, size
