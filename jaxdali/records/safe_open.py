"""Opens files of which nothing is known yet, here or elsewhere: a FIFO would make the opener wait forever."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import stat
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..storage import RemoteFile, is_remote

__all__ = ["Opened", "Watch", "open_regular", "opened", "opened_content", "read_all"]


class Opened(NamedTuple):
    """What is read by position.

    Attributes:
        size: in bytes, when it was opened; -1: not known.
        read: `(size, offset) -> bytes`, as os.pread: of what is behind the end there is nothing.
        fill: `(to, offset) -> int`: how many bytes it has read to there, as os.preadv.
    """

    size: int
    read: Callable[[int, int], bytes]
    fill: Callable[[memoryview, int], int]


# Is told of what is read of a file: the offset, and the file's size.
Watch = Callable[[int, int], None]


@contextlib.contextmanager
def opened(path: str, watch: Watch | None = None) -> Iterator[Opened]:
    """A regular file, or an object elsewhere.

    Raises:
        OSError: it cannot be opened, or is something else. Names it.
        BackendUnavailable: what reads such URLs is not installed.
    """
    if is_remote(path):
        remote = RemoteFile(path)
        yield _opened(remote.size, _watched(remote.size, remote.read, watch))
        return
    descriptor = open_regular(path)
    try:
        size = os.fstat(descriptor).st_size
        read = _watched(size, functools.partial(os.pread, descriptor), watch)
        yield Opened(size, read, lambda to, at: os.preadv(descriptor, [to], at))
    finally:
        os.close(descriptor)


def _watched(size: int, read: Callable[[int, int], bytes], watch: Watch | None) -> Callable[[int, int], bytes]:
    if watch is None:
        return read

    def told(count: int, offset: int) -> bytes:
        watch(offset, size)
        return read(count, offset)

    return told


def opened_content(content: bytes) -> Opened:
    """What has been read before."""
    return _opened(len(content), lambda size, offset: content[offset : offset + size])


def read_all(file: Opened) -> bytes:
    """All that is in it."""
    found = file.read(file.size, 0)
    while len(found) < file.size and (more := file.read(file.size - len(found), len(found))):  # Linux has 2 GiB at once
        found += more
    return found


def _opened(size: int, read: Callable[[int, int], bytes]) -> Opened:
    def fill(to: memoryview, offset: int) -> int:
        found = read(len(to), offset)
        to[: len(found)] = found
        return len(found)

    return Opened(size, read, fill)


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
