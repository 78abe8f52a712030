"""Pickles arrays mapped from files (`np.memmap`) as the file's name and a place in it, not by value."""

from __future__ import annotations

import mmap
import os
from typing import Any

import cloudpickle
import numpy as np

from jaxdali._base.interruptions import raised_by_handler

__all__ = ["SourceStream", "open_mapped"]

_GRANULARITY = mmap.ALLOCATIONGRANULARITY


class SourceStream(cloudpickle.Pickler):
    """cloudpickle, except that an array in a mapped file is opened there again, read-only.

    An array of mode "r+" or "w+" is flushed first. Two kinds go by value: arrays of mode "c", because their changes are
    not in the file, and arrays whose file was deleted or replaced by another one of the same name.
    """

    def reducer_override(self, obj: object) -> object:
        if isinstance(obj, np.ndarray) and (place := _place_of(obj)) is not None:
            return open_mapped, place
        return super().reducer_override(obj)


def open_mapped(name: str, position: int, size: int, start: int, layout: tuple[Any, ...]) -> np.ndarray:
    """Opens an array in a file, read-only.

    Args:
        position, size: offset and length in the file of the bytes that the array spans.
        start: offset of its first element within these bytes.
        layout: its shape, dtype and strides.
    """
    shape, dtype, strides = layout
    content = np.memmap(name, np.uint8, "r", offset=position, shape=(size,))
    return np.ndarray.__new__(np.memmap, shape, dtype, buffer=content, offset=start, strides=strides)


def _place_of(array: np.ndarray) -> tuple[object, ...] | None:
    """Returns the arguments of `open_mapped`, or None if the array must go by value."""
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
    # A view has its base's offset, but the mapping itself starts at a page boundary.
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
    """Whether the mapping at `address` still belongs to the file of that name."""
    try:
        number = os.stat(name).st_ino
        with open("/proc/self/maps") as lines:
            for line in lines:
                addresses, _, _, _, inode = line.split(maxsplit=5)[:5]
                first, last = (int(end, 16) for end in addresses.split("-"))
                if first <= address < last:
                    return int(inode) == number
    except OSError as error:
        if raised_by_handler(error):
            raise
        return False
    return False
