"""Many paths in little memory, which the workers share."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Sequence
from typing import overload

import numpy as np

__all__ = ["PackedPaths"]


class PackedPaths(Sequence[str]):
    """A list of paths that does not change, in two arrays. Of a list of strings each worker would have a copy of its own,
    of more than twice the size.

    Args:
        paths: of files, or URLs.

    Attributes:
        text: all paths, one after the other, encoded as the system has them, `uint8[bytes]`.
        ends: where each of them ends in it, `int64[len(paths)]`.
    """

    def __init__(self, paths: Iterable[str]):
        text, ends = bytearray(), array("q")
        for path in paths:
            text += os.fsencode(path)
            ends.append(len(text))
        # Copies, because what grew has room for more.
        self.text = np.array(text, np.uint8)
        self.ends = np.array(ends, np.int64)

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        end = int(self.ends[index])  # raises IndexError
        place = index % len(self)
        return os.fsdecode(self.text[int(self.ends[place - 1]) if place else 0 : end].tobytes())

    def __eq__(self, other: object) -> bool:
        """Whether these are the same paths as those of another sequence, in the same order."""
        if isinstance(other, str) or not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(mine == its for mine, its in zip(self, other, strict=True))

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:3]))
        return f"[{shown}, and {len(self) - 3} more]" if len(self) > 3 else f"[{shown}]"
