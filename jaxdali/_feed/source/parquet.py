"""Rows of Parquet files as a map-style source."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, SourceDataError, check_integer
from ..records.parquet_columns import Footer, begins_parquet, read_footer
from ..records.record_files import Records
from ..storage.cache import make_cache
from ..storage.read_ahead import Ahead
from .direct import Own
from .file_format import FileFormat
from .file_reading import Path, Paths, absolute_paths
from .parquet_groups import Group, read_group
from .record_source import Fetched

__all__ = ["Parquet"]

# The names of list levels, which writers append to the column's name, each in its own way: a list, and perhaps its items.
_LISTS, _ITEMS = {"list", "bag", "array"}, {"element", "item", "array_element"}


class Parquet(Fetched):
    """The rows of Parquet files, in order: `data[i]` is a dictionary of columns. A number is a NumPy scalar, a list of
    numbers an array, a struct a dictionary; text (UTF-8) is a string, and a binary value, such as an image file, is bytes.
    A null among texts, binary values and structs is None, as an image that is missing is. pyarrow decodes them
    (`pip install 'jaxdali[readers]'`), in the process that reads the row.

    A row is read with its whole row group. Each worker decodes the row groups of its rows, and keeps the last
    `row_groups_kept`; so read in order, or `Loader(sampler=source.RowGroupSampler(data.groups, seed=0))`, which shuffles
    row groups, and rows within a few of them. `shuffle=True` shuffles all rows, which suits files that have no more row
    groups than are kept.

    Args:
        path: paths or URLs of the files.
        columns: which columns to read; "image.bytes" is one field of a struct. None: all.
        row_groups_kept: how many decoded row groups each worker keeps.
        max_group_bytes: a row group that takes more memory when it is decoded is an error, found before it is decoded: a
            few bytes may stand for any number of rows. None: 1 GiB, or 8 times its bytes in the file if that is more.
        cache_dir, cache_bytes: a folder that caches data read from URLs, and its limit in bytes (16 GiB by default).
            All processes that name the same folder share it.

    Attributes:
        bounds: `int64[files + 1]`: the first row of each file, and the end.
        groups: `int64[row groups + 1]`: the first row of each row group, and the end.

    Raises:
        ConfigError: a file is not Parquet, is damaged, lacks a column, has other ones than the first, or there is no row.
            Files without rows may have any columns.
        OSError: a file cannot be read. `data[i]` raises it, too, SourceDataError if a row group is damaged or too large, a
            number or a list is null, text is not UTF-8, or a type does not become an array, and BackendUnavailable if
            pyarrow is not installed.
    """

    _format = FileFormat("Parquet", r"\.parquet$", begins_parquet, 4, unit="rows", columns=True)

    def __init__(
        self,
        path: Paths,
        columns: Iterable[str] | None = None,
        row_groups_kept: int = 4,
        *,
        max_group_bytes: int | None = None,
        cache_dir: Path | None = None,
        cache_bytes: int | None = None,
    ):
        self.columns = _names(columns)
        self.row_groups_kept = check_integer("row_groups_kept", row_groups_kept, 1)
        self.max_group_bytes = None if max_group_bytes is None else check_integer("max_group_bytes", max_group_bytes, 1)
        self.paths = absolute_paths(path)
        footers = [read_footer(one) for one in self.paths]
        # For each file, the byte ranges of its row groups' pieces, one for each column that is read.
        pieces, rows, counts = [], [], []
        for footer, wanted in zip(footers, _wanted(self.paths, footers, self.columns), strict=True):
            pieces.append(footer.ranges[:, wanted].reshape(-1, 2))
            rows.append(footer.rows)
            counts.append(np.full(len(footer.rows), len(wanted)))
        self.groups = np.cumsum([0, *np.concatenate(rows)], dtype=np.int64) if rows else np.zeros(1, np.int64)
        if not self.groups[-1]:
            raise ConfigError(f"{', '.join(self.paths[:3]) or 'no files'} hold no row; expected at least one")
        self._first_of_file = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        self._pieces_of_group = np.cumsum([0, *np.concatenate(counts)], dtype=np.int64)
        self.bounds = self.groups[self._first_of_file]
        self._records = Records(self.paths, pieces, make_cache(cache_dir, cache_bytes))
        self._groups = Own[OrderedDict[int, Group]]()
        self._footers = Own[OrderedDict[int, Footer]]()

    def __len__(self) -> int:
        return int(self.groups[-1])

    def __getitem__(self, index: int) -> dict[str, Any]:
        if not 0 <= index < len(self):
            raise IndexError(f"row {index} of {len(self)}")
        number = self._group_of(index)
        return self._group(number).row(index - int(self.groups[number]))

    def ahead(self) -> Ahead | None:
        return self._records.ahead(records_of=self._pieces_wanted) if self._records.remote else None

    def source_info(self, index: int) -> str:
        """Returns the file of row `index`, and its place there."""
        number = self._group_of(index)
        return f"{self._name(number)}, row {index - int(self.groups[number])}"

    def digest(self) -> str:
        """Returns a hash of what is read."""
        text = f"{self._records.digest()} {self.columns}"
        return hashlib.sha256(text.encode(errors="surrogateescape") + self.groups.tobytes()).hexdigest()

    def _group_of(self, index: int) -> int:
        return int(np.searchsorted(self.groups, index, "right")) - 1

    def _file_of(self, number: int) -> int:
        return int(np.searchsorted(self._first_of_file, number, "right")) - 1

    def _name(self, number: int) -> str:
        file = self._file_of(number)
        return f"{self.paths[file]}, row group {number - int(self._first_of_file[file])}"

    def _group(self, number: int) -> Group:
        kept = self._groups.of(OrderedDict)
        if number in kept:
            kept.move_to_end(number)
            return kept[number]
        while len(kept) >= self.row_groups_kept:
            kept.popitem(last=False)
        file = self._file_of(number)
        footer = self._footer(file)
        self.ahead()
        first, stop = self._pieces_of_group[number : number + 2].tolist()
        pieces = {self._records.range_of(one)[1]: self._records.read(one) for one in range(first, stop)}
        rows = int(self.groups[number + 1] - self.groups[number])
        place = number - int(self._first_of_file[file])
        if place >= len(footer.rows) or footer.rows[place] != rows:
            raise SourceDataError(f"{self._name(number)}: the file has changed since it was opened")
        kept[number] = read_group(self.paths[file], footer, place, pieces, self.columns, self.max_group_bytes)
        return kept[number]

    def _footer(self, file: int) -> Footer:
        """Returns a file's footer. Keeps as many footers as row groups: each row group kept may be of another file."""
        kept = self._footers.of(OrderedDict)
        if file not in kept:
            while len(kept) >= self.row_groups_kept:
                kept.popitem(last=False)
            kept[file] = read_footer(self.paths[file])
        kept.move_to_end(file)
        return kept[file]

    def _pieces_wanted(self, index: int) -> tuple[int, int]:
        """Returns the first record that a row needs, and how many; none if its row group is decoded already."""
        number = self._group_of(index)
        first, stop = self._pieces_of_group[number : number + 2].tolist()
        return first, 0 if number in self._groups.of(OrderedDict) else stop - first


def _names(columns: Iterable[str] | None) -> list[str] | None:
    if columns is None:
        return None
    found = list(columns) if isinstance(columns, Iterable) and not isinstance(columns, str) else [None]
    names = [one for one in found if isinstance(one, str)]
    if len(names) < len(found):
        raise ConfigError(f"columns must be a list of names, got {columns!r:.80}")
    if not names:
        raise ConfigError("columns must name at least one column; got none")
    return list(dict.fromkeys(names))


def _wanted(paths: Sequence[str], footers: Sequence[Footer], columns: Sequence[str] | None) -> list[list[int]]:
    """Returns which columns to read of each file: none of files without rows, whose footers may name no column."""
    found: list[list[int]] = []
    first: tuple[str, set[str]] | None = None
    for path, footer in zip(paths, footers, strict=True):
        found.append(footer.leaves(columns, path) if footer.rows.any() else [])
        if not footer.rows.any():
            continue
        names = {_without_lists(footer.names[k]) for k in found[-1]}
        if first is None:
            first = path, names
        elif names != first[1]:
            # Rows of both cannot share a batch. Fails here, not after hours of training.
            other = ", ".join(map(repr, sorted(names ^ first[1])[:20]))
            raise ConfigError(f"{path} has different columns from {first[0]}: only one of them has {other}")
    return found


def _without_lists(name: str) -> str:
    """Returns a column's name without those of its list levels, "a" for "a.list.element"."""
    parts = name.split(".")
    end = len(parts)
    while end > 1:
        if parts[end - 1] in _LISTS:
            end -= 1
        elif end > 2 and parts[end - 1] in _ITEMS and parts[end - 2] in _LISTS:
            end -= 2
        else:
            break
    return ".".join(parts[:end])
