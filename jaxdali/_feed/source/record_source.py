"""Base classes of sources whose samples may be remote objects, and of sources of files with many records."""

from __future__ import annotations

import numpy as np

from ..records.record_files import Records
from ..storage.read_ahead import Ahead

__all__ = ["Fetched", "OfRecords"]


class Fetched:
    """A map-style source of files, which may be URLs."""

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
