"""How iterators treat the end of an epoch."""

from __future__ import annotations

import enum

__all__ = ["LastBatchPolicy"]


class LastBatchPolicy(enum.Enum):
    """How to treat samples that do not fill the last batch of an epoch, as in DALI.

    FILL: complete the batch with the samples that come next. DROP: leave it out. PARTIAL: make it smaller.
    """

    FILL = 0
    DROP = 1
    PARTIAL = 2
