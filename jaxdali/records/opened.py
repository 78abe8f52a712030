"""Opens files of which nothing is known yet: a FIFO would make the opener wait for ever."""

from __future__ import annotations

import errno
import os
import stat

__all__ = ["open_regular"]


def open_regular(path: str) -> int:
    """A descriptor of a regular file, to be read by position.

    Raises:
        OSError: it cannot be opened, or is something else. Names it.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    raise OSError(errno.EINVAL, "expected a regular file, got a FIFO, a socket or a device", path)
