"""What DALI's framework iterators have in common."""

from ..iterator.policy import LastBatchPolicy as LastBatchPolicy

__all__ = ["LastBatchPolicy"]
