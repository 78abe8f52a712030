"""Writes TFRecord files of Examples from the definition of the format, without TensorFlow."""

from __future__ import annotations

import pathlib
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


def _table() -> list[int]:
    found = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
        found.append(crc)
    return found


_TABLE = _table()


def masked_crc(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 255] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    found = b""
    while value > 127:
        found += bytes([value & 127 | 128])
        value >>= 7
    return found + bytes([value])


def field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def feature(value: Any) -> bytes:
    """A feature of bytes, a list of bytes, or an array of floats or integers."""
    if isinstance(value, bytes):
        value = [value]
    if isinstance(value, list) and value and isinstance(value[0], bytes):
        return field(1, b"".join(field(1, text) for text in value))
    array = np.asarray(value)
    if array.dtype.kind == "f":
        return field(2, field(1, array.astype("<f4").tobytes()))
    return field(3, field(1, b"".join(varint(int(number)) for number in array)))


def entry(name: str, data: bytes) -> bytes:
    return field(1, field(1, name.encode()) + field(2, data))


def example(features: Mapping[str, Any]) -> bytes:
    return field(1, b"".join(entry(name, feature(value)) for name, value in features.items()))


def record(data: bytes) -> bytes:
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked_crc(length)) + data + struct.pack("<I", masked_crc(data))


def write_tfrecord(path: pathlib.Path, examples: Sequence[Mapping[str, Any] | bytes]) -> pathlib.Path:
    """Writes a file, and next to it PATH.idx like DALI's tfrecord2idx; returns the index's path."""
    records = [record(one if isinstance(one, bytes) else example(one)) for one in examples]
    path.write_bytes(b"".join(records))
    index = path.with_name(f"{path.name}.idx")
    ends = np.cumsum([0, *map(len, records)])
    index.write_text("".join(f"{start} {len(one)}\n" for start, one in zip(ends, records, strict=False)))
    return index
