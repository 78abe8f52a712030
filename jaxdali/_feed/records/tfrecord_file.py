"""Reads the framing of TFRecord files. Each record is a length, its checksum, the data, and their checksum."""

from __future__ import annotations

import struct

import numpy as np

from jaxdali.errors import ConfigError, SourceDataError
from .. import _host
from .index_files import index_text
from .safe_open import Watch, open_checked
from .walking import record_offsets

__all__ = ["FRAME", "begins_tfrecord", "first_payload", "index_tfrecord", "payload", "tfrecord_text"]

# Bytes around the data of a record: 12 before, 4 after.
FRAME = 16
_HEAD = struct.Struct("<QI")
_ANOTHER = "; the index belongs to another file, or is older than this one: `jaxdali index` remakes it"


def index_tfrecord(path: str, watch: Watch | None = None) -> np.ndarray:
    """Returns offset and size of each record of a file, frames included, `int64[n, 2]`. Reads only their lengths.

    Raises:
        ConfigError: a record's length is wrong, or the file ends within one. Names the byte.
        OSError: the file cannot be read.
    """
    with open_checked(path, watch) as file:
        read = file.read

        def step(offset: int, number: int) -> tuple[int, bool]:
            try:
                return offset + _length(read(_HEAD.size, offset), file.size - offset) + FRAME, True
            except SourceDataError as error:
                raise ConfigError(f"{path}, record {number} at byte {offset}: {error}") from None

        offsets, end = record_offsets(path, file.size, _host.walk_tfrecords, step, watch)
    return np.stack([offsets, np.diff(np.append(offsets, end))], axis=1)


def tfrecord_text(path: str, watch: Watch | None = None) -> tuple[bytes, int]:
    """Returns the text of a file's index, and its number of records. Raises as `index_tfrecord`."""
    ranges = index_tfrecord(path, watch)
    return index_text(ranges), len(ranges)


def begins_tfrecord(head: bytes) -> bool:
    """Whether the first bytes of a file are the length of a record and its checksum."""
    try:
        _length(head[: _HEAD.size], 1 << 62)
    except SourceDataError:
        return False
    return True


def first_payload(path: str) -> bytes:
    """Returns the data of a file's first record.

    Raises:
        ConfigError: the file has no record.
        SourceDataError: the record is damaged.
        OSError: the file cannot be read.
    """
    with open_checked(path) as file:
        if not file.size:
            raise ConfigError(f"{path} holds no record; expected at least one")
        try:
            size = _length(file.read(_HEAD.size, 0), file.size)
            return payload(file.read(size + FRAME, 0))
        except SourceDataError as error:
            raise SourceDataError(f"{path}, record 0 at byte 0: {error}") from None


def payload(record: bytes) -> bytes:
    """Returns the data of a record.

    Args:
        record: the record's bytes, including its frame.

    Raises:
        SourceDataError: a length or a checksum is wrong.
    """
    given = len(record) - FRAME
    if given < 0:
        raise SourceDataError(f"its index gives the record {len(record)} bytes, expected at least {FRAME}{_ANOTHER}")
    size = _length(record[: _HEAD.size], 1 << 62)
    if size != given:
        raise SourceDataError(f"the record says that it holds {size} bytes, but its index gives it {given}{_ANOTHER}")
    data = record[_HEAD.size : -4]
    _check("data", data, int.from_bytes(record[-4:], "little"))
    return data


def _length(head: bytes, there: int) -> int:
    """Returns the length in a record's head; `there` bytes are left up to the end of the file."""
    if len(head) < _HEAD.size:
        raise SourceDataError(f"the file ends {len(head)} bytes after the beginning of a record; it is cut off")
    size, crc = _HEAD.unpack(head)
    _check("length", head[:8], crc)
    if size + FRAME > there:
        raise SourceDataError(
            f"the record says that it holds {size} bytes, but {there - FRAME} are there; the file is cut off"
        )
    return size


def _check(what: str, data: bytes, masked: int) -> None:
    crc = _host.crc32c(data)
    wanted = ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
    if masked != wanted:
        raise SourceDataError(
            f"the checksum of the record's {what} is {masked:#010x}, expected {wanted:#010x}: the file is damaged, or not "
            "a TFRecord file (compressed ones must be unpacked), or its index belongs to another file"
        )
