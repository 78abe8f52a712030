"""Files that are read whole, and what must not be taken for one: a FIFO has no end, and opening one waits forever."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence

from ..storage import absolute

__all__ = ["Path", "Paths", "absolute_paths", "kind_of_file", "read_file"]

Path = str | os.PathLike[str]
Paths = Path | Sequence[Path]

# The one device that has an end: there is nothing in it.
_NULL = os.makedev(1, 3)

_KINDS = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}


def absolute_paths(given: Paths) -> list[str]:
    """Of one path, or of several; URLs are as they were."""
    one = isinstance(given, str | os.PathLike)
    return [absolute(path) for path in ([given] if one else given)]


def kind_of_file(mode: int) -> str:
    """What something is that is not a regular file, from its `st_mode`."""
    return _KINDS.get(stat.S_IFMT(mode), "something else")


def read_file(path: str | os.PathLike[str]) -> bytes:
    """What is in a regular file; nothing is in /dev/null. Never waits, whatever has been put in the file's place.

    Raises:
        OSError: it cannot be read, or is not a regular file, or (of /proc) one with nothing to be read yet. Names it.
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
            raise BlockingIOError(errno.EAGAIN, "nothing to be read yet, and waiting may have no end", os.fspath(path))
        return content


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)
