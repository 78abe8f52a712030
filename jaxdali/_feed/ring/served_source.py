"""A source and the ring that its samples go to."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from .. import _host
from ..source.source_kinds import Source
from .columns import Column

__all__ = ["ServedSource", "most_decoders", "most_threads"]


@dataclasses.dataclass(frozen=True)
class ServedSource:
    """A source with the ring that its batches go to. All workers of a pool serve the same list of served sources, whose
    rings share their events.

    Attributes:
        ring: takes the batches of this source only.
        columns: one per output of the source.
    """

    ring: _host.Ring
    source: Source
    columns: Sequence[Column]

    def is_served_by(self, owner: int, workers: int) -> bool:
        """Whether a worker runs the source: all do whose owner ids are up to `workers`, others if it spreads."""
        return self.source.outputs > 0 and (owner <= workers or self.source.spreads)


def most_decoders(served_sources: Sequence[ServedSource]) -> int:
    """Returns how many processes decode what some sources have stored; 1: whoever runs them does."""
    return max((column.decoders for served in served_sources for column in served.columns), default=1)


def most_threads(served: ServedSource) -> int:
    """Returns how many threads of the user's process decode files for a source; 1: the one that runs it does."""
    return max((column.threads for column in served.columns), default=1)
