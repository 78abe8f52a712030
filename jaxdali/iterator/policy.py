"""What becomes of the end of an epoch."""

from __future__ import annotations

import enum

__all__ = ["LastBatchPolicy"]


class LastBatchPolicy(enum.Enum):
    """What happens to samples that do not fill the last batch of an epoch; DALI's.

    FILL: the batch is completed with what comes next. DROP: it is left out. PARTIAL: it is smaller.
    """

    FILL = 0
    DROP = 1
    PARTIAL = 2
