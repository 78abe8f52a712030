"""Finds the files in tar archives. Nothing is unpacked, so names that lead outside of a folder do no harm."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from jaxdali.errors import ConfigError
from .. import _host
from ..storage.urls import is_remote
from .safe_open import Opened, Watch, open_checked
from .walking import MOST_AT_ONCE

__all__ = ["HEAD_SIZE", "Member", "begins_tar", "check_member", "tar_members", "tar_pieces", "why_not_there"]

logger = logging.getLogger("jaxdali")

HEAD_SIZE = _BLOCK = 512
# Types of plain files, in three spellings; and types that are skipped: links, devices, folders, FIFOs, vendors' own.
_FILES, _OTHERS = b"0\x007", b"123456DVMNX"
_LINKS = b"12"  # hard and symbolic ones
_LONG_NAME, _LONG_LINK, _NEXT, _ALL = b"LKxg"
# Limit on the bytes of a name, or of a PAX header.
_LARGEST_WORDS = 1 << 20
# How many members the first walk looks for: whoever needs only a few gets them soon.
_FIRST_MOST = 64


class Member(NamedTuple):
    """A file in an archive.

    Attributes:
        name: with its folders; bytes that are not UTF-8 are decoded as by os.fsdecode.
        offset: the offset of its first byte in the archive.
        size: in bytes.
    """

    name: str
    offset: int
    size: int


def begins_tar(head: bytes) -> bool:
    """Whether a file that begins with these bytes is an archive. The oldest format cannot be recognized."""
    return head[257:262] == b"ustar"


def tar_members(path: str, watch: Watch | None = None) -> Iterator[Member]:
    """Yields the files of an archive in ustar's, GNU's or PAX's format, in their order there. Skips links and folders.
    Reads only the heads of the members.

    Raises:
        ConfigError: the file is not an archive, or ends within a member. Names the byte.
        OSError: the file cannot be read.
    """
    for names, ranges in tar_pieces(path, watch):
        offsets, sizes = np.frombuffer(ranges, np.int64).reshape(-1, 2).T.tolist()
        yield from map(Member, os.fsdecode(names).split("\0"), offsets, sizes)


def tar_pieces(path: str, watch: Watch | None = None) -> Iterator[tuple[bytes, bytes]]:
    """Yields the same in pieces: names, each followed by a zero, and their offsets and sizes, the bytes of `int64[n, 2]`."""
    with open_checked(path, watch) as file:
        yield from _pieces(path, file, watch)


def _pieces(path: str, file: Opened, watch: Watch | None) -> Iterator[tuple[bytes, bytes]]:
    there, read, offset = file.size, file.read, 0
    everywhere: dict[str, str] = {}
    told: dict[str, str] = {}
    links: list[str] = []
    name, most = None if is_remote(path) else os.fsencode(path), _FIRST_MOST
    describes = False  # whether the head before was about another one, which the native function has looked at already
    while offset < there:
        if name is not None and not (describes or told or everywhere):
            if watch is not None:
                watch(offset, there)
            names, ranges, beyond = _host.walk_tar(name, offset, most)
            yield names, ranges
            most = min(2 * most, MOST_AT_ONCE)
            if beyond > offset:
                offset = beyond
                continue
        head = read(_BLOCK, offset)
        if head.count(0) == _BLOCK:
            break
        try:
            kind, size = _kind(head), _size(head, told or everywhere)
            begin = offset + _BLOCK
            if kind in _OTHERS:
                size = 0
            if begin + size > there:
                raise _Wrong(f"the member says that it holds {size} bytes, but {there - begin} are left; it is cut off")
            if kind in _FILES:
                named = os.fsencode(_name(head, {**everywhere, **told})).replace(b"\0", b"")
                yield named + b"\0", np.array([begin, size], np.int64).tobytes()
            describes = kind in (_LONG_NAME, _LONG_LINK, _NEXT)
            if kind in _LINKS:
                links.append(_name(head, {**everywhere, **told}))
            if kind in (_LONG_NAME, _NEXT, _ALL):
                words = _words(file, begin, size)
                if kind == _LONG_NAME:
                    told = {**told, "path": os.fsdecode(words.rstrip(b"\0"))}
                elif kind == _NEXT:
                    told = _pax(words)
                else:
                    everywhere = _pax(words)
            elif kind != _LONG_LINK:
                told = {}
        except _Wrong as error:
            raise ConfigError(f"{path} at byte {offset}: {error}") from None
        offset = begin + size + -size % _BLOCK
    if told:
        raise ConfigError(
            f"{path} at byte {offset}: no member follows the one that gives the next one's name or size; it is cut off"
        )
    _warn_of_links(path, links)
    if offset < there:
        _warn_of_more(path, file, offset)


def check_member(path: str, offset: int, size: int) -> None:
    """Checks that a file of a local archive is where an index says.

    Raises:
        ConfigError: it is not.
        OSError: the archive cannot be read.
    """
    with open_checked(path) as file:
        head = file.read(HEAD_SIZE, offset - HEAD_SIZE) if offset >= HEAD_SIZE else b""
    if (wrong := why_not_there(head, path, offset, size)) is not None:
        raise ConfigError(wrong)


def why_not_there(head: bytes, path: str, offset: int, size: int) -> str | None:
    """Returns what is wrong at the place where an index says that a file of an archive is, or None if it is there.

    Args:
        head: the HEAD_SIZE bytes before the file.
    """
    try:
        # PAX gives the size of files that are too large for the digits in the head.
        if _kind(head) in _FILES and (_number(head[124:136]) == size or size >= 1 << 33):
            return None
    except _Wrong:
        pass
    return (
        f"{path}: its index has a file of {size} bytes at byte {offset}, where the archive has none; the index is "
        "another archive's, or older than this one: `jaxdali index` remakes it"
    )


def _warn_of_links(path: str, links: Sequence[str]) -> None:
    """Logs a warning if there are links with a name like a file's, which hold nothing themselves."""
    files = [link for link in links if "." in os.path.basename(link).lstrip(".")]
    if files:
        logger.warning(
            "%s: %d links are left out, such as %r; only files are read. To pack files in place of links, use "
            "`tar --dereference --hard-dereference`",
            path,
            len(files),
            files[0],
        )


def _warn_of_more(path: str, file: Opened, end: int) -> None:
    """Logs a warning if there are other bytes after the zeros that end an archive. Nobody reads them."""
    offset = end
    while (found := file.read(_LARGEST_WORDS, offset)).count(0) == len(found):
        if not found:
            return
        offset += len(found)
    offset += len(found) - len(found.lstrip(b"\0"))
    logger.warning(
        "%s ends at byte %d, so what follows at byte %d is not read (other programs do not read it, either). To join "
        "archives into one, use `tar --concatenate`",
        path,
        end,
        offset,
    )


class _Wrong(ValueError):
    """What is wrong with a member."""


def _kind(head: bytes) -> int:
    """Returns the type of a member, after checking the head's checksum."""
    if len(head) < _BLOCK:
        raise _Wrong(f"{len(head)} bytes are left, expected the {_BLOCK} of the head of a member; it is cut off")
    # The sum of the head's bytes, with spaces in place of the sum itself.
    counted = sum(head) - sum(head[148:156]) + 8 * 32
    try:
        told = _number(head[148:156])
    except _Wrong:
        told = -1
    # Old programs summed signed bytes.
    if told not in (counted, counted - 256 * sum(byte > 127 for byte in head[:148] + head[156:])):
        raise _Wrong(
            "this is not the head of a member, or is damaged: the checksum is wrong (compressed archives must be unpacked)"
        )
    kind = head[156]
    if kind not in _FILES + _OTHERS + b"LKxg":
        raise _Wrong(
            f"a member of the type {chr(kind)!r}, expected files, links and folders; sparse files are not read"
        )
    return kind


def _size(head: bytes, told: dict[str, str]) -> int:
    if "size" not in told:
        return _number(head[124:136])
    if not told["size"].isascii() or not told["size"].isdigit() or len(told["size"]) > 18:
        raise _Wrong(f"a size of {told['size'][:40]!r}, expected digits")
    return int(told["size"])


def _number(field: bytes) -> int:
    """Reads a number: octal digits, or if these do not suffice, a byte of 128 and then the number in binary."""
    if field[0] & 128:
        if field[0] != 128 or any(field[1:-8]) or field[-8] & 128:
            raise _Wrong(f"a number of {field.hex()}, which is negative, or too large")
        return int.from_bytes(field[-8:], "big")
    text = field.partition(b"\0")[0].strip()
    try:
        return int(text or b"0", 8)
    except ValueError:
        raise _Wrong(f"a number of {field!r}, expected octal digits") from None


def _name(head: bytes, told: dict[str, str]) -> str:
    if "path" in told:
        return told["path"]
    name = head[:100].partition(b"\0")[0]
    prefix = head[345:500].partition(b"\0")[0] if head[257:263] == b"ustar\0" else b""
    return os.fsdecode(prefix + b"/" + name if prefix else name)


def _words(file: Opened, begin: int, size: int) -> bytes:
    if size > _LARGEST_WORDS:
        raise _Wrong(f"a name or PAX header of {size} bytes; expected at most {_LARGEST_WORDS}")
    return file.read(size, begin)


def _pax(words: bytes) -> dict[str, str]:
    """Returns path and size, as far as given, from lines "LENGTH KEY=VALUE", where LENGTH is that of the whole line."""
    found, begin = {}, 0
    stop = len(words.rstrip(b"\0"))
    while begin < stop:
        # LENGTH has less than 9 digits. Nothing is looked for beyond the line: a header may have 100,000 of them.
        length, blank, _ = words[begin : begin + 10].partition(b" ")
        size = int(length) if length.isdigit() and len(length) < 9 else 0
        end = begin + size
        key, sign, value = words[begin + len(length) + 1 : max(end - 1, 0)].partition(b"=")
        if not blank or not sign or end > len(words) or words[end - 1 : end] != b"\n":
            raise _Wrong(
                f"a line of the PAX header begins with {words[begin : begin + 40]!r}, expected LENGTH KEY=VALUE"
            )
        if key.startswith(b"GNU.sparse"):
            raise _Wrong("a sparse file, which does not store all of its bytes; pack it without --sparse")
        if key in (b"path", b"size"):
            found[key.decode()] = os.fsdecode(value)
        begin = end
    return found
