"""Base classes of sources whose samples may be remote objects, and of sources of files with many records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..records.record_files import Records
from ..storage.read_ahead import Ahead
from ..storage.urls import is_remote, printable_url

__all__ = ["Fetched", "OfRecords", "described"]


def described(kind: str, paths: Sequence[str], count: int, more: str = "") -> str:
    """Returns the repr of a source of files: its class, its folder or first file, and its number of samples."""
    first = [repr(printable_url(path) if is_remote(path) else path) for path in paths[:1]]
    rest = [f"{len(paths) - 1} more file{'' if len(paths) == 2 else 's'}"] if len(paths) > 1 else []
    samples = f"{count} sample{'' if count == 1 else 's'}"
    return f"{kind}({', '.join([*first, *rest, *filter(None, [more]), samples])})"


class Fetched:
    """A map-style source of files, which may be URLs."""

    def __len__(self) -> int:
        raise NotImplementedError

    def _paths_shown(self) -> Sequence[str]:
        """Returns its files, or the folder that they are in, for its repr."""
        return getattr(self, "paths", ())

    def __repr__(self) -> str:
        return described(type(self).__name__, self._paths_shown(), len(self))

    def ahead(self) -> Ahead | None:
        """Returns this process's `Ahead`, which fetches samples before they are read; None if all files are local."""
        raise NotImplementedError


class OfRecords(Fetched):
    """A map-style source with one sample per record.

    Attributes:
        records: where the records are.
    """

    records: Records

    def __len__(self) -> int:
        return len(self.records)

    def _paths_shown(self) -> Sequence[str]:
        return self.records.paths

    def ahead(self) -> Ahead | None:
        return self.records.ahead() if self.records.remote else None

    @property
    def bounds(self) -> np.ndarray:
        """`int64[files + 1]`: the first sample of each file, and the end."""
        return self.records.bounds

    def source_info(self, index: int) -> str:
        """Returns the file of sample `index`, and its place there."""
        return self.records.source_info(index)

    def name_of(self, index: int, output: int) -> str:
        """Returns what DALI calls sample `index` in output `output`; only the first output has a name."""
        return "" if output else self.records.name_of(index)

    def digest(self) -> str:
        """Returns a hash of what is read."""
        return self.records.digest()
