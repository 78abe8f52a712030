"""NumPy's files of one array: what is in one, and a part of it."""

from __future__ import annotations

import ast
import math
import os
from collections.abc import Callable, Sequence

import numpy as np

from ..errors import SourceDataError
from .opened import open_regular

__all__ = ["clamped", "read_npy"]

_MAGIC = b"\x93NUMPY"
# Bytes of a header; NumPy's own have some hundred.
_LARGEST_HEADER = 1 << 16
_MOST_AXES = 8


def read_npy(path: str, window: Callable[[tuple[int, ...]], tuple[list[int], list[int]]] | None = None) -> np.ndarray:
    """The array of a file, in the machine's byte order, rows first.

    Args:
        window: `shape -> (starts, stops)`: of each axis the part that is wanted, within the array; None: all of it. What
            lies before and behind it on the slowest axis is not read.

    Raises:
        SourceDataError: it is no such file, is cut off, or holds something else than numbers and bools.
        OSError: it cannot be read.
    """
    with os.fdopen(open_regular(path), "rb", buffering=0) as file:
        there = os.fstat(file.fileno()).st_size
        dtype, shape, fortran, offset = _header(path, file.fileno(), there)
        wanted = math.prod(shape) * dtype.itemsize
        if offset + wanted > there:
            raise SourceDataError(
                f"{path} says that it holds {dtype}{list(shape)}, {wanted} bytes from byte {offset}, but it has {there}; it "
                "is cut off, or damaged"
            )
        starts, stops = window(shape) if window is not None else ([0] * len(shape), list(shape))
        # As it lies there: the slowest axis first.
        turned = -1 if fortran else 1
        stored, first, last = (list(one)[::turned] for one in (shape, starts, stops))
        row = math.prod(stored[1:]) * dtype.itemsize
        if stored:
            offset, wanted, stored[0] = offset + first[0] * row, (last[0] - first[0]) * row, last[0] - first[0]
            first[0], last[0] = 0, stored[0]
        array = np.frombuffer(_read(path, file.fileno(), wanted, offset), dtype).reshape(stored)
    array = array[tuple(map(slice, first, last))]
    array = array.transpose() if fortran else array
    return np.ascontiguousarray(array, dtype.newbyteorder("=")).reshape(array.shape)


def _read(path: str, descriptor: int, size: int, offset: int) -> bytes:
    found = os.pread(descriptor, size, offset)
    while len(found) < size:
        more = os.pread(descriptor, size - len(found), offset + len(found))
        if not more:
            raise SourceDataError(f"{path} became shorter while it was read, at byte {offset + len(found)}")
        found += more
    return found


def _header(path: str, descriptor: int, there: int) -> tuple[np.dtype, tuple[int, ...], bool, int]:
    """Type, shape, whether the last axis is the slowest, and where the numbers begin."""
    head = os.pread(descriptor, 12, 0)
    wide = head[6:7] in (b"\2", b"\3")
    if head[:6] != _MAGIC or head[6:7] not in (b"\1", b"\2", b"\3") or len(head) < 12:
        raise SourceDataError(f"{path} is no .npy file; it begins with {head!r}")
    begin = 12 if wide else 10
    size = int.from_bytes(head[8:begin], "little")
    if size > _LARGEST_HEADER or begin + size > there:
        raise SourceDataError(f"{path} says that its header has {size} bytes, of {there} in all; it is damaged")
    text = os.pread(descriptor, size, begin)
    try:
        found = ast.literal_eval(text.decode("utf-8" if head[6:7] == b"\3" else "latin-1").strip())
        shape, fortran = found["shape"], found["fortran_order"]
        dtype = np.lib.format.descr_to_dtype(found["descr"])
    except (ValueError, SyntaxError, TypeError, KeyError, MemoryError, RecursionError, UnicodeDecodeError):
        raise SourceDataError(f"{path} has a header that NumPy does not write: {text[:80]!r}") from None
    right = isinstance(shape, tuple) and len(shape) <= _MOST_AXES and isinstance(fortran, bool)
    if not right or not all(type(extent) is int and 0 <= extent < 1 << 62 for extent in shape):
        raise SourceDataError(f"{path} has a header that NumPy does not write: {text[:80]!r}")
    if dtype.kind not in "buif" or dtype.itemsize > 8 or dtype.hasobject:
        raise SourceDataError(
            f"{path} holds {dtype}; expected bool, integers, or floats of 16 to 64 bits. Objects are not read"
        )
    return dtype, shape, fortran, begin + size


def clamped(starts: Sequence[int], stops: Sequence[int], shape: Sequence[int]) -> tuple[list[int], list[int]]:
    """The part of a window that lies within an array."""
    first = [min(max(start, 0), extent) for start, extent in zip(starts, shape, strict=True)]
    last = [min(max(stop, start), extent) for start, stop, extent in zip(first, stops, shape, strict=True)]
    return first, last
