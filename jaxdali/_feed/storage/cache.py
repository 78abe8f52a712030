"""A folder with pieces of objects, up to a number of bytes, shared by all processes that are given it."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import fcntl
import hashlib
import logging
import os
import stat
import struct
import tempfile
import time
from collections.abc import Iterator
from typing import NamedTuple

from jaxdali._base.interruptions import raised_by_handler
from jaxdali._base.patience import Patience
from jaxdali.errors import ConfigError, check_integer
from .. import _host

__all__ = ["ByteRange", "Cache", "make_cache"]

logger = logging.getLogger("jaxdali")

_DEFAULT_BYTES = 16 << 30
_MAGIC = b"jaxdali2"
# Magic, checksums of version and data, when the version was last confirmed, sizes of version and data. A version and the
# data follow.
_HEAD = struct.Struct("<8sIIdHQ")
_CONFIRMED = struct.Struct("<d")
_CONFIRMED_AT = 16
_LONGEST_VERSION = 1 << 10
_BLOCK = 4096  # the least that a file occupies
# Bytes of the hash that names an entry, and how many of its digits name its folder.
_DIGEST, _FOLDERS = 20, 2
_LEDGER = ".bytes"
# When this file was changed, a process told that it could not write.
_TOLD, _TOLD_AGAIN_S = ".told", 3600.0
# Whoever shares the folder may have put a FIFO there, or a link to somebody's file, which would be written.
_OPENED = os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
# How often to try whether it is unlocked.
_PAUSE_S = 0.001
# Prefix of files that a process is still writing. If it was killed, they are removed after an hour.
_UNFINISHED, _FORGOTTEN_S = "part-", 3600
# When the cache is full, files are removed until it is filled to this fraction, so that it happens only now and then.
_KEPT = 0.9


# When this process last wrote a line in the log for a folder.
_told: dict[str, float] = {}


class ByteRange(NamedTuple):
    """A range of bytes of an object.

    Attributes:
        url: of the object.
        offset: of the first byte.
        size: in bytes; None: the whole object, with `offset` 0.
        version: what the object was when it was asked about; empty: nobody asked.
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
    cache = Cache(folder, _DEFAULT_BYTES if cache_bytes is None else cache_bytes, time.time())
    cache.check()
    return cache


class _Head(NamedTuple):
    """The beginning of an entry.

    Attributes:
        version: of the object that the bytes are of.
        confirmed: when it was last seen that the object is of that version.
        checksum, size: of the bytes.
        begin: where in the file they are.
    """

    version: str
    confirmed: float
    checksum: int
    size: int
    begin: int


@dataclasses.dataclass(frozen=True)
class Cache:
    """Each piece is a file, which appears once it is complete and whose checksum is verified when it is read. If there
    is no room, the least recently used files are removed. Everything in the folder gets the permissions of the folder, so
    whoever may write there shares it.

    A range that says no version of its object is believed if its entry's version was confirmed lately, or if its server
    tells versions apart by nothing but their size.

    Attributes:
        folder: an existing one.
        most: most bytes of all files together, each rounded up to what it takes on disk.
        since: the time from which on a version that was confirmed is believed.
    """

    folder: str
    most: int
    since: float = 0.0

    def check(self) -> None:
        """Checks that this process can use what is in the folder.

        Raises:
            ConfigError: it cannot; the text names what it cannot use, and whose it is.
        """
        if not os.access(self.folder, os.R_OK | os.W_OK | os.X_OK, effective_ids=True):
            raise ConfigError(f"cache_dir={self.folder!r:.200} is not writable; give another folder")
        for name in (_LEDGER, *(f"{number:02x}" for number in range(256))):
            path = os.path.join(self.folder, name)
            wanted = os.R_OK | os.W_OK | (0 if name == _LEDGER else os.X_OK)
            if os.access(path, wanted, effective_ids=True) or not os.path.lexists(path):
                continue
            raise ConfigError(
                f"cache_dir={self.folder!r:.200} is in use by user {os.lstat(path).st_uid}, and {name!r} in it is not for "
                f"user {os.geteuid()} to write; give another folder, or make a new one whose permissions let all its users "
                "write (chmod 2770 and a group that they are in)"
            )

    def has(self, byte_range: ByteRange) -> bool:
        """Whether the range is in the cache, and believed; another process may remove it at any time."""
        if byte_range.version:
            return os.access(self._path(byte_range), os.R_OK)
        return (head := self._head(byte_range)) is not None and self._believes(head)

    def doubted(self, byte_range: ByteRange) -> str:
        """Returns the version of a range that is in the cache, but whose version has to be confirmed; else nothing."""
        head = None if byte_range.version else self._head(byte_range)
        return head.version if head is not None and not self._believes(head) else ""

    def confirm(self, byte_range: ByteRange, version: str) -> None:
        """Says that the object of a range was of this version just now."""
        with contextlib.suppress(FileNotFoundError, PermissionError):
            with _opened(self._path(byte_range), os.O_RDWR) as descriptor:
                head = _head_of(descriptor)
                if head is not None and head.version == version:
                    os.pwrite(descriptor, _CONFIRMED.pack(time.time()), _CONFIRMED_AT)

    def get(self, byte_range: ByteRange) -> bytes | None:
        """Returns the bytes of a range, or None if they are not in the cache."""
        found = self.entry(byte_range, believed=False)
        return None if found is None else found[0]

    def entry(self, byte_range: ByteRange, believed: bool = True) -> tuple[bytes, str] | None:
        """Returns what `get` does, and the version of the object that the bytes are of.

        Args:
            believed: only if the version was confirmed lately.
        """
        path = self._path(byte_range)
        try:
            with _opened(path, os.O_RDONLY) as descriptor:
                if (head := _head_of(descriptor)) is not None:
                    if believed and not byte_range.version and not self._believes(head):
                        return None
                    data = _data_of(descriptor, head)
                    if len(data) == head.size and _host.crc32c(data) == head.checksum:
                        with contextlib.suppress(PermissionError):
                            os.utime(descriptor)
                        return data, head.version
            os.unlink(path)  # left by a machine that crashed, or by an older version of this package
        except FileNotFoundError:
            return None
        except OSError as error:
            if raised_by_handler(error):
                raise
            self._tell(f"{path} cannot be read: {error}")
        return None

    def put(self, byte_range: ByteRange, data: bytes, version: str = "") -> None:
        """Stores the bytes of a range, unless they are far too many. If that fails, because the disk is full, say, one
        line in the log says so.
        """
        told = (version or byte_range.version).encode(errors="surrogateescape")
        head = _HEAD.pack(_MAGIC, _host.crc32c(told), _host.crc32c(data), time.time(), len(told), len(data))
        size = _on_disk(len(head) + len(told) + len(data))
        if size > self.most // 2:
            return
        path, temporary = self._path(byte_range), ""
        try:
            handle, temporary = self._new_file(os.path.dirname(path))
            with open(handle, "wb") as file:
                file.writelines((head, told, data))
            with self._ledger() as ledger:
                ledger.add(size, path)
                os.replace(temporary, path)
                temporary = ""
        except OSError as error:
            if raised_by_handler(error):
                raise
            self._tell(f"{self.folder} stores nothing more: {error}")
        finally:
            if temporary:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(temporary)

    def _path(self, byte_range: ByteRange) -> str:
        text = f"{byte_range.url}\0{byte_range.version}\0{byte_range.offset}\0{byte_range.size}"
        name = hashlib.blake2b(text.encode(errors="surrogateescape"), digest_size=_DIGEST).hexdigest()
        return os.path.join(self.folder, name[:_FOLDERS], name[_FOLDERS:])

    def _believes(self, head: _Head) -> bool:
        return head.confirmed >= self.since or head.version.endswith(" ")

    def _head(self, byte_range: ByteRange) -> _Head | None:
        with contextlib.suppress(FileNotFoundError, PermissionError, NotADirectoryError):
            with _opened(self._path(byte_range), os.O_RDONLY) as descriptor:
                return _head_of(descriptor)
        return None

    def _new_file(self, folder: str) -> tuple[int, str]:
        """Opens a new file in a folder of the cache. Returns its descriptor and path."""
        with contextlib.suppress(FileExistsError):
            os.makedirs(folder)
            self._share(folder)
        handle, path = tempfile.mkstemp(prefix=_UNFINISHED, dir=folder)
        try:
            self._share(path)
        except BaseException:
            os.close(handle)
            os.unlink(path)
            raise
        return handle, path

    def _share(self, path: str) -> None:
        """Gives what is new in the cache the permissions of its folder, whatever the umask is, and its group."""
        folder = os.stat(self.folder)
        mode = stat.S_IMODE(folder.st_mode)
        if mode & stat.S_IWGRP and os.stat(path).st_gid != folder.st_gid:
            with contextlib.suppress(PermissionError):  # of a user who is not in that group
                os.chown(path, -1, folder.st_gid)
        os.chmod(path, mode & 0o2777 if os.path.isdir(path) else mode & 0o666)

    def _tell(self, line: str) -> None:
        """Writes a line in the log, unless one of the processes that share the folder wrote one lately."""
        now = time.time()
        if now - _told.get(self.folder, 0.0) < _TOLD_AGAIN_S:
            return
        _told[self.folder] = now
        try:
            with self._ledger(), _opened(os.path.join(self.folder, _TOLD), os.O_RDWR | os.O_CREAT) as descriptor:
                status = os.fstat(descriptor)
                if status.st_size and abs(now - status.st_mtime) < _TOLD_AGAIN_S:
                    return
                os.ftruncate(descriptor, 1)  # a hole, for which there is room on a full disk, too
                os.utime(descriptor)
                self._share(os.path.join(self.folder, _TOLD))
        except OSError as error:  # that cannot be written, either
            if raised_by_handler(error):
                raise
        logger.warning("%s; reading goes on", line)

    @contextlib.contextmanager
    def _ledger(self) -> Iterator[_Ledger]:
        path = os.path.join(self.folder, _LEDGER)
        try:
            descriptor = os.open(path, os.O_RDWR | _OPENED)
        except FileNotFoundError:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _OPENED, 0o666)
            with contextlib.suppress(PermissionError):  # another user's process was faster
                self._share(path)
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

    def add(self, size: int, path: str) -> None:
        """Counts one more file, which replaces what is at its path, and makes room for it."""
        text = os.pread(self._descriptor, 32, 0)
        total = int(text) if text.strip().isdigit() else self._make_room(self._cache.most)
        if total + size > self._cache.most:
            total = self._make_room(int(self._cache.most * _KEPT) - size)
        with contextlib.suppress(FileNotFoundError):
            total -= _on_disk(os.lstat(path).st_size)
        os.pwrite(self._descriptor, b"%-31d\n" % (total + size), 0)

    def _make_room(self, left: int) -> int:
        """Removes least recently used entries until at most `left` bytes remain, and no other files. Says how many do."""
        found = []
        with os.scandir(self._cache.folder) as folders:
            for folder in folders:
                if not (_is_digest(folder.name, _FOLDERS) and folder.is_dir(follow_symlinks=False)):
                    continue
                with os.scandir(folder.path) as files:
                    for file in files:
                        with contextlib.suppress(FileNotFoundError):
                            status = file.stat(follow_symlinks=False)
                            if _is_digest(file.name, 2 * _DIGEST - _FOLDERS):
                                found.append((status.st_mtime_ns, file.path, _on_disk(status.st_size)))
                            elif file.name.startswith(_UNFINISHED) and status.st_mtime < time.time() - _FORGOTTEN_S:
                                os.unlink(file.path)
        found.sort()
        total = sum(size for _, _, size in found)
        for _, path, size in found:
            if total <= left:
                break
            with contextlib.suppress(IsADirectoryError, PermissionError):  # no file of the cache's
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path)
                total -= size
        return total


@contextlib.contextmanager
def _opened(path: str, flags: int) -> Iterator[int]:
    """Opens a file of the cache, or whatever lies in its place; a link counts as nothing. Yields the descriptor."""
    try:
        descriptor = os.open(path, flags | _OPENED, 0o666)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise FileNotFoundError(errno.ENOENT, "a link, not a file of the cache", path) from None
        raise
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _head_of(descriptor: int) -> _Head | None:
    """Returns the head of a file of the cache; None if it is damaged, or no entry."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        return None
    raw = os.pread(descriptor, _HEAD.size + _LONGEST_VERSION, 0)
    if len(raw) < _HEAD.size:
        return None
    magic, version_checksum, checksum, confirmed, version_size, size = _HEAD.unpack_from(raw)
    version = raw[_HEAD.size : _HEAD.size + version_size]
    if (
        magic != _MAGIC
        or version_checksum != _host.crc32c(version)
        or status.st_size != _HEAD.size + version_size + size
    ):
        return None
    return _Head(version.decode(errors="surrogateescape"), confirmed, checksum, size, _HEAD.size + version_size)


def _data_of(descriptor: int, head: _Head) -> bytes:
    """Returns the bytes of an entry; fewer if they are not there."""
    data = os.pread(descriptor, head.size, head.begin)
    while len(data) < head.size and (more := os.pread(descriptor, head.size - len(data), head.begin + len(data))):
        data += more  # Linux reads 2 GiB at a time
    return data


def _is_digest(name: str, digits: int) -> bool:
    return len(name) == digits and set(name) <= {*"0123456789abcdef"}


def _on_disk(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK
