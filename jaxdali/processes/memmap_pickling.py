"""Arrays that are mapped from files (`np.memmap`): they travel as the file's name and a place in it, not by value."""

from __future__ import annotations

import mmap
import os
from typing import Any

import cloudpickle
import numpy as np

__all__ = ["SourceStream", "open_mapped"]

_GRANULARITY = mmap.ALLOCATIONGRANULARITY


class SourceStream(cloudpickle.Pickler):
    """cloudpickle, but an array that is in a mapped file is opened there again, read-only.

    That of mode "r+" or "w+" is flushed first. One of mode "c" goes by value, because its changes are not in the file, and
    so does one whose file has no name any more, or another file's.
    """

    def reducer_override(self, obj: object) -> object:
        if isinstance(obj, np.ndarray) and (place := _place_of(obj)) is not None:
            return open_mapped, place
        return super().reducer_override(obj)


def open_mapped(name: str, position: int, size: int, start: int, layout: tuple[Any, ...]) -> np.ndarray:
    """An array of a file, read-only.

    Args:
        position, size: of the bytes that it reaches, in the file.
        start: of its first element among them.
        layout: its shape, dtype and strides.
    """
    shape, dtype, strides = layout
    content = np.memmap(name, np.uint8, "r", offset=position, shape=(size,))
    return np.ndarray.__new__(np.memmap, shape, dtype, buffer=content, offset=start, strides=strides)


def _place_of(array: np.ndarray) -> tuple[object, ...] | None:
    """The arguments of `open_mapped`; None: it is to go by value."""
    mapped = _mapped_below(array)
    if mapped is None or array.size == 0 or array.dtype.hasobject:
        return None
    name, mapping = mapped.filename, getattr(mapped, "_mmap", None)
    if name is None or mapping is None or mapped.mode not in ("r", "r+", "w+"):
        return None
    low, high = np.lib.array_utils.byte_bounds(array)
    window = np.frombuffer(mapping, np.uint8)
    begin = window.__array_interface__["data"][0]
    if not begin <= low <= high <= begin + window.size or not _is_mapped_from(name, begin):
        return None
    if mapped.mode != "r":
        mapping.flush()
    # A view has its base's offset. The mapping itself begins at a page.
    position = mapped.offset - mapped.offset % _GRANULARITY + (low - begin)
    start = array.__array_interface__["data"][0] - low
    return os.fspath(name), position, high - low, start, (array.shape, array.dtype, array.strides)


def _mapped_below(array: np.ndarray) -> np.memmap | None:
    below: object = array
    while isinstance(below, np.ndarray):
        if isinstance(below, np.memmap):
            return below
        below = below.base
    return None


def _is_mapped_from(name: Any, address: int) -> bool:
    """Whether what is mapped at `address` is still the file of that name."""
    try:
        number = os.stat(name).st_ino
        with open("/proc/self/maps") as lines:
            for line in lines:
                addresses, _, _, _, inode = line.split(maxsplit=5)[:5]
                first, last = (int(end, 16) for end in addresses.split("-"))
                if first <= address < last:
                    return int(inode) == number
    except OSError:
        return False
    return False
