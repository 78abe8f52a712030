"""Remote objects: their bytes, sizes and names. Each call blocks; many requests are in flight at once."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from ..errors import SourceDataError
from .filesystems import Filesystem, Listing
from .loop import running_loop
from .retries import OutOfRange, WrongLength, tried
from .urls import protocol_of, spoken

__all__ = ["fetch", "fetch_later", "list_folders", "said_of", "stat_objects"]

_Value = TypeVar("_Value")


def fetch(url: str, offset: int = 0, size: int | None = None) -> bytes:
    """Returns bytes `offset` to `offset + size` of an object; with a size of None, all of it.

    Raises:
        SourceDataError: the object ends earlier.
        OSError: the bytes could not be read, even after several tries; names the object.
        BackendUnavailable: the package that reads such URLs is not installed.
    """
    return running_loop().run(fetch_later(url, offset, size), lambda: said_of(url, offset, size))


def said_of(url: str, offset: int, size: int | None) -> str:
    """Returns what is read of an object, for a line in the log."""
    return f"{'all' if size is None else f'bytes {offset} to {offset + size}'} of {spoken(url)}"


async def fetch_later(url: str, offset: int, size: int | None) -> bytes:
    """`fetch` as a coroutine of the loop's thread."""
    filesystem = _filesystem(url)
    what = "the object" if size is None else f"bytes {offset} to {offset + size}"

    async def once() -> bytes:
        try:
            return await filesystem.bytes_of(url, offset, size)
        except (WrongLength, OSError) as error:
            # s3fs uses EINVAL for a range beyond the end.
            refused = isinstance(error, WrongLength) or error.errno == errno.EINVAL
            if refused and size is not None and (await filesystem.stat(url))[0] < offset + size:
                raise OutOfRange from None
            raise

    async with filesystem.limit:
        try:
            return await tried(what, url, size, once)
        except OutOfRange:
            there = (await tried("its size", url, None, lambda: filesystem.stat(url)))[0]
            raise SourceDataError(
                f"{spoken(url)} has {there} bytes, but {what} were expected; it is cut off, or its index belongs to "
                "another object"
            ) from None


def stat_objects(urls: Sequence[str]) -> list[tuple[int, str]]:
    """Returns each object's size in bytes and what identifies its version, such as an ETag; empty if nothing does.

    Raises:
        OSError: an object could not be asked about; names it.
        BackendUnavailable: the package that reads such URLs is not installed.
    """
    return _each("its size", urls, lambda url: _filesystem(url).stat(url))


def list_folders(urls: Sequence[str]) -> list[Listing]:
    """Returns the names of what is directly in each folder. Raises like `stat_objects`."""
    return _each("the list of its objects", urls, lambda url: _filesystem(url).list(url))


def _each(what: str, urls: Sequence[str], ask: Callable[[str], Awaitable[_Value]]) -> list[_Value]:
    if not urls:
        return []  # do not start a thread for nothing: workers could no longer be forked

    async def one(url: str) -> _Value:
        async with _filesystem(url).limit:
            return await tried(what, url, None, lambda: ask(url))

    async def all_of_them() -> list[_Value]:
        tasks = [asyncio.ensure_future(one(url)) for url in urls]
        try:
            return list(await asyncio.gather(*tasks))
        except BaseException:
            for task in tasks:
                task.cancel()
            raise

    work: Coroutine[Any, Any, list[_Value]] = all_of_them()
    return running_loop().run(work, lambda: f"{what} of {spoken(urls[0])}{' and others' if len(urls) > 1 else ''}")


def _filesystem(url: str) -> Filesystem:
    """Returns the filesystem for a URL; called only in the loop's thread."""
    kept, protocol = running_loop().kept, protocol_of(url)
    if protocol not in kept:
        kept[protocol] = Filesystem(protocol)
    return kept[protocol]
