"""Index files as DALI's tools write them, a line "OFFSET SIZE" a record, and what is wrong with one."""

from __future__ import annotations

import codecs
import os
import tempfile

import numpy as np

from .. import _host
from ..errors import ConfigError
from .safe_open import opened, read_all

__all__ = ["index_text", "read_index", "read_text", "write_text"]

# Bytes of an index file: 10**9 records are of no single file.
_LARGEST = 1 << 36


def read_index(path: str) -> np.ndarray:
    """Offsets and sizes, `int64[n, 2]`, of an index file of `tfrecord2idx` or `jaxdali index`.

    Raises:
        ConfigError: a line that is something else; says which.
        OSError: the file cannot be read.
    """
    text = read_text(path)
    try:
        numbers = np.array(text.split(), np.int64)
        if numbers.size % 2 == 0 and all(line.count(b" ") + line.count(b"\t") >= 1 for line in text.splitlines()[:100]):
            return numbers.reshape(-1, 2)
    except (ValueError, OverflowError):
        pass
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words and (len(words) != 2 or not all(word.isdigit() and len(word) < 19 for word in words)):
            raise ConfigError(
                f"{path}:{number} is {line[:60]!r}, expected OFFSET SIZE of a record. `jaxdali index` writes it"
            )
    raise ConfigError(f"{path} does not hold OFFSET SIZE of a record in each line. `jaxdali index` writes such a file")


def read_text(path: str) -> bytes:
    """All of an index file, or a list, without the mark that some systems put before UTF-8.

    Raises:
        ConfigError: it is far too large.
        OSError: it cannot be read.
    """
    with opened(path) as file:
        if file.size > _LARGEST:
            raise ConfigError(f"{path} has more than {_LARGEST} bytes, and is not an index")
        return read_all(file).removeprefix(codecs.BOM_UTF8)


def index_text(ranges: np.ndarray) -> bytes:
    """What an index of such ranges holds, which DALI reads, too."""
    return _host.number_lines(ranges[:, 0], ranges[:, 1], " ")


def write_text(path: str, text: bytes) -> None:
    """Writes a file in one step, readable to whom the umask lets."""
    folder, name = os.path.split(os.path.abspath(path))
    handle, temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    try:
        with open(handle, "wb") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
