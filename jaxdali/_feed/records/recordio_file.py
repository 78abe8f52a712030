"""Reads MXNet's RecordIO files and the images in them: magic number, flag and length, data, padding to four bytes."""

from __future__ import annotations

import logging
import struct

import numpy as np

from jaxdali.errors import ConfigError, SourceDataError
from .. import _host
from .safe_open import Watch, open_checked
from .walking import record_offsets

__all__ = [
    "begins_recordio",
    "index_recordio",
    "joined_parts",
    "offsets_of",
    "ranges_between",
    "recordio_text",
    "split_image",
]

logger = logging.getLogger("jaxdali")

_MAGIC = 0xCED7230A
_HEAD = struct.Struct("<II")
_IMAGE = struct.Struct("<IfQQ")
# Flags: a whole record, or the first, a middle or the last part of one. Records whose data contain the magic number are
# split there.
_WHOLE, _FIRST, _MIDDLE, _LAST = range(4)


def begins_recordio(head: bytes) -> bool:
    """Whether the first bytes of a file are those of a record."""
    return head[: _HEAD.size // 2] == _MAGIC.to_bytes(4, "little")


def offsets_of(text: bytes, path: str) -> np.ndarray:
    """Returns where records begin, `int64[n]`, from an index of `im2rec`, `rec2idx` or `jaxdali index`: lines
    "KEY OFFSET".

    Args:
        text: what is in it.
        path: its path, for errors.

    Raises:
        ConfigError: a line is something else, or there is none. Says which.
    """
    offsets = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words:
            continue
        if len(words) != 2 or not words[1].isdigit() or len(words[1]) > 18:
            raise ConfigError(
                f"{path}:{number} is {line[:60]!r}, expected KEY OFFSET of a record. `jaxdali index` writes such a file"
            )
        offsets.append(int(words[1]))
    if not offsets:
        raise ConfigError(f"{path} has no record; `jaxdali index` writes an index")
    found = np.unique(np.array(offsets, np.int64))
    if len(found) < len(offsets):
        logger.warning(
            "%s names %d records twice or more often; each is read once. source.subset(data, indices) repeats samples",
            path,
            len(offsets) - len(found),
        )
    return found


def ranges_between(offsets: np.ndarray, size: int, path: str) -> np.ndarray:
    """Returns offset and size of each record, `int64[n, 2]`: each ends where the next one begins, the last one with the
    file.

    Raises:
        ConfigError: a record begins after the end of the file.
    """
    if len(offsets) and offsets[-1] >= size:
        raise ConfigError(
            f"{path} has {size} bytes, but its index has a record at byte {offsets[-1]}; the file is cut off, or the index "
            "belongs to another file: `jaxdali index` remakes it"
        )
    return np.stack([offsets, np.diff(np.append(offsets, size))], axis=1)


def index_recordio(path: str, watch: Watch | None = None) -> np.ndarray:
    """Returns offset and size of each record of a file, `int64[n, 2]`. Reads only their lengths.

    Raises:
        ConfigError: the file is not RecordIO, or ends within a record. Names the byte.
        OSError: the file cannot be read.
    """
    with open_checked(path, watch) as file:
        read = file.read

        def step(offset: int, number: int) -> tuple[int, bool]:
            try:
                flag, size = _part(read(_HEAD.size, offset), file.size - offset)
            except SourceDataError as error:
                raise ConfigError(f"{path}, record {number}, at byte {offset}: {error}") from None
            return offset + _HEAD.size + size + -size % 4, flag in (_WHOLE, _FIRST)

        offsets, _ = record_offsets(path, file.size, _host.walk_recordio, step, watch)
        return ranges_between(offsets, file.size, path)


def recordio_text(path: str, watch: Watch | None = None) -> tuple[bytes, int]:
    """Returns the text of a file's index, lines "KEY OFFSET", which MXNet and DALI read, too, and its number of records.
    Raises as `index_recordio`.
    """
    ranges = index_recordio(path, watch)
    return _host.number_lines(np.arange(len(ranges)), ranges[:, 0], "\t"), len(ranges)


def joined_parts(record: bytes) -> bytes:
    """Returns the data of a record: its parts, joined by the magic number.

    Raises:
        SourceDataError: `record` is not RecordIO, or a part is missing.
    """
    parts: list[bytes] = []
    offset = 0
    while True:
        flag, size = _part(record[offset : offset + _HEAD.size], len(record) - offset)
        expected = (_WHOLE, _FIRST) if not parts else (_MIDDLE, _LAST)
        if flag not in expected:
            raise SourceDataError(
                f"the part at byte {offset} of the record has the flag {flag}, expected one of {expected}"
            )
        parts.append(record[offset + _HEAD.size : offset + _HEAD.size + size])
        if flag in (_WHOLE, _LAST):
            return _MAGIC.to_bytes(4, "little").join(parts)
        offset += _HEAD.size + size + -size % 4


def split_image(data: bytes) -> tuple[np.ndarray, bytes]:
    """Returns the labels, `float32[n]`, and the file of an image.

    Raises:
        SourceDataError: there are fewer bytes than the head and its labels need.
    """
    if len(data) < _IMAGE.size:
        raise SourceDataError(
            f"the record has {len(data)} bytes, expected at least the {_IMAGE.size} of the head of an image"
        )
    count, label, _, _ = _IMAGE.unpack_from(data)
    if _IMAGE.size + 4 * count > len(data):
        raise SourceDataError(
            f"the record says that it has {count} labels, but it has {len(data) - _IMAGE.size} bytes left"
        )
    labels = np.frombuffer(data, "<f4", count, _IMAGE.size) if count else np.array([label], np.float32)
    return labels, data[_IMAGE.size + 4 * count :]


def _part(head: bytes, there: int) -> tuple[int, int]:
    """Returns flag and length of a part; `there` bytes are left up to the end."""
    if len(head) < _HEAD.size:
        raise SourceDataError(
            f"{len(head)} bytes are left, expected the {_HEAD.size} of the head of a part; the file is cut off"
        )
    magic, word = _HEAD.unpack(head)
    if magic != _MAGIC:
        raise SourceDataError(
            f"it begins with {magic:#010x}, expected {_MAGIC:#010x}; it is not RecordIO, or is damaged"
        )
    flag, size = word >> 29, word & (1 << 29) - 1
    if flag > _LAST or _HEAD.size + size > there:
        raise SourceDataError(
            f"a part with the flag {flag} says that it holds {size} bytes, but {there - _HEAD.size} are there; it is cut "
            "off, or damaged"
        )
    return flag, size
