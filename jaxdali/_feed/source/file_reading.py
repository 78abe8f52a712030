"""Reads whole files, and refuses what is not a file: a FIFO has no end, and opening one waits forever."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence

from ..storage.urls import absolute

__all__ = ["Path", "Paths", "absolute_paths", "kind_of_file", "read_file"]

Path = str | os.PathLike[str]
Paths = Path | Sequence[Path]

# /dev/null, the one device that has an end.
_NULL = os.makedev(1, 3)

_KINDS = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}


def absolute_paths(given: Paths) -> list[str]:
    """Returns one path, or several, as absolute ones; leaves URLs as they are."""
    one = isinstance(given, str | os.PathLike)
    return [absolute(path) for path in ([given] if one else given)]


def kind_of_file(mode: int) -> str:
    """Says what something is that is not a regular file, by its `st_mode`."""
    return _KINDS.get(stat.S_IFMT(mode), "something else")


def read_file(path: str | os.PathLike[str]) -> bytes:
    """Returns the contents of a regular file, or nothing for /dev/null. Never waits, whatever was put in the file's place.

    Raises:
        OSError: it cannot be read, is not a regular file, or (in /proc) has nothing to read yet. Names it.
    """
    with open(path, "rb", buffering=0, opener=_open_at_once) as file:
        status = os.fstat(file.fileno())
        mode = status.st_mode
        if not stat.S_ISREG(mode):
            if stat.S_ISCHR(mode) and status.st_rdev == _NULL:
                return b""
            number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
            raise OSError(number, f"expected a regular file, got {kind_of_file(mode)}", os.fspath(path))
        try:
            content = file.readall()
        except OSError as error:
            error.filename = os.fspath(path)
            raise
        if content is None:
            raise BlockingIOError(errno.EAGAIN, "nothing to read yet, and waiting might never end", os.fspath(path))
        return content


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)
