"""What DALI's framework iterators have in common."""

from __future__ import annotations

import enum

__all__ = ["LastBatchPolicy"]


class LastBatchPolicy(enum.Enum):
    """What happens to samples that do not fill the last batch of an epoch."""

    FILL = 0
    DROP = 1
    PARTIAL = 2
