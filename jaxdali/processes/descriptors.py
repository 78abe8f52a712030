"""Descriptors of files that jaxdali makes.

A process may have been started with some of 0 to 2 closed, as daemons are. What is opened next gets these numbers, and then
whatever native code prints would be written into it. So nothing of ours has them. And a number that is kept may be
another file's by the time when it is used, where somebody closes all that there are; so it is looked at then.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket

__all__ = ["Kept", "above_standard", "fill_standard", "open_memory_file", "open_pidfd", "socket_pair"]

_FIRST = 3


def above_standard(fd: int) -> int:
    """Takes a descriptor over; the same, or a copy above 2 in its place. It closes on exec."""
    if fd >= _FIRST:
        return fd
    try:
        return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _FIRST)
    finally:
        os.close(fd)


def open_pidfd(pid: int) -> int:
    """A descriptor that becomes readable when process `pid` ends.

    Raises:
        OSError: there can be none; where the system forbids it the text says who may allow it.
    """
    try:
        return above_standard(os.pidfd_open(pid))
    except OSError as error:
        if error.errno not in (errno.ENOSYS, errno.EPERM, errno.EACCES):
            raise
        text = (
            f"the system call pidfd_open is not allowed here ({os.strerror(error.errno)}), and without it a worker cannot "
            "see the end of the process that it works for; it needs Linux 5.3, and a container's seccomp profile that "
            "lets it pass"
        )
        raise OSError(error.errno, text) from None


def open_memory_file(label: str) -> int:
    return above_standard(os.memfd_create(label))


def socket_pair(kind: socket.SocketKind = socket.SOCK_STREAM) -> tuple[socket.socket, socket.socket]:
    """Two connected sockets of this machine."""
    first, second = (_above_standard(end) for end in socket.socketpair(socket.AF_UNIX, kind))
    return first, second


def _above_standard(end: socket.socket) -> socket.socket:
    return end if end.fileno() >= _FIRST else socket.socket(fileno=above_standard(end.detach()))


def fill_standard() -> None:
    """Opens /dev/null where 0, 1 or 2 are closed. For a process that is all ours."""
    for fd in range(_FIRST):
        if _identity(fd) is None:  # it is the lowest free number
            os.open(os.devnull, os.O_RDWR)


class Kept:
    """A descriptor that is kept for long.

    Args:
        fd: taken over.
        what: it is, for errors.
    """

    def __init__(self, fd: int, what: str):
        self._fd = fd
        self._what = what
        self._identity = _identity(fd)

    @property
    def number(self) -> int:
        """Raises OSError where it is no longer this file's."""
        if _identity(self._fd) != self._identity:
            raise OSError(
                f"descriptor {self._fd} was that of {self._what}, and other code in this process closed it; close "
                "only descriptors that you opened"
            )
        return self._fd

    def close(self) -> None:
        """Closes it, unless somebody else has."""
        if _identity(self._fd) == self._identity:
            os.close(self._fd)


def _identity(fd: int) -> tuple[int, int] | None:
    try:
        status = os.fstat(fd)
    except OSError:
        return None
    return status.st_dev, status.st_ino
