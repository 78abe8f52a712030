"""Keeps memory that batches free in the host's heap."""

from __future__ import annotations

import ctypes
import functools
import os

__all__ = ["keep_freed_memory"]

# Parameters of mallopt(3): which blocks get mappings of their own, and how much free memory stays with the process.
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3
_KEPT_BYTES = 128 << 20
_LARGEST_BLOCK = 32 << 20  # glibc's maximum
# Size of the heaps of threads other than the main one. glibc returns such a heap when it becomes empty, unless less
# than the padding would then be free. Padding is only address space: its pages are allocated when they are used.
_HEAP_BYTES = 64 << 20
_SAID = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_")


@functools.cache
def keep_freed_memory() -> bool:
    """Makes glibc keep freed memory, up to 128 MiB at the end of its main heap, and the 64 MiB heaps of other threads.

    Otherwise it returns the memory to the system after each batch and gets it back, page by page, for the next one. If
    batches are computed on CPUs, that is up to half of their cost. glibc's own adaptive threshold for blocks also
    grows, up to 32 MiB, as it sees them freed, but then it keeps only twice one block, and several batches are under
    way at once. Takes effect once per process.

    Returns:
        False if environment variables say what the user wants, or the C library has no mallopt.
    """
    if any(name in os.environ for name in _SAID) or "glibc.malloc" in os.environ.get("GLIBC_TUNABLES", ""):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    settings = {_MMAP_THRESHOLD: _LARGEST_BLOCK, _TRIM_THRESHOLD: _KEPT_BYTES, _TOP_PAD: _HEAP_BYTES}
    return all([mallopt(*setting) for setting in settings.items()])
