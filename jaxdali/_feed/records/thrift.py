"""Parses Apache Thrift's compact protocol, as in Parquet's footers, from bytes that may be anything."""

from __future__ import annotations

import struct
from typing import Any, TypeVar

__all__ = ["Struct", "Wrong", "number_in", "read_struct", "struct_in", "structs_in", "texts_in"]

# A struct's fields, by their numbers.
Struct = dict[int, Any]

_TRUE, _FALSE, _BYTE, _SHORT, _INT, _LONG, _DOUBLE, _BYTES, _LIST, _SET, _MAP, _STRUCT = range(1, 13)
_DEEPEST = 32

_Kind = TypeVar("_Kind")
_NAMES = {int: "integer", dict: "struct", list: "list", bytes: "text"}


class Wrong(ValueError):
    """What is wrong with the bytes."""


def read_struct(data: bytes, offset: int = 0) -> tuple[Struct, int]:
    """Parses the struct that begins at an offset. Lists and sets become lists, maps lists of pairs, text bytes.

    Returns:
        The struct, and where it ends.

    Raises:
        Wrong: the bytes are not a struct, or end within it.
    """
    reader = _Reader(data, offset)
    return reader.struct(0), reader.offset


def number_in(struct: Struct, field: int, default: int | None = None) -> int:
    """Returns an integer of a struct.

    Raises:
        Wrong: the field has another type, or is missing and there is no default.
    """
    return _typed(struct.get(field, default), int, field)


def struct_in(struct: Struct, field: int) -> Struct:
    """Returns a struct within a struct. Raises as `number_in`."""
    return _typed(struct.get(field), dict, field)


def structs_in(struct: Struct, field: int) -> list[Struct]:
    """Returns a list of structs. Raises as `number_in`."""
    return [_typed(one, dict, field) for one in _typed(struct.get(field), list, field)]


def texts_in(struct: Struct, field: int) -> list[bytes]:
    """Returns a list of texts. Raises as `number_in`."""
    return [_typed(one, bytes, field) for one in _typed(struct.get(field), list, field)]


def _typed(value: Any, kind: type[_Kind], field: int) -> _Kind:
    if type(value) is not kind:
        raise Wrong(f"field {field} of a struct is missing, or no {_NAMES[kind]}")
    return value


class _Reader:
    def __init__(self, data: bytes, offset: int):
        self.data, self.offset = data, offset

    def struct(self, depth: int) -> Struct:
        if depth > _DEEPEST:
            raise Wrong(f"structs within structs, more than {_DEEPEST} deep")
        found: Struct = {}
        number = 0
        while head := self.byte():
            number = number + (head >> 4) if head >> 4 else self.integer()
            kind = head & 15
            if number in found:  # other parsers would merge the two, and read something else
                raise Wrong(f"a struct with two fields {number} before byte {self.offset}")
            found[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self.value(kind, depth)
        return found

    def value(self, kind: int, depth: int) -> Any:
        if kind in (_SHORT, _INT, _LONG):
            return self.integer()
        if kind == _BYTES:
            return self.take(self.varint())
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind in (_LIST, _SET):
            head = self.byte()
            return self.values(head & 15, head >> 4 if head >> 4 < 15 else self.varint(), depth)
        if kind == _MAP:
            return self.pairs(depth)
        if kind == _DOUBLE:
            return struct.unpack("<d", self.take(8))[0]
        if kind in (_TRUE, _FALSE, _BYTE):
            return self.byte()
        raise Wrong(f"unknown Thrift type {kind} before byte {self.offset}")

    def values(self, kind: int, count: int, depth: int) -> list[Any]:
        self.check(count)
        self.descend(depth)
        return [self.value(kind, depth + 1) for _ in range(count)]

    def pairs(self, depth: int) -> list[tuple[Any, Any]]:
        count = self.varint()
        self.check(count)
        self.descend(depth)
        if not count:
            return []
        kinds = self.byte()
        return [(self.value(kinds >> 4, depth + 1), self.value(kinds & 15, depth + 1)) for _ in range(count)]

    def descend(self, depth: int) -> None:
        """Checks that a list or a map may be at this depth."""
        if depth >= _DEEPEST:
            raise Wrong(f"lists or maps within others, more than {_DEEPEST} deep")

    def check(self, count: int) -> None:
        """Checks that `count` values can follow: each has at least one byte."""
        if count > len(self.data) - self.offset:
            raise Wrong(f"{count} values at byte {self.offset}, but only {len(self.data) - self.offset} bytes are left")

    def byte(self) -> int:
        if (offset := self.offset) >= len(self.data):
            self.check(1)
        self.offset = offset + 1
        return self.data[offset]

    def take(self, count: int) -> bytes:
        self.check(count)
        self.offset += count
        return self.data[self.offset - count : self.offset]

    def integer(self) -> int:
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def varint(self) -> int:
        value = shift = 0
        while (byte := self.byte()) & 128:
            value |= (byte & 127) << shift
            if (shift := shift + 7) > 63:
                raise Wrong(f"a number of more than 64 bits before byte {self.offset}")
        return value | byte << shift
