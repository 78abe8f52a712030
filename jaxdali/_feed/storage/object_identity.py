"""What tells the versions of an object apart: how many bytes it has, and an ETag, a generation or a date."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import NamedTuple

__all__ = [
    "Answer",
    "BadAnswer",
    "Changed",
    "OutOfRange",
    "length_of",
    "packing_of",
    "said",
    "size_of",
    "tag_of",
    "total_of",
    "version_of",
]


class Answer(NamedTuple):
    """Bytes of an object, and of what version.

    Attributes:
        data: the bytes.
        version: as of `version_of`; None if nothing confirms that these are the object's bytes.
    """

    data: bytes
    version: str | None


class BadAnswer(Exception):
    """An answer is not what was asked for; another one may be."""


class OutOfRange(Exception):
    """The object does not have these bytes."""


class Changed(Exception):
    """An answer is of another version of the object than what was read of it before.

    Args:
        before, now: versions.
    """

    def __init__(self, before: str, now: str):
        super().__init__(f"it had {said(before)}, and now has {said(now)}")
        self.before, self.now = before, now


def version_of(size: int | None, tag: str) -> str:
    """Returns what identifies a version of an object: its size in bytes, a space, and its tag."""
    return f"{'?' if size is None else size} {tag}"


def size_of(version: str) -> int | None:
    """Returns how many bytes a version has; None if that is unknown."""
    size = version.partition(" ")[0]
    return int(size) if size.isdecimal() else None


def said(version: str) -> str:
    """Returns what errors call a version."""
    size, _, tag = version.partition(" ")
    return f"{'an unknown number of' if size == '?' else size} bytes and {tag or 'neither an ETag nor a date'}"


def tag_of(headers: Mapping[str, str]) -> str:
    """Returns the tag that an answer's headers, with names in lower case or of any case, give its object: an ETag, or
    else a date, or else nothing.
    """
    if etag := headers.get("etag"):
        # A weak one is as good here: it becomes weak where a proxy might compress the answer.
        return f"ETag {_short(etag.removeprefix('W/'))}"
    date = headers.get("last-modified")
    return f"date {_short(date)}" if date else ""


def _short(tag: str) -> str:
    """Returns a tag, or what stands for a long one: it is kept with every byte range."""
    return tag if len(tag) <= 128 else hashlib.blake2b(tag.encode(errors="surrogateescape"), digest_size=20).hexdigest()


_PACKINGS = {"br", "compress", "dcb", "dcz", "deflate", "gzip", "x-compress", "x-gzip", "zstd"}


def packing_of(headers: Mapping[str, str]) -> str:
    """Returns what an answer was compressed with; empty if it was not. Other names of encodings change no byte."""
    if not (told := headers.get("content-encoding")):
        return ""
    names = told[:200].lower().split(",")
    return next((name.strip() for name in names if name.strip() in _PACKINGS), "")


_CONTENT_RANGE = re.compile(r"bytes ([0-9]{1,19})-([0-9]{1,19})/([0-9]{1,19}|\*)")
_LENGTH = re.compile(r"[0-9]{1,19}")


def length_of(headers: Mapping[str, str]) -> int | None:
    """Returns the Content-Length of an answer; None if it says none.

    Raises:
        BadAnswer: it is no number.
    """
    told = headers.get("content-length")
    if told is None:
        return None
    if not _LENGTH.fullmatch(told):
        raise BadAnswer(f"Content-Length is {told[:40]!r}")
    return int(told)


def total_of(headers: Mapping[str, str], start: int, size: int) -> int | None:
    """Returns how many bytes the object of an answer with `size` bytes from `start` has; None if it does not say.

    Raises:
        BadAnswer: the answer has other bytes than these.
        OutOfRange: the object ends before them.
    """
    told = headers.get("content-range", "")
    found = _CONTENT_RANGE.fullmatch(told)
    if found is None:
        raise BadAnswer(f"asked for bytes {start} to {start + size}, got an answer with Content-Range {told[:80]!r}")
    first, last, total = int(found[1]), int(found[2]), None if found[3] == "*" else int(found[3])
    if (first, last) != (start, start + size - 1):
        if first == start and last < start + size - 1 and total == last + 1:
            raise OutOfRange
        raise BadAnswer(f"asked for bytes {start} to {start + size}, got bytes {first} to {last + 1}")
    if total is not None and total <= last:
        raise BadAnswer(f"got bytes {first} to {last + 1} of an object of {total} bytes")
    return total
