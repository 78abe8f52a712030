"""One source, and where its samples go."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from .. import _host
from ..source.kinds import Source
from .columns import Column

__all__ = ["Job"]


@dataclasses.dataclass(frozen=True)
class Job:
    """What a worker is there for. A pool's workers all serve the same list of jobs, whose rings share their events.

    Attributes:
        ring: takes this source's batches only.
        columns: one an output of the source.
    """

    ring: _host.Ring
    source: Source
    columns: Sequence[Column]
