"""A folder with pieces of objects, up to a number of bytes, shared by all processes that are given it."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import fcntl
import hashlib
import logging
import os
import struct
import tempfile
import time
from collections.abc import Iterator
from typing import NamedTuple

from .. import _host
from ..errors import ConfigError, check_integer
from ..interruptions import raised_by_handler
from ..patience import Patience

__all__ = ["ByteRange", "Cache", "make_cache"]

logger = logging.getLogger("jaxdali")

_DEFAULT_BYTES = 16 << 30
_MAGIC = b"jaxdali1"
_HEAD = struct.Struct("<8sIQ")
_BLOCK = 4096  # the least that a file occupies
_LEDGER = ".bytes"
# How often to try whether it is unlocked.
_PAUSE_S = 0.001
# Prefix of files that a process is still writing. If it was killed, they are removed after an hour.
_UNFINISHED, _FORGOTTEN_S = "part-", 3600
# When the cache is full, files are removed until it is filled to this fraction, so that it happens only now and then.
_KEPT = 0.9


class ByteRange(NamedTuple):
    """A range of bytes of an object.

    Attributes:
        url: of the object.
        offset: of the first byte.
        size: in bytes; None: the whole object, with `offset` 0.
        version: tells versions of an object with the same name apart; empty if nothing does.
    """

    url: str
    offset: int
    size: int | None
    version: str = ""


def make_cache(cache_dir: str | os.PathLike[str] | None, cache_bytes: int | None) -> Cache | None:
    """Makes a cache, and its folder, from what a user gave. None if there is to be no cache.

    Raises:
        ConfigError: `cache_bytes` is not a number of bytes, or comes without a folder; or the folder is not writable.
    """
    if cache_bytes is not None:
        check_integer("cache_bytes", cache_bytes, 1, 1 << 62)
    if cache_dir is None:
        if cache_bytes is not None:
            raise ConfigError("cache_bytes= has no effect without cache_dir=, the folder of the cache")
        return None
    folder = os.path.abspath(os.fspath(cache_dir))
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        if raised_by_handler(error):
            raise
        raise ConfigError(f"cache_dir={folder!r:.200} cannot be made: {error.strerror}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ConfigError(f"cache_dir={folder!r:.200} is not writable; give another folder")
    return Cache(folder, _DEFAULT_BYTES if cache_bytes is None else cache_bytes)


@dataclasses.dataclass(frozen=True)
class Cache:
    """Each piece is a file, which appears once it is complete and whose checksum is verified when it is read. If there
    is no room, the least recently used files are removed.

    Attributes:
        folder: an existing one.
        most: most bytes of all files together, each rounded up to what it takes on disk.
    """

    folder: str
    most: int

    def has(self, byte_range: ByteRange) -> bool:
        """Whether the range is in the cache; another process may remove it at any time."""
        return os.path.exists(self._path(byte_range))

    def get(self, byte_range: ByteRange) -> bytes | None:
        """Returns the bytes of a range, or None if they are not in the cache."""
        path = self._path(byte_range)
        try:
            with open(path, "rb", buffering=0) as file:
                content = file.read()
                os.utime(file.fileno())
        except FileNotFoundError:
            return None
        data = content[_HEAD.size :]
        if len(content) >= _HEAD.size and _HEAD.unpack_from(content) == (_MAGIC, _host.crc32c(data), len(data)):
            return data
        with contextlib.suppress(FileNotFoundError):  # left by a machine that crashed
            os.unlink(path)
        return None

    def put(self, byte_range: ByteRange, data: bytes) -> None:
        """Stores the bytes of a range, unless they are far too many or the disk is full."""
        size = _on_disk(_HEAD.size + len(data))
        if size > self.most // 2:
            return
        path = self._path(byte_range)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            handle, temporary = tempfile.mkstemp(prefix=_UNFINISHED, dir=os.path.dirname(path))
            with open(handle, "wb") as file:
                file.write(_HEAD.pack(_MAGIC, _host.crc32c(data), len(data)))
                file.write(data)
            with self._ledger() as ledger:
                if os.path.exists(path):  # another process was faster
                    os.unlink(temporary)
                    return
                ledger.add(size)
                os.replace(temporary, path)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.ENOENT):
                raise
            logger.warning("%s stores nothing more: %s", self.folder, error)

    def _path(self, byte_range: ByteRange) -> str:
        text = f"{byte_range.url}\0{byte_range.version}\0{byte_range.offset}\0{byte_range.size}"
        name = hashlib.blake2b(text.encode(errors="surrogateescape"), digest_size=20).hexdigest()
        return os.path.join(self.folder, name[:2], name[2:])

    @contextlib.contextmanager
    def _ledger(self) -> Iterator[_Ledger]:
        descriptor = os.open(os.path.join(self.folder, _LEDGER), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            self._lock(descriptor)
            yield _Ledger(self, descriptor)
        finally:
            os.close(descriptor)

    def _lock(self, descriptor: int) -> None:
        patience: Patience | None = None
        while True:
            try:
                return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:  # most others need it for a moment only
                time.sleep(_PAUSE_S)
                patience = patience or Patience(lambda: f"the cache {self.folder}, which another process keeps locked")
                patience.wait()


class _Ledger:
    """How many bytes a cache has, in a file that is locked by one process at a time."""

    def __init__(self, cache: Cache, descriptor: int):
        self._cache, self._descriptor = cache, descriptor

    def add(self, size: int) -> None:
        """Counts one more file, and makes room for it."""
        text = os.pread(self._descriptor, 32, 0)
        total = int(text) if text.strip().isdigit() else self._make_room(self._cache.most)
        if total + size > self._cache.most:
            total = self._make_room(int(self._cache.most * _KEPT) - size)
        os.pwrite(self._descriptor, b"%-31d\n" % (total + size), 0)

    def _make_room(self, left: int) -> int:
        """Removes the least recently used files until at most `left` bytes remain. Returns how many do."""
        found = []
        with os.scandir(self._cache.folder) as folders:
            for folder in folders:
                if not folder.is_dir():
                    continue
                with os.scandir(folder.path) as files:
                    for file in files:
                        with contextlib.suppress(FileNotFoundError):
                            status = file.stat()
                            if not file.name.startswith(_UNFINISHED):
                                found.append((status.st_mtime_ns, file.path, _on_disk(status.st_size)))
                            elif status.st_mtime < time.time() - _FORGOTTEN_S:
                                os.unlink(file.path)
        found.sort()
        total = sum(size for _, _, size in found)
        for _, path, size in found:
            if total <= left:
                break
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            total -= size
        return total


def _on_disk(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK
