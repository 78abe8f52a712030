"""A remote object that is read like a file, sequentially or at random."""

from __future__ import annotations

from .remote_objects import fetch_version, stat_objects

__all__ = ["RemoteFile"]

# Bytes per request: few for random access, many for sequential reading.
_LEAST, _MOST = 1 << 16, 1 << 23


class RemoteFile:
    """An object of `size` bytes, read through a window that grows while reading is sequential.

    Raises:
        SourceDataError: the object was replaced since it was opened.
        OSError: the object cannot be read; its methods raise this, too.
        BackendUnavailable: the package that reads it is not installed.
    """

    def __init__(self, url: str):
        self.url = url
        ((self.size, self._version),) = stat_objects([url])
        self._begin, self._bytes, self._window = 0, b"", _LEAST

    def read(self, size: int, offset: int) -> bytes:
        """Returns `size` bytes from `offset`, or fewer at the end, like os.pread."""
        size = max(min(size, self.size - offset), 0)
        start = offset - self._begin
        if not 0 <= start <= start + size <= len(self._bytes):
            in_a_row = 0 <= offset - self._begin - len(self._bytes) <= self._window
            self._window = min(2 * self._window, _MOST) if in_a_row and self._bytes else _LEAST
            wanted = min(max(size, self._window), self.size - offset)
            found = fetch_version(self.url, offset, wanted, self._version) if wanted > 0 else b""
            self._begin, self._bytes = offset, found
            start = 0
        return self._bytes[start : start + size]
