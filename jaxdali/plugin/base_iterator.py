"""What DALI's framework iterators have in common."""

from jaxdali._dali.epochs.last_batch_policy import LastBatchPolicy as LastBatchPolicy

__all__ = ["LastBatchPolicy"]
