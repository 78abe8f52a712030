"""Opens local files and remote objects that may be anything: opening a FIFO would wait forever."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import stat
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..storage.remote_file import RemoteFile
from ..storage.urls import is_remote

__all__ = ["Opened", "Watch", "is_path", "open_checked", "open_regular", "opened_content", "read_all"]


class Opened(NamedTuple):
    """An open file that is read by position.

    Attributes:
        size: in bytes, when it was opened; -1 if unknown.
        read: `(size, offset) -> bytes`, as os.pread: returns fewer bytes at the end, and none after it.
        fill: `(to, offset) -> int`: reads into `to` as os.preadv does, and returns how many bytes.
    """

    size: int
    read: Callable[[int, int], bytes]
    fill: Callable[[memoryview, int], int]


# Called before each read of a file, with the offset and the file's size.
Watch = Callable[[int, int], None]


@contextlib.contextmanager
def open_checked(path: str, watch: Watch | None = None) -> Iterator[Opened]:
    """Opens a regular file, or a remote object.

    Raises:
        OSError: the file cannot be opened, or is not a regular one. Names it.
        BackendUnavailable: the library that reads such URLs is not installed.
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
    """Returns bytes that were read before as an `Opened`."""
    return _opened(len(content), lambda size, offset: content[offset : offset + size])


def read_all(file: Opened) -> bytes:
    """Returns all bytes of a file."""
    found = file.read(file.size, 0)
    # Linux reads 2 GiB per call at most.
    while len(found) < file.size and (more := file.read(file.size - len(found), len(found))):
        found += more
    return found


def _opened(size: int, read: Callable[[int, int], bytes]) -> Opened:
    def fill(to: memoryview, offset: int) -> int:
        found = read(len(to), offset)
        to[: len(found)] = found
        return len(found)

    return Opened(size, read, fill)


def is_path(name: str) -> bool:
    """Whether the system could have a file of this name. JSON may name any: half of a character, or one with a zero byte."""
    try:
        return b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        return False


def open_regular(path: str) -> int:
    """Returns a descriptor of a regular file, to be read by position.

    Raises:
        OSError: the file cannot be opened, or is not a regular one. Names it.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    raise OSError(errno.EINVAL, "expected a regular file, got a FIFO, a socket or a device", path)
