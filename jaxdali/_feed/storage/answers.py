"""Reads objects by HTTP and from S3. Every answer is checked before its bytes are read, and read no further than asked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from .object_identity import (
    Answer,
    BadAnswer,
    Changed,
    length_of,
    packing_of,
    said,
    size_of,
    tag_of,
    total_of,
    version_of,
)
from .retries import Limit
from .urls import printable_url

__all__ = ["http_answer", "http_version", "s3_answer", "s3_version", "unknown_size"]

# Servers may compress what they send otherwise, and a range of that is not the range of the object.
_AS_IT_IS = {"Accept-Encoding": "identity"}
# So many bytes fit into any machine's memory.
_SURELY_THERE = 1 << 28
# Most bytes of an object whose server does not say how many it has.
_MOST_UNTOLD = 1 << 28


class TooLarge(Exception):
    """An object does not fit into memory."""


def unknown_size(url: str) -> NotImplementedError:
    """The error of an object whose server does not say how many bytes it has."""
    return NotImplementedError(f"the server does not say how many bytes {printable_url(url)} has")


async def http_answer(fs: Any, url: str, start: int, size: int | None, version: str, limit: Limit) -> Answer:
    """Returns `size` bytes from `start` by HTTP; None: the whole object.

    Args:
        fs: fsspec's filesystem.
        version: what the object was when its size was asked for; empty: not known.

    Raises:
        BadAnswer: the answer is not what was asked for.
        Changed: the object is not of that version.
        OutOfRange: the object ends earlier.
        Exception: whatever aiohttp raises.
    """
    whole = _is_whole(start, size, version)
    headers = _AS_IT_IS if whole else {**_AS_IT_IS, "Range": _range(start, size)}
    session = await fs.set_session()
    async with session.get(fs.encode_url(url), headers=headers, **fs.kwargs) as answer:
        _raise_for_status(answer, url)
        length, told = _checked(answer.status, answer.headers, start, size, whole, version)
        if length is not None:
            limit.expect(length)
            return Answer(await answer.read(), told)
        if size is not None:
            return Answer(await _at_most(answer.content, size, size), told)
        return await _untold(fs, url, answer, limit)


async def _untold(fs: Any, url: str, answer: Any, limit: Limit) -> Answer:
    """Reads a whole object from an answer that does not say how long it is."""
    told = await http_version(fs, url)
    there = size_of(told)
    if there is not None:
        limit.expect(there)
        data = await _at_most(answer.content, there, there)
        if (came := version_of(there, tag_of(answer.headers))) != told:
            raise BadAnswer(f"the object has {said(told)}, but the answer's has {said(came)}")
        return Answer(data, told)
    if "chunked" not in answer.headers.get("transfer-encoding", "").lower():
        raise unknown_size(url)  # nothing would tell whether all of it came
    return Answer(await _at_most(answer.content, None, _MOST_UNTOLD), None)


async def http_version(fs: Any, url: str) -> str:
    """Returns the version of an object, from its headers alone. Its size may be unknown. Raises like `http_answer`."""
    session = await fs.set_session()
    for ask in (session.head, session.get):  # some servers, and some signatures, allow the second alone
        async with ask(fs.encode_url(url), headers=_AS_IT_IS, allow_redirects=True, **fs.kwargs) as answer:
            if ask == session.head and answer.status >= 400:
                continue
            _raise_for_status(answer, url)
            size = None if packing_of(answer.headers) else length_of(answer.headers)
            if size is not None or ask == session.get:
                return version_of(size, tag_of(answer.headers))
    raise AssertionError("the second one returns or raises")


async def s3_answer(fs: Any, url: str, start: int, size: int | None, version: str, limit: Limit) -> Answer:
    """Returns `size` bytes from `start` of an object of S3; None: the whole object. Raises like `http_answer`."""
    whole = _is_whole(start, size, version)
    found = await fs._call_s3("get_object", **_named(fs, url), **({} if whole else {"Range": _range(start, size)}))
    body = found["Body"]
    try:
        status, headers = _head_of(found)
        length, told = _checked(status, headers, start, size, whole, version)
        if length is None:
            raise BadAnswer("the answer does not say how long it is")
        limit.expect(length)
        data = await body.read()
    finally:
        body.close()
    if len(data) != length:
        raise BadAnswer(f"asked for {length} bytes, got {len(data)}")
    return Answer(data, told)


async def s3_version(fs: Any, url: str) -> str:
    """Returns the version of an object of S3. Raises like `http_answer`."""
    named = _named(fs, url)
    if not named["Key"]:
        raise IsADirectoryError(url)
    _, headers = _head_of(await fs._call_s3("head_object", **named))
    return version_of(length_of(headers), tag_of(headers))


def _named(fs: Any, url: str) -> dict[str, str]:
    bucket, key, version = fs.split_path(fs._strip_protocol(url))
    return {"Bucket": bucket, "Key": key, **({"VersionId": version} if version else {})}


def _head_of(found: Mapping[str, Any]) -> tuple[int, Mapping[str, str]]:
    meta = found["ResponseMetadata"]
    return meta["HTTPStatusCode"], meta["HTTPHeaders"]


def _is_whole(start: int, size: int | None, version: str) -> bool:
    """Whether all of an object is wanted: a server without ranges can answer that, too."""
    return size is None or (start == 0 and bool(version) and size_of(version) == size)


def _range(start: int, size: int | None) -> str:
    return f"bytes={start}-{start + (size or 0) - 1}"


def _checked(
    status: int, headers: Mapping[str, str], start: int, size: int | None, whole: bool, version: str
) -> tuple[int | None, str | None]:
    """Returns how many bytes an answer has, None if it does not say, and the object's version, None if that is unknown.
    Raises like `http_answer`.
    """
    length = length_of(headers)
    if packing := packing_of(headers):
        raise BadAnswer(f"the answer is compressed with {packing!r}, although it was asked for as it is")
    if status != (200 if whole else 206):
        wanted = "the whole object" if whole else "a range of the object"
        raise BadAnswer(f"asked for {wanted}, got an answer of status {status}; expected {200 if whole else 206}")
    total = length if whole else total_of(headers, start, size or 0)
    told = None if total is None else version_of(total, tag_of(headers))
    if version and told != version:
        now = version_of(size_of(version) if total is None else total, tag_of(headers))
        if now != version:
            raise Changed(version, now)
        told = version
    if length is not None and size is not None and length != size:
        raise BadAnswer(f"asked for {size} bytes, got {length}")
    if length is not None and length > _SURELY_THERE and length > (most := _memory()):
        raise TooLarge(f"{length} bytes come, and this machine has {most} bytes of memory; store it in smaller objects")
    return length, told


def _memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


async def _at_most(stream: Any, size: int | None, most: int) -> bytes:
    """Reads a stream to its end; it may have `most` bytes.

    Raises:
        BadAnswer: it has more, or not `size` bytes.
    """
    blocks, count = [], 0
    while block := await stream.readany():
        count += len(block)
        if count > most:
            raise BadAnswer(f"more than {most} bytes came")
        blocks.append(block)
    if size is not None and count != size:
        raise BadAnswer(f"asked for {size} bytes, got {count}")
    return b"".join(blocks)


def _raise_for_status(answer: Any, url: str) -> None:
    if answer.status == 404:
        raise FileNotFoundError(url)
    answer.raise_for_status()
