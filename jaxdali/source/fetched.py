"""What a source is whose samples may be objects elsewhere."""

from __future__ import annotations

from ..storage import Ahead

__all__ = ["Fetched"]


class Fetched:
    """A map-style source of files that may be URLs."""

    def ahead(self) -> Ahead | None:
        """What fetches samples before they are read, in this process; None: all files are the machine's own."""
        raise NotImplementedError
