"""Reads and writes index files as DALI's tools do: a line "OFFSET SIZE" per record."""

from __future__ import annotations

import codecs
import os
import tempfile

import numpy as np

from jaxdali.errors import ConfigError
from .. import _host
from .safe_open import open_checked, read_all

__all__ = ["index_text", "read_index", "read_text", "write_text"]

# Limit on an index file's bytes: no single file has 10**9 records.
_LARGEST = 1 << 36


def read_index(path: str) -> np.ndarray:
    """Returns the offsets and sizes, `int64[n, 2]`, in an index file that `tfrecord2idx` or `jaxdali index` wrote.

    Raises:
        ConfigError: a line is something else. Says which.
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
                f"{path}:{number} is {line[:60]!r}, expected OFFSET SIZE of a record. `jaxdali index` writes such a file"
            )
    raise ConfigError(f"{path} does not hold OFFSET SIZE of a record in each line. `jaxdali index` writes such a file")


def read_text(path: str) -> bytes:
    """Returns the contents of an index file or a list, without the byte order mark that some systems put before UTF-8.

    Raises:
        ConfigError: the file is far too large.
        OSError: the file cannot be read.
    """
    with open_checked(path) as file:
        if file.size > _LARGEST:
            raise ConfigError(f"{path} has more than {_LARGEST} bytes, too many for an index")
        return read_all(file).removeprefix(codecs.BOM_UTF8)


def index_text(ranges: np.ndarray) -> bytes:
    """Returns the text of an index of these ranges, which DALI reads, too."""
    return _host.number_lines(ranges[:, 0], ranges[:, 1], " ")


def write_text(path: str, text: bytes) -> None:
    """Writes a file in one step (temporary file, then rename), with the permissions that the umask allows."""
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
