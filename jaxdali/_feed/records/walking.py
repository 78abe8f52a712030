"""Finds where a file's records begin: in native code up to damaged or unusual bytes, which Python code examines."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable

import numpy as np

from ..storage.urls import is_remote
from .safe_open import Watch

__all__ = ["MOST_AT_ONCE", "record_offsets"]

# Records walked per native call, between which interrupts and the watch are served: under 0.1 s if the file is cached.
MOST_AT_ONCE = 1 << 16


def record_offsets(
    path: str,
    size: int,
    walk: Callable[[bytes, int, int], tuple[bytes, int]],
    step: Callable[[int, int], tuple[int, bool]],
    watch: Watch | None,
) -> tuple[np.ndarray, int]:
    """Returns where records begin, `int64[n]`, and where the last one ends.

    Args:
        size: the file's size in bytes.
        walk: a function of `_host`, for local files.
        step: `(offset, records before) -> (offset of what follows, whether a record begins here)`; raises the error if the
            bytes there are wrong.
        watch: called with the progress.
    """
    offsets, offset = array("q"), 0
    name = None if is_remote(path) else os.fsencode(path)
    while offset < size:
        if name is not None:
            if watch is not None:
                watch(offset, size)
            found, beyond = walk(name, offset, MOST_AT_ONCE)
            offsets.frombytes(found)
            if beyond > offset:
                offset = beyond
                continue
        beyond, begins = step(offset, len(offsets))
        if begins:
            offsets.append(offset)
        offset = beyond
    return np.array(offsets, np.int64), offset
