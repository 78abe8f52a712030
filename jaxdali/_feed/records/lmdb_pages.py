"""Finds the values in LMDB databases, in the order of their keys. No process may be writing to the database.

The format: pages of one size, the first two of which tell the newest tree. Branch pages refer to other pages, leaf pages
hold keys and values, and a large value has consecutive pages of its own. So each value is a byte range of the file, and
readers need no LMDB library.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

from jaxdali.errors import ConfigError
from .safe_open import Opened, open_checked

__all__ = ["index_lmdb"]

_HEAD = 16
_BRANCH, _LEAF, _LARGE_PAGE = 1, 2, 4
_LARGE_VALUE, _ANOTHER_TREE, _SEVERAL_VALUES = 1, 2, 4
# Magic number, version of the format, size of a page, depth and root of the tree, number of the transaction.
_META = struct.Struct("<II16xI50xH32xQ8xQ")
_MAGIC, _VERSION = 0xBEEFC0DE, 1
_NOWHERE = (1 << 64) - 1
_DEEPEST = 64
_NODE = struct.Struct("<HHHH")
_PAGE_SIZES = [1 << bits for bits in range(8, 17)]


def index_lmdb(path: str) -> np.ndarray:
    """Returns offset and size of each value in a database's file, `int64[n, 2]`, in the order of the keys.

    Raises:
        ConfigError: the file is not LMDB's, is damaged, or holds several databases. Names the byte.
        OSError: the file cannot be read.
    """
    with open_checked(path) as file:
        return _Tree(path, file).ranges()


class _Tree:
    """The tree of keys of a file's newest transaction."""

    def __init__(self, path: str, file: Opened):
        self.path, self.file, self.there = path, file, file.size
        first = self._meta(0)
        # The second meta page follows the first. Transactions rewrite either page, but never its page size.
        self.page_size = first[0]
        second = self._meta(self.page_size)
        _, self.depth, self.root, _ = max(first, second, key=lambda meta: meta[3])

    def ranges(self) -> np.ndarray:
        if self.root == _NOWHERE:
            return np.zeros((0, 2), np.int64)
        if self.depth > _DEEPEST:
            raise self._wrong(0, f"a tree of {self.depth} levels, expected {_DEEPEST} at most")
        seen: set[int] = set()
        found: list[tuple[int, int]] = []
        # The pages still to visit at each level: a stack instead of recursion, for trees of any depth.
        levels = [iter([self.root])]
        while levels:
            number = next(levels[-1], None)
            if number is None:
                levels.pop()
                continue
            begin = number * self.page_size
            if number in seen or len(levels) > self.depth:
                raise self._wrong(begin, "a page that is reached twice, or is deeper than the tree should be")
            seen.add(number)
            page = self._read(begin, self.page_size)
            (flags,) = struct.unpack_from("<H", page, 10)
            if flags & _BRANCH:
                levels.append(iter([self._child(page, node) for node in self._nodes(page, begin)]))
            elif flags & _LEAF:
                found += [self._value(page, begin, node) for node in self._nodes(page, begin)]
            else:
                raise self._wrong(begin, f"a page with the flags {flags:#x}, expected one of a tree")
        return np.array(found, np.int64).reshape(-1, 2)

    def _meta(self, begin: int) -> tuple[int, int, int, int]:
        """Returns a page's size, the tree's depth and root, and the number of the transaction that wrote it."""
        page = self._read(begin, _HEAD + _META.size)
        magic, version, size, depth, root, transaction = _META.unpack_from(page, _HEAD)
        if magic != _MAGIC:
            turned = " (it was written on a machine of another byte order)" if _turned(magic) == _MAGIC else ""
            raise self._wrong(
                begin, f"no LMDB page is there: its magic number is {magic:#010x}, expected {_MAGIC:#010x}{turned}"
            )
        if version != _VERSION or size not in _PAGE_SIZES:
            raise self._wrong(begin, f"format {version} with pages of {size} bytes; expected format {_VERSION}")
        return size, depth, root, transaction

    def _nodes(self, page: bytes, begin: int) -> Iterator[int]:
        """Yields where each node of a page begins in it."""
        (lower,) = struct.unpack_from("<H", page, 12)
        if not _HEAD <= lower <= len(page):
            raise self._wrong(begin, f"a page whose list of nodes ends at its byte {lower}, of {len(page)}")
        for (node,) in struct.iter_unpack("<H", page[_HEAD : lower - lower % 2]):
            if node + _NODE.size > len(page):
                raise self._wrong(begin, f"a page with a node at its byte {node}, of {len(page)}")
            yield node

    @staticmethod
    def _child(page: bytes, node: int) -> int:
        low, high, top, _ = _NODE.unpack_from(page, node)
        return low | high << 16 | top << 32

    def _value(self, page: bytes, begin: int, node: int) -> tuple[int, int]:
        """Returns offset and size of a leaf's value."""
        low, high, flags, key_size = _NODE.unpack_from(page, node)
        size, offset = low | high << 16, node + _NODE.size + key_size
        if flags & (_ANOTHER_TREE | _SEVERAL_VALUES):
            raise self._wrong(begin + node, "a database within the database, or several values of a key; expected one")
        if not flags & _LARGE_VALUE:
            if offset + size > len(page):
                raise self._wrong(begin + node, f"a value of {size} bytes, which does not fit in its page")
            return begin + offset, size
        if offset + 8 > len(page):
            raise self._wrong(begin + node, "a large value, whose offset does not fit in its page")
        (number,) = struct.unpack_from("<Q", page, offset)
        large = number * self.page_size
        (kind,) = struct.unpack_from("<H", self._read(large, _HEAD), 10)
        if not kind & _LARGE_PAGE or large + _HEAD + size > self.there:
            raise self._wrong(
                begin + node,
                f"a value of {size} bytes should be at byte {large}, but is not; the file has {self.there} bytes and is cut "
                "off, or damaged",
            )
        return large + _HEAD, size

    def _read(self, begin: int, size: int) -> bytes:
        found = self.file.read(size, begin) if begin + size <= self.there else b""
        if len(found) < size:
            raise self._wrong(begin, f"a page of {size} bytes should be there, but the file has only {self.there}")
        return found

    def _wrong(self, offset: int, words: str) -> ConfigError:
        return ConfigError(f"{self.path} at byte {offset}: {words}")


def _turned(number: int) -> int:
    return int.from_bytes(number.to_bytes(4, "little"), "big")
