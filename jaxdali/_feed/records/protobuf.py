"""Parses protocol buffers field by field, from bytes that may be anything. Several readers' formats consist of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

__all__ = ["BYTES", "FIXED32", "VARINT", "Malformed", "expect", "fields", "integers"]

# Wire types.
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


class Malformed(ValueError):
    """The bytes are not a protocol buffer of the expected kind.

    Attributes:
        offset: the first byte that is wrong.
    """

    def __init__(self, offset: int):
        super().__init__(f"byte {offset} is not valid in that protocol buffer")
        self.offset = offset


def fields(view: memoryview, start: int, stop: int) -> Iterator[tuple[int, int, int, int]]:
    """Yields number, wire type, and begin and end of the value, for each field between two offsets."""
    while start < stop:
        tag, start = _varint(view, start, stop)
        wire = tag & 7
        if wire == BYTES:
            size, start = _varint(view, start, stop)
            end = start + size
        elif wire == VARINT:
            _, end = _varint(view, start, stop)
        else:
            expect(wire in (FIXED64, FIXED32), start)
            end = start + (8 if wire == FIXED64 else 4)
        expect(end <= stop and tag >= 8, start)
        yield tag >> 3, wire, start, end
        start = end


def _varint(view: memoryview, start: int, stop: int) -> tuple[int, int]:
    """Returns a number stored with 7 bits per byte, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        expect(start < stop, start)
        byte = view[start]
        start += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, start
    raise Malformed(start)


def integers(view: memoryview, offset: int) -> np.ndarray:
    """Decodes consecutive varints to int64."""
    raw = np.frombuffer(view, np.uint8)
    ends = np.flatnonzero(raw < 128)
    if len(raw) == len(ends):
        return raw.astype(np.int64)
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1] + 1])
    lengths = ends + 1 - starts if len(ends) else np.zeros(0, np.int64)
    expect(len(ends) > 0 and ends[-1] == len(raw) - 1 and int(lengths.max()) <= 10, offset)
    found = np.zeros(len(ends), np.uint64)
    for k in range(int(lengths.max())):
        there = lengths > k
        found[there] |= (raw[starts[there] + k] & 127).astype(np.uint64) << np.uint64(7 * k)
    return found.view(np.int64)


def expect(holds: object, offset: int) -> None:
    """Raises Malformed unless `holds` is true."""
    if not holds:
        raise Malformed(offset)
