"""Reads NumPy's files of one array, whole or in part."""

from __future__ import annotations

import ast
import contextlib
import functools
import math
from collections.abc import Callable, Sequence

import numpy as np

from jaxdali._base.interruptions import raised_by_handler
from jaxdali.errors import SourceDataError
from .safe_open import Opened, open_checked, opened_content

__all__ = ["LEAST_HEADER", "Memory", "begins_npy", "clamped", "read_npy"]

_MAGIC = b"\x93NUMPY"
# Bytes of a header: the most accepted, how many are read first, and the fewest that NumPy writes.
# NumPy accepts as many: Python's own parser is not made for hostile text.
_LARGEST_HEADER, _USUAL_HEADER, LEAST_HEADER = 10_000, 512, 128
# Axes of a sample, and of NumPy's arrays.
_MOST_AXES, _NUMPYS_AXES = 8, 64


def begins_npy(head: bytes) -> bool:
    """Whether the first bytes of a file are those of an array."""
    return head.startswith(_MAGIC)


class Memory:
    """Memory into which arrays are read one after the other: fresh pages for each would cost more than reading."""

    def __init__(self) -> None:
        self._bytes = np.zeros(0, np.uint8)

    def take(self, size: int) -> np.ndarray:
        """Returns `uint8[size]`, the same memory each time."""
        if len(self._bytes) < size:
            self._bytes = np.empty(size, np.uint8)
        return self._bytes[:size]

    def __reduce__(self) -> tuple[object, ...]:
        return Memory, ()


def read_npy(
    path: str,
    window: Callable[[tuple[int, ...]], tuple[Sequence[int], Sequence[int]]] | None = None,
    memory: Memory | None = None,
    content: bytes | Opened | None = None,
) -> np.ndarray:
    """Returns the array in a file, in the machine's byte order, in C order.

    Args:
        window: `shape -> (starts, stops)`: the part to return, on each axis within the array; None: the whole array. Along
            the slowest axis, and along each next one if those before are cut to one index, only the part is read.
        memory: where the file is read to. The array may lie there, until the next one is read into it.
        content: the file's bytes if they were read already, or what reads them.

    Raises:
        SourceDataError: the file is not NumPy's, is cut off, or holds something other than numbers and bools.
        OSError: the file cannot be read.
    """
    with _opened(path, content) as file:
        there = file.size
        (dtype, shape, fortran), offset = _header(path, file)
        wanted = math.prod(shape) * dtype.itemsize
        # Even an array without elements must not have extents that are impossible for arrays.
        endless = math.prod(extent or 1 for extent in shape) * dtype.itemsize >= 1 << 62
        if endless or (there >= 0 and offset + wanted > there):
            raise SourceDataError(
                f"{path} says that it holds {dtype}{list(shape)}, {wanted} bytes from byte {offset}, but the file has "
                f"{there}; it is cut off, or damaged"
            )
        if there > (end := offset + wanted) and file.read(len(_MAGIC), end) == _MAGIC:
            raise SourceDataError(
                f"{path} holds another array at byte {end}, behind its first one, and a file here is one array; save each "
                "to a file of its own, or np.stack them"
            )
        starts, stops = window(shape) if window is not None else ([0] * len(shape), list(shape))
        # In the file's order: the slowest axis first.
        turned = -1 if fortran else 1
        stored, first, last = (list(one)[::turned] for one in (shape, starts, stops))
        # Along leading axes of which one index is wanted, nothing else is read.
        for axis in range(len(stored)):
            row = math.prod(stored[axis + 1 :]) * dtype.itemsize
            count = last[axis] - first[axis]
            offset, wanted = offset + first[axis] * row, count * row
            first[axis], last[axis], stored[axis] = 0, count, count
            if count != 1:
                break
        # If the file's size is unknown, reads first, and takes memory only for bytes that came.
        came = None if there >= 0 else np.frombuffer(file.read(wanted, offset), np.uint8)
        found = np.empty(wanted, np.uint8) if memory is None else memory.take(wanted)
        if came is None:
            _read(path, file, found, offset)
        else:
            found[:] = came
    array = found.view(dtype).reshape(stored)
    if window is not None:
        array = array[tuple(map(slice, first, last))]
    array = array.transpose() if fortran else array
    return np.ascontiguousarray(array, dtype.newbyteorder("=")).reshape(array.shape)


def _opened(path: str, content: bytes | Opened | None) -> contextlib.AbstractContextManager[Opened]:
    if content is None:
        return open_checked(path)
    return contextlib.nullcontext(opened_content(content) if isinstance(content, bytes) else content)


def _read(path: str, file: Opened, to: np.ndarray, offset: int) -> None:
    """Reads as many bytes as `to` has room for."""
    done, size, bytes_of = 0, len(to), to.data
    while done < size:
        more = file.fill(bytes_of[done:], offset + done)
        if not more:
            raise SourceDataError(f"{path} became shorter while it was read, at byte {offset + done}")
        done += more


def _header(path: str, file: Opened) -> tuple[tuple[np.dtype, tuple[int, ...], bool], int]:
    """Returns what `_parsed` does, and where the numbers begin."""
    head, there = file.read(_USUAL_HEADER, 0), file.size
    version = head[6:7]
    begin = 10 if version == b"\1" else 12
    if head[:6] != _MAGIC or version not in (b"\1", b"\2", b"\3") or len(head) < 12:
        raise SourceDataError(f"{path} is not a .npy file; it begins with {head[:12]!r}")
    size = int.from_bytes(head[8:begin], "little")
    if size > _LARGEST_HEADER or (there >= 0 and begin + size > there):
        raise SourceDataError(f"{path} says that its header has {size} bytes, but the file has {there}; it is damaged")
    text = head[begin : begin + size] if begin + size <= len(head) else file.read(size, begin)
    try:
        dtype, shape, fortran = _parsed(text, version == b"\3")
    except Exception as error:  # Python's parser, and NumPy's of types, raise nearly every kind
        if raised_by_handler(error):
            raise
        raise SourceDataError(f"{path} has a header that NumPy does not write: {text[:80]!r}") from None
    if dtype.kind not in "buif" or dtype.itemsize > 8 or dtype.hasobject:
        raise SourceDataError(
            f"{path} holds {dtype}; expected bool, integers, or floats of 16 to 64 bits. Objects are not read"
        )
    if len(shape) > _MOST_AXES:
        raise SourceDataError(
            f"{path} holds an array of {len(shape)} axes, {dtype}{list(shape)}, and a sample has at most {_MOST_AXES}; save "
            "it with some of its axes joined, as array.reshape does, and give each sample its shape with fn.reshape"
        )
    return (dtype, shape, fortran), begin + size


@functools.lru_cache(maxsize=256)
def _parsed(text: bytes, utf8: bool) -> tuple[np.dtype, tuple[int, ...], bool]:
    """Returns type, shape, and whether the last axis is the slowest. Cached: a dataset has few different headers."""
    found = ast.literal_eval(text.decode("utf-8" if utf8 else "latin-1").strip())
    shape, fortran = found["shape"], found["fortran_order"]
    right = isinstance(shape, tuple) and len(shape) <= _NUMPYS_AXES and isinstance(fortran, bool)
    if not right or not all(type(extent) is int and 0 <= extent < 1 << 62 for extent in shape):
        raise ValueError(shape)
    return np.lib.format.descr_to_dtype(found["descr"]), shape, fortran


def clamped(starts: Sequence[int], stops: Sequence[int], shape: Sequence[int]) -> tuple[list[int], list[int]]:
    """Returns the part of a window that is within an array."""
    first = [min(max(start, 0), extent) for start, extent in zip(starts, shape, strict=True)]
    last = [min(max(stop, start), extent) for start, stop, extent in zip(first, stops, shape, strict=True)]
    return first, last
