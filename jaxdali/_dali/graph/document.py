"""Parses saved pipelines: JSON, limited in size because anybody may have written it."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["MOST_BYTES", "MOST_CALLS", "check_size", "parse"]

# Enough for the names and labels of millions of files.
MOST_BYTES = 256 << 20
# Each value takes about 100 bytes of memory.
_MOST_VALUES = 16 << 20
# Calls are made, and traced by JAX, one by one.
MOST_CALLS = 10_000


def parse(document: bytes | bytearray | str) -> Any:
    """Parses JSON as `json.loads` does, in bounded memory.

    Raises:
        ValueError: it is too large, or not JSON.
        TypeError: it is neither bytes nor text.
        RecursionError: lists are nested too deep.
    """
    if not isinstance(document, bytes | bytearray | str):
        raise TypeError(f"{type(document).__name__} is neither bytes nor text")
    check_size(document)
    return json.loads(document)


def check_size(document: bytes | bytearray | str) -> None:
    """Raises ValueError for a document that `parse` would refuse because of its size."""
    if len(document) > MOST_BYTES:
        raise ValueError(f"it has {len(document)} bytes, expected at most {MOST_BYTES}")
    text: Any = document
    marks = (",", "[", "{") if isinstance(document, str) else (b",", b"[", b"{")
    values = sum(text.count(mark) for mark in marks)
    if values > _MOST_VALUES:
        raise ValueError(f"it has up to {values} values, expected at most {_MOST_VALUES}")
