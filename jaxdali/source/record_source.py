"""What a source is whose samples may be objects elsewhere, and what one is of files with many records."""

from __future__ import annotations

import numpy as np

from ..records.record_files import Records
from ..storage import Ahead

__all__ = ["Fetched", "OfRecords"]


class Fetched:
    """A map-style source of files that may be URLs."""

    def ahead(self) -> Ahead | None:
        """What fetches samples before they are read, in this process; None: all files are the machine's own."""
        raise NotImplementedError


class OfRecords(Fetched):
    """A map-style source with a sample a record.

    Attributes:
        records: where they are.
    """

    records: Records

    def __len__(self) -> int:
        return len(self.records)

    def ahead(self) -> Ahead | None:
        return self.records.ahead() if self.records.remote else None

    @property
    def bounds(self) -> np.ndarray:
        """`int64[files + 1]`: which samples are in which file."""
        return self.records.bounds

    def source_info(self, index: int) -> str:
        """The file of sample `index`, and where it is there."""
        return self.records.source_info(index)

    def name_of(self, index: int, output: int) -> str:
        """As DALI calls what output `output` has of sample `index`; only the first one has a name."""
        return "" if output else self.records.name_of(index)

    def digest(self) -> str:
        """Tells what is read apart."""
        return self.records.digest()
