"""Writes RecordIO files of images like MXNet's im2rec, from the definition of the format."""

from __future__ import annotations

import pathlib
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from samples import HALVES, Arguments, Samples, both, content

from jaxdali.source import RecordIO

MAGIC = struct.pack("<I", 0xCED7230A)


def part(data: bytes, flag: int = 0) -> bytes:
    return MAGIC + struct.pack("<I", flag << 29 | len(data)) + data + bytes(-len(data) % 4)


def record(data: bytes) -> bytes:
    """A record, split into parts if its data contain the magic number at a multiple of 4."""
    places = [at for at in range(0, len(data) - 3, 4) if data[at : at + 4] == MAGIC]
    if not places:
        return part(data)
    starts, ends = [0, *(at + 4 for at in places)], [*places, len(data)]
    parts = [data[start:end] for start, end in zip(starts, ends, strict=True)]
    flags = [1, *[2] * (len(parts) - 2), 3]
    return b"".join(part(one, flag) for one, flag in zip(parts, flags, strict=True))


def image_record(labels: Sequence[float], image: bytes, number: int = 0) -> bytes:
    """A record with one label, or several."""
    several = len(labels) > 1
    head = struct.pack("<IfQQ", len(labels) if several else 0, 0.0 if several else labels[0], number, 0)
    return head + (np.array(labels, "<f4").tobytes() if several else b"") + image


def write_recordio(path: pathlib.Path, records: Sequence[bytes], shuffle: bool = False) -> pathlib.Path:
    """Writes PATH and its index with lines "KEY OFFSET"; returns the index's path."""
    whole = [record(one) for one in records]
    path.write_bytes(b"".join(whole))
    offsets = np.cumsum([0, *map(len, whole)])[:-1]
    lines = [f"{key}\t{offset}\n" for key, offset in enumerate(offsets)]
    index = path.with_suffix(".idx")
    index.write_text("".join(reversed(lines) if shuffle else lines))
    return index


def _write(folder: pathlib.Path) -> tuple[dict[str, Any], RecordIO]:
    paths = both(folder, "{}.rec")
    records = [[image_record([index, 0.5], content(index)) for index in mine] for mine in HALVES]
    return {"path": paths, "index_path": list(map(write_recordio, paths, records))}, RecordIO(paths)


SAMPLES = {"mxnet": Samples(_write, "mxnet", native=True)}


def arguments(root: pathlib.Path) -> dict[str, Arguments]:
    for name in ("a.rec", "b.rec"):
        write_recordio(root / name, [image_record([k], b"x") for k in range(3)])
    (root / "one.idx").write_text("0 0\n")
    values = {
        "path": [{"path": root / "a.rec"}, {"path": root / "b.rec"}],
        "index_path": [{"index_path": root / "one.idx"}],
    }
    return {"readers.mxnet": Arguments({"path": root / "a.rec"}, values)}
