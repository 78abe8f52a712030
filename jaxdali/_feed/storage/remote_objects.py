"""Remote objects: their bytes, sizes and names. Each call blocks; many requests are in flight at once."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from jaxdali.errors import SourceDataError
from .filesystems import Filesystem, Listing
from .loop import running_loop
from .object_identity import Answer, BadAnswer, Changed, OutOfRange, said, size_of
from .retries import Limit, retry, status_of
from .urls import printable_url, protocol_of

__all__ = [
    "answer_later",
    "fetch",
    "fetch_all",
    "fetch_later",
    "fetch_version",
    "is_still",
    "list_folders",
    "replaced",
    "said_of",
    "stat_objects",
]

_Value = TypeVar("_Value")

# A folder that lists itself has no end: how deep a folder may be, and how many may be listed at once, and their entries.
_MOST_DEEP, _MOST_FOLDERS, _MOST_ENTRIES = 64, 1 << 20, 1 << 26


def fetch(url: str, offset: int = 0, size: int | None = None) -> bytes:
    """Returns bytes `offset` to `offset + size` of an object; with a size of None, all of it.

    Raises:
        SourceDataError: the object ends earlier, or what came was not what was asked for, even after several tries.
        OSError: the bytes could not be read, even after several tries; names the object.
        BackendUnavailable: the package that reads such URLs is not installed.
    """
    return running_loop().run(fetch_later(url, offset, size), lambda: said_of(url, offset, size))


def fetch_all(urls: Sequence[str]) -> list[bytes]:
    """Returns all bytes of each object, which are fetched together. Raises like `fetch`."""

    async def one(url: str) -> bytes:
        if _filesystem(url).shows_versions:
            return await fetch_later(url, 0, None)
        # Its library does not show how many bytes have come, and the time for an object follows from its size.
        async with _filesystem(url).limit:
            size, version = await retry("its size", url, None, lambda _: _filesystem(url).stat(url))
        return (await answer_later(url, 0, size, version)).data

    return _together(urls, one, "all")


def fetch_version(url: str, offset: int, size: int, version: str) -> bytes:
    """`fetch` of an object that must still be of the version that `stat_objects` told; else raises SourceDataError."""
    answer = running_loop().run(answer_later(url, offset, size, version), lambda: said_of(url, offset, size))
    return answer.data


def said_of(url: str, offset: int, size: int | None) -> str:
    """Returns what is read of an object, for a line in the log."""
    return f"{'all' if size is None else f'bytes {offset} to {offset + size}'} of {printable_url(url)}"


async def fetch_later(url: str, offset: int, size: int | None) -> bytes:
    """`fetch` as a coroutine of the loop's thread."""
    return (await answer_later(url, offset, size)).data


async def answer_later(url: str, offset: int, size: int | None, version: str = "", to_keep: bool = False) -> Answer:
    """`fetch_version` as a coroutine of the loop's thread, which also says of what version the bytes are.

    Args:
        version: empty: any.
        to_keep: the bytes will be kept; where an answer does not show its object's version, that is asked for.
    """
    filesystem = _filesystem(url)
    what = "the object" if size is None else f"bytes {offset} to {offset + size}"
    read = _Read(filesystem, url, offset, size, version, to_keep)
    async with filesystem.limit:
        try:
            return await retry(what, url, size, read.once)
        except Changed as error:
            raise replaced(url, error.before, error.now) from None
        except OutOfRange:
            raise SourceDataError(
                f"{printable_url(url)} has {read.there} bytes, but {what} were expected; it is cut off, or its index "
                "belongs to "
                "another object"
            ) from None


def replaced(url: str, before: str, now: str) -> SourceDataError:
    """The error of an object that is no longer of the version that it was when it was first read, or asked about."""
    return SourceDataError(
        f"{printable_url(url)} was replaced while it was in use: {Changed(before, now)}; start again, with an index of the "
        "new one"
    )


class _Read:
    """One read of an object, which may take several tries. The arguments are those of `answer_later`."""

    def __init__(self, filesystem: Filesystem, url: str, offset: int, size: int | None, version: str, to_keep: bool):
        self._filesystem, self._url, self._offset, self._size = filesystem, url, offset, size
        self._version, self._to_keep = version, to_keep
        self._changed = False
        self.there = 0

    async def once(self, limit: Limit) -> Answer:
        """Raises BadAnswer if another try may help, and Changed or OutOfRange if the object is what differs."""
        version = self._version
        try:
            if self._to_keep and not version and not self._filesystem.shows_versions:
                version = await self._filesystem.version(self._url)
            answer = await self._filesystem.read(self._url, self._offset, self._size, version, limit)
        except Changed as error:
            # One server of several may be behind, so the object itself is asked only when it happens again.
            if self._version and self._changed and (now := await self._filesystem.version(self._url)) != self._version:
                raise Changed(self._version, now) from None
            self._changed = True
            raise BadAnswer(str(error)) from None
        except Exception as error:
            # s3fs uses EINVAL for a range beyond the end.
            beyond = isinstance(error, OutOfRange) or status_of(error) == 416
            if self._size is None or not (beyond or getattr(error, "errno", None) == errno.EINVAL):
                raise
            now = await self._filesystem.version(self._url)
            if self._version and now != self._version:
                raise Changed(self._version, now) from None
            self.there = size_of(now) or 0
            if self.there < self._offset + self._size:
                raise OutOfRange from None
            if beyond:
                raise BadAnswer(
                    f"the server says that there are no such bytes, but the object has {said(now)}"
                ) from None
            raise
        if not self._version and (self._to_keep or self._filesystem.is_odd(self._url, answer)):
            return answer._replace(version=await self._confirmed(answer.version))
        return answer

    async def _confirmed(self, told: str | None) -> str | None:
        """Returns an answer's version, if it is the object's; None if the object's size is unknown.

        Raises:
            BadAnswer: the answer is not of that object.
        """
        if told is None or told.partition(" ")[2]:
            return told
        now = await self._filesystem.version(self._url)
        if size_of(now) is None:
            return None
        if now != told:
            raise BadAnswer(f"the object has {said(now)}, but the answer's has {said(told)}")
        return told


async def is_still(url: str, version: str) -> bool:
    """Whether an object is of this version, as a coroutine of the loop's thread. Raises like `stat_objects`."""
    async with (filesystem := _filesystem(url)).limit:
        return await retry("its version", url, None, lambda _: filesystem.version(url)) == version


def stat_objects(urls: Sequence[str]) -> list[tuple[int, str]]:
    """Returns each object's size in bytes, and its version: that size, and an ETag, a generation or a date.

    Raises:
        OSError: an object could not be asked about; names it.
        BackendUnavailable: the package that reads such URLs is not installed.
    """
    return _each("its size", urls, lambda url: _filesystem(url).stat(url))


def list_folders(urls: Sequence[str]) -> list[Listing]:
    """Returns the names of what is directly in each folder. Raises like `stat_objects`."""
    if len(urls) > _MOST_FOLDERS:
        raise OSError(errno.ELOOP, f"{len(urls)} folders are to be listed; expected {_MOST_FOLDERS} at most", urls[0])
    for url in urls:
        if url.partition("?")[0].count("/") > _MOST_DEEP:
            raise OSError(
                errno.ELOOP,
                f"more than {_MOST_DEEP} folders within each other: one may list itself",
                printable_url(url),
            )
    count = 0

    async def listed(url: str) -> Listing:
        nonlocal count
        found = await _filesystem(url).list(url)
        count += len(found.folders) + len(found.files)
        if count > _MOST_ENTRIES:
            raise NotImplementedError(f"the folders have more than {_MOST_ENTRIES} entries")
        return found

    return _each("the list of its objects", urls, listed)


def _each(what: str, urls: Sequence[str], ask: Callable[[str], Awaitable[_Value]]) -> list[_Value]:
    async def one(url: str) -> _Value:
        async with _filesystem(url).limit:
            return await retry(what, url, None, lambda _: ask(url))

    return _together(urls, one, what)


def _together(urls: Sequence[str], one: Callable[[str], Coroutine[Any, Any, _Value]], what: str) -> list[_Value]:
    """Awaits one coroutine for each object. If one of them fails, the others are cancelled."""
    if not urls:
        return []  # do not start a thread for nothing: workers could no longer be forked

    async def all_of_them() -> list[_Value]:
        tasks = [asyncio.ensure_future(one(url)) for url in urls]
        try:
            return list(await asyncio.gather(*tasks))
        except BaseException:
            for task in tasks:
                task.cancel()
            raise

    work: Coroutine[Any, Any, list[_Value]] = all_of_them()
    return running_loop().run(
        work, lambda: f"{what} of {printable_url(urls[0])}{' and others' if len(urls) > 1 else ''}"
    )


def _filesystem(url: str) -> Filesystem:
    """Returns the filesystem for a URL; called only in the loop's thread."""
    kept, protocol = running_loop().kept, protocol_of(url)
    if protocol not in kept:
        kept[protocol] = Filesystem(protocol)
    return kept[protocol]
