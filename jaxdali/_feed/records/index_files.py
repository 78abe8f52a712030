"""Reads and writes index files as DALI's tools do: a line "OFFSET SIZE" per record."""

from __future__ import annotations

import codecs
import os
import tempfile
from collections.abc import Iterator, Sequence

import numpy as np

from jaxdali.errors import ConfigError
from .. import _host
from ..storage import fetch_all, is_remote
from .safe_open import open_checked, read_all

__all__ = ["index_text", "read_indices", "read_text", "read_texts", "write_text"]

# Limit on an index file's bytes: no single file has 10**9 records.
_LARGEST = 1 << 36
# Remote indices are fetched together: at first one, then twice as many each time, up to so many, of about so many bytes.
_TOGETHER, _TOGETHER_BYTES = 1024, 1 << 26


def read_indices(paths: Sequence[str]) -> Iterator[np.ndarray]:
    """Yields the offsets and sizes, `int64[n, 2]`, in index files that `tfrecord2idx` or `jaxdali index` wrote.

    Raises:
        ConfigError: a line is something else. Says which.
        OSError: a file cannot be read.
    """
    return map(_ranges, read_texts(paths), paths)


def _ranges(text: bytes, path: str) -> np.ndarray:
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


def read_texts(paths: Sequence[str]) -> Iterator[bytes]:
    """Yields what `read_text` returns of each file. Remote ones are fetched together: a hundred thousand of them, one after
    the other, would take an hour.

    Raises:
        ConfigError, OSError: as `read_text`.
    """
    first, count = 0, 1
    while first < len(paths):
        group = paths[first : first + count]
        urls = [path for path in group if is_remote(path)]
        fetched = dict(zip(urls, fetch_all(urls), strict=True))
        largest = max(map(len, fetched.values()), default=0)
        for path in group:
            text = fetched.get(path)
            yield read_text(path) if text is None else text.removeprefix(codecs.BOM_UTF8)
        first += count
        count = min(2 * count, _TOGETHER, max(_TOGETHER_BYTES // max(largest, 1), 1))


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
