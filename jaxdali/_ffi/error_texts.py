"""What is read out of the words of errors: XLA hands on nothing else of a failed call, nor JAX of what it cannot do."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["FailedRow", "failed_row", "speaks_of_refs"]

# What a custom call says when it was told to raise (ffi/handling/row_failures.h).
_ROW_FAILED = re.compile(
    r"jaxdali_(?:decode|decode_resample|images)_v1: row (\d+)[^:]*: (\w+)(?:: (.*?))?(?: \(of the|$)", re.DOTALL
)

# What JAX says where it has no mutable arrays: it has no type for that, and inside `jax.export` no words.
_ABOUT_REFS = re.compile(r"array reference|AbstractRef|Ref\{|state discharge|^NotImplementedError\(\)$")


class FailedRow(NamedTuple):
    """An image that made a call fail: its row, the name of its `jaxdali.batch.Status`, and what else is known of it."""

    row: int
    status: str
    reason: str | None


def failed_row(error: Exception) -> FailedRow | None:
    """The image that made a call of ours fail; None: it failed otherwise."""
    found = _ROW_FAILED.search(str(error))
    return None if found is None else FailedRow(int(found[1]), found[2], found[3])


def speaks_of_refs(error: Exception) -> bool:
    """Whether an error is that JAX has no mutable arrays somewhere."""
    return _ABOUT_REFS.search(repr(error)) is not None
