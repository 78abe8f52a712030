"""Parses error messages: all that XLA passes on of a failed call, and JAX of what it does not support."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["FailedRow", "failed_row", "speaks_of_refs"]

# What a custom call says when it raises (ffi/handling/row_failures.h).
_ROW_FAILED = re.compile(
    r"jaxdali_(?:decode|decode_resample|images)_v1: row (\d+)[^:]*: (\w+)(?:: (.*?))?(?: \(of the (\d+)|$)", re.DOTALL
)

# What JAX says where it does not support mutable arrays: that the type is unknown; inside `jax.export`, nothing.
_ABOUT_REFS = re.compile(r"array reference|AbstractRef|Ref\{|state discharge|^NotImplementedError\(\)$")


class FailedRow(NamedTuple):
    """An image that made a call fail: its row, the name of its `jaxdali.image.Status`, the reason and the number of rows of
    the call if known.
    """

    row: int
    status: str
    reason: str | None
    rows: int | None


def failed_row(error: Exception) -> FailedRow | None:
    """The image that made one of our calls fail; None if the error has another cause."""
    found = _ROW_FAILED.search(str(error))
    return None if found is None else FailedRow(int(found[1]), found[2], found[3], int(found[4]) if found[4] else None)


def speaks_of_refs(error: Exception) -> bool:
    """Whether an error says that JAX does not support mutable arrays there."""
    return _ABOUT_REFS.search(repr(error)) is not None
