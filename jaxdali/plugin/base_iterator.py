"""What DALI's framework iterators have in common."""

from jaxdali._dali.epochs.policy import LastBatchPolicy as LastBatchPolicy

__all__ = ["LastBatchPolicy"]
