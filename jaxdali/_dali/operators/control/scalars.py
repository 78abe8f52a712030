"""Checks conditions."""

from __future__ import annotations

from jaxdali.errors import GraphError
from ..values import BatchValue

__all__ = ["check_scalar"]


def check_scalar(value: object, word: str, wanted: str, kinds: str = "buif") -> None:
    """Raises GraphError unless a value is one number per sample.

    Args:
        word: what the value is, for errors.
        wanted: what a sample must be.
        kinds: the accepted kinds of NumPy types.
    """
    if not isinstance(value, BatchValue):
        raise GraphError(f"{word} must be {wanted} a sample, got images or files")
    rank = value.data.ndim - 1
    if rank or value.data.dtype.kind not in kinds:
        got = f"samples of {rank} axes" if rank else f"{value.data.dtype}"
        advice = "take one number of each, such as x[0]" if rank else "compare it: `x != 0` is true or false"
        raise GraphError(f"{word} must be {wanted} a sample, got {got}; {advice}")
