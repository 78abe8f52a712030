"""Writes Thrift's compact protocol, as in Parquet's footers and pages, with whatever types a test wants."""

from __future__ import annotations

import struct
from typing import Any

__all__ = ["changed", "paths_in", "thrift"]

_KINDS = {bool: 1, int: 6, float: 7, bytes: 8, list: 9, dict: 12}


def thrift(value: Any) -> bytes:
    """Returns the bytes of a struct (a dict by field numbers), or of a value within one. All integers are 64-bit ones."""
    if isinstance(value, dict):
        fields = b"".join(bytes([_kind(one)]) + _varint(number << 1) + _body(one) for number, one in value.items())
        return fields + b"\0"
    if isinstance(value, list):
        kind = _kind(value[0], in_list=True) if value else 12
        head = bytes([len(value) << 4 | kind]) if len(value) < 15 else bytes([0xF0 | kind]) + _varint(len(value))
        return head + b"".join(b"\1" if one is True else thrift(one) for one in value)
    if isinstance(value, bytes):
        return _varint(len(value)) + value
    if isinstance(value, float):
        return struct.pack("<d", value)
    return _varint(value << 1 if value >= 0 else (-value << 1) - 1)


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Returns where each value within another one is: keys of dicts, and places in lists."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(*path,), *(found for key, one in inner for found in paths_in(one, (*path, key)))]


def changed(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    """Returns a copy with another value at a path; None: without it."""
    if not path:
        return other
    key, *rest = path
    if isinstance(value, dict):
        inner = {**value, key: changed(value[key], tuple(rest), other)}
        return {one: found for one, found in inner.items() if found is not None}
    inner = [changed(one, tuple(rest), other) if place == key else one for place, one in enumerate(value)]
    return [one for one in inner if one is not None]


def _kind(value: Any, in_list: bool = False) -> int:
    return 2 if value is False and not in_list else _KINDS[type(value)]


def _body(value: Any) -> bytes:
    return b"" if isinstance(value, bool) else thrift(value)


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])
