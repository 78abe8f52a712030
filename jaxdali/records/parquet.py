"""Reads the footer of a Parquet file without a library: its row groups, and where their columns lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..errors import ConfigError
from .safe_open import opened
from .thrift import Struct, Wrong, read_struct

__all__ = ["Footer", "read_footer"]

_MAGIC, _ENCRYPTED = b"PAR1", b"PARE"
# Bytes after the footer: its size, and the magic bytes.
_TAIL = 8
# Parquet's field numbers: in the file's metadata, a row group, a column chunk, and the chunk's metadata.
_ROW_GROUPS = 4
_COLUMNS, _ROWS = 1, 3
_ELSEWHERE, _META = 1, 3
_PATH, _SIZE, _DATA, _DICTIONARY = 3, 7, 9, 11


class Footer(NamedTuple):
    """What a file's footer says.

    Attributes:
        content: the footer's bytes, and those after it.
        rows: `int64[groups]`: the rows of each row group.
        names: the names of the leaf columns, "a.b" for b in a.
        ranges: `int64[groups, columns, 2]`: offset and size of each in the file, zeros in groups without rows.
    """

    content: bytes
    rows: np.ndarray
    names: list[str]
    ranges: np.ndarray

    def leaves(self, columns: Sequence[str] | None, path: str) -> list[int]:
        """Returns which of the names belong to the given columns, such as all "a.b" to "a"; all if `columns` is None.

        Raises:
            ConfigError: the file lacks a column.
        """
        if columns is None:
            return list(range(len(self.names)))
        # "a.b.c" belongs to "a", "a.b" and itself. A dict, since tables may have thousands of columns.
        belong: dict[str, list[int]] = {}
        for k, name in enumerate(self.names):
            for end in [*(at for at, one in enumerate(name) if one == "."), len(name)]:
                belong.setdefault(name[:end], []).append(k)
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
    with opened(path) as file:
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
        rows, names, ranges = _groups(read_struct(content), begin)
    except (Wrong, KeyError, TypeError, AttributeError, OverflowError) as error:
        words = str(error) if isinstance(error, Wrong) else "a field is missing, or has another type"
        raise ConfigError(f"{path}: its footer, at byte {begin}, is damaged: {words}") from None
    return Footer(content, rows, names, ranges)


def _groups(file: Struct, end: int) -> tuple[np.ndarray, list[str], np.ndarray]:
    names: list[str] | None = None
    rows, ranges = [], []
    for number, group in enumerate(file[_ROW_GROUPS]):
        chunks = group[_COLUMNS]
        found = [b".".join(one[_META][_PATH]).decode(errors="surrogateescape") for one in chunks]
        if names is not None and found != names:
            raise Wrong(f"row group {number} has different columns from the first one")
        names = found
        if group[_ROWS] < 0:
            raise Wrong(f"row group {number} has {group[_ROWS]} rows")
        # pyarrow writes byte 0 as the place of groups without rows; nobody reads them.
        pairs = zip(chunks, found, strict=True)
        mine = [_range(chunk, name, number, end) if group[_ROWS] else (0, 0) for chunk, name in pairs]
        rows.append(group[_ROWS])
        ranges.append(mine)
    names = names or []
    return np.array(rows, np.int64), names, np.array(ranges, np.int64).reshape(len(rows), len(names), 2)


def _range(chunk: Struct, name: str, group: int, end: int) -> tuple[int, int]:
    if _ELSEWHERE in chunk:
        raise Wrong(f"column {name!r:.80} of row group {group} lies in another file, which is not read")
    meta = chunk[_META]
    # Old writers put 0 if there is no dictionary.
    begin, size = min(meta.get(_DICTIONARY) or meta[_DATA], meta[_DATA]), meta[_SIZE]
    if not 0 < begin <= begin + size <= end:
        raise Wrong(
            f"column {name!r:.80} of row group {group} has {size} bytes at byte {begin}, which is not in the file"
        )
    return begin, size
