"""What becomes of the end of an epoch."""

from __future__ import annotations

import enum

__all__ = ["LastBatchPolicy"]


class LastBatchPolicy(enum.Enum):
    """How to treat samples that do not fill the last batch of an epoch; DALI's.

    FILL: complete the batch with what comes next. DROP: leave it out. PARTIAL: make it smaller.
    """

    FILL = 0
    DROP = 1
    PARTIAL = 2
