"""File descriptors that jaxdali opens.

A process may have been started with some of 0 to 2 closed, as daemons are. The next files opened get these numbers, and
anything that native code prints would be written into them. So jaxdali never uses 0 to 2. Also, if other code closes
every descriptor it finds, a number we kept may belong to another file later; so it is checked on each use.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket

from jaxdali._base.interruptions import raised_by_handler

__all__ = ["Kept", "above_standard", "fill_standard", "open_memory_file", "open_pidfd", "socket_pair"]

_FIRST = 3


def above_standard(fd: int) -> int:
    """Takes ownership of a descriptor. Returns it, or a copy above 2 in its place. The result closes on exec."""
    if fd >= _FIRST:
        return fd
    try:
        return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _FIRST)
    finally:
        os.close(fd)


def open_pidfd(pid: int) -> int:
    """Returns a descriptor that becomes readable when process `pid` ends.

    Raises:
        OSError: the descriptor cannot be opened; if the system forbids it, the text says how to allow it.
    """
    try:
        return above_standard(os.pidfd_open(pid))
    except OSError as error:
        if error.errno not in (errno.ENOSYS, errno.EPERM, errno.EACCES):
            raise
        text = (
            f"the system call pidfd_open is not allowed here ({os.strerror(error.errno)}), and without it a worker "
            "cannot notice that the process it works for has ended; it needs Linux 5.3, and a container's seccomp "
            "profile that allows it"
        )
        raise OSError(error.errno, text) from None


def open_memory_file(label: str) -> int:
    return above_standard(os.memfd_create(label))


def socket_pair(kind: socket.SocketKind = socket.SOCK_STREAM) -> tuple[socket.socket, socket.socket]:
    """Returns two connected Unix sockets."""
    first, second = (_above_standard(end) for end in socket.socketpair(socket.AF_UNIX, kind))
    return first, second


def _above_standard(end: socket.socket) -> socket.socket:
    return end if end.fileno() >= _FIRST else socket.socket(fileno=above_standard(end.detach()))


def fill_standard() -> None:
    """Opens /dev/null for each of 0, 1 and 2 that is closed. Only for processes that jaxdali itself started."""
    for fd in range(_FIRST):
        if _identity(fd) is None:  # then it is the lowest free number, which open returns
            os.open(os.devnull, os.O_RDWR)


class Kept:
    """A descriptor that is kept open for a long time.

    Args:
        fd: its number; ownership passes to this object.
        what: a description of the file, for errors.
    """

    def __init__(self, fd: int, what: str):
        self._fd = fd
        self._what = what
        self._identity = _identity(fd)

    @property
    def number(self) -> int:
        """The descriptor. Raises OSError if it no longer belongs to this file."""
        if _identity(self._fd) != self._identity:
            raise OSError(
                f"descriptor {self._fd} was that of {self._what}, and other code in this process closed it; close only "
                "descriptors that you opened"
            )
        return self._fd

    def close(self) -> None:
        """Closes it, unless other code already has."""
        if _identity(self._fd) == self._identity:
            os.close(self._fd)


def _identity(fd: int) -> tuple[int, int] | None:
    try:
        status = os.fstat(fd)
    except OSError as error:
        if raised_by_handler(error):
            raise
        return None
    return status.st_dev, status.st_ino
