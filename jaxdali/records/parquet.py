"""What the footer of a Parquet file says: its row groups, and where their columns lie. It needs no library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..errors import ConfigError
from .safe_open import opened
from .thrift import Struct, Wrong, read_struct

__all__ = ["Footer", "read_footer"]

_MAGIC, _ENCRYPTED = b"PAR1", b"PARE"
# Behind the footer: its size, and the magic bytes.
_TAIL = 8
# Parquet's numbers of fields: of a file, a row group, a column of it, and what is said of that.
_ROW_GROUPS = 4
_COLUMNS, _ROWS = 1, 3
_ELSEWHERE, _META = 1, 3
_PATH, _SIZE, _DATA, _DICTIONARY = 3, 7, 9, 11


class Footer(NamedTuple):
    """What is known of a file.

    Attributes:
        content: the footer, and what is behind it.
        rows: `int64[groups]`: of each row group.
        names: of the columns without columns in them, "a.b" for b in a.
        ranges: `int64[groups, columns, 2]`: offset and size of each in the file, zeros in groups without rows.
    """

    content: bytes
    rows: np.ndarray
    names: list[str]
    ranges: np.ndarray

    def leaves(self, columns: Sequence[str] | None, path: str) -> list[int]:
        """Which of the names belong to some columns, such as all "a.b" to "a"; None: all.

        Raises:
            ConfigError: there is no such column.
        """
        if columns is None:
            return list(range(len(self.names)))
        # "a.b.c" belongs to "a", "a.b" and itself; looked up, since tables may have thousands of columns.
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
    """Of a file or an object elsewhere.

    Raises:
        ConfigError: it is no such file, is encrypted, or is damaged.
        OSError: it cannot be read.
    """
    with opened(path) as file:
        tail = file.read(_TAIL, file.size - _TAIL) if file.size >= _TAIL + len(_MAGIC) else b""
        if tail[4:] == _ENCRYPTED:
            raise ConfigError(f"{path} is encrypted; expected a Parquet file that is not")
        if tail[4:] != _MAGIC:
            raise ConfigError(f"{path} does not end as Parquet files do; it is another file, or cut off")
        size = int.from_bytes(tail[:4], "little")
        begin = file.size - _TAIL - size
        if begin < len(_MAGIC):
            raise ConfigError(
                f"{path} says that its footer has {size} bytes, and has {file.size} itself; it is damaged"
            )
        content = file.read(size, begin) + tail
    try:
        rows, names, ranges = _groups(read_struct(content), begin)
    except (Wrong, KeyError, TypeError, AttributeError, OverflowError) as error:
        words = str(error) if isinstance(error, Wrong) else "something lacks, or is of another type"
        raise ConfigError(f"{path}: its footer, at byte {begin}, is damaged: {words}") from None
    return Footer(content, rows, names, ranges)


def _groups(file: Struct, end: int) -> tuple[np.ndarray, list[str], np.ndarray]:
    names: list[str] | None = None
    rows, ranges = [], []
    for number, group in enumerate(file[_ROW_GROUPS]):
        chunks = group[_COLUMNS]
        found = [b".".join(one[_META][_PATH]).decode(errors="surrogateescape") for one in chunks]
        if names is not None and found != names:
            raise Wrong(f"row group {number} has other columns than the first one")
        names = found
        if group[_ROWS] < 0:
            raise Wrong(f"row group {number} has {group[_ROWS]} rows")
        # pyarrow says of groups without rows that they lie at byte 0; nobody reads them.
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
    # Old writers say 0 where there is no dictionary.
    begin, size = min(meta.get(_DICTIONARY) or meta[_DATA], meta[_DATA]), meta[_SIZE]
    if not 0 < begin <= begin + size <= end:
        raise Wrong(
            f"column {name!r:.80} of row group {group} has {size} bytes at byte {begin}, which is not in the file"
        )
    return begin, size
