"""Writes TFRecord files of Examples from the definition of the format, without TensorFlow."""

from __future__ import annotations

import pathlib
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from samples import HALVES, Arguments, Samples, both, content

from jaxdali import tfrecord
from jaxdali.source import TFRecords


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


FEATURES = {
    "image": tfrecord.FixedLenFeature([], tfrecord.string, ""),
    "label": tfrecord.FixedLenFeature([1], tfrecord.int64, -1),
    "box": tfrecord.VarLenFeature([2], tfrecord.float32, 0.0),
}


def features(index: int) -> dict[str, Any]:
    """The features of sample `index`."""
    return {
        "image": content(index),
        "other": np.arange(9),
        "label": [index - 3],
        "box": np.arange(4, dtype=np.float32) + index,
    }


def _write(folder: pathlib.Path) -> tuple[dict[str, Any], TFRecords]:
    paths = both(folder, "{}.tfrecord")
    indices = [write_tfrecord(path, list(map(features, mine))) for path, mine in zip(paths, HALVES, strict=True)]
    return {"path": paths, "index_path": indices, "features": FEATURES}, TFRecords(paths, FEATURES)


SAMPLES = {"tfrecord": Samples(_write, "tfrecord", native=True)}


def arguments(root: pathlib.Path) -> dict[str, Arguments]:
    for name in ("a.tfrecord", "b.tfrecord"):
        write_tfrecord(root / name, [{"label": [k]} for k in range(3)])
    (root / "first.idx").write_text("0 50\n")
    values = {
        "path": [{"path": root / "a.tfrecord"}, {"path": root / "b.tfrecord"}],
        # The index file itself does not matter, but the positions of the records do.
        "index_path": [{"index_path": root / "first.idx"}],
    }
    return {
        "readers.tfrecord": Arguments({"path": [root / "a.tfrecord"], "features": {"label": FEATURES["label"]}}, values)
    }
