"""What becomes of memory that batches leave behind in the host's heap."""

from __future__ import annotations

import ctypes
import functools
import os

__all__ = ["keep_freed_memory"]

# Of mallopt(3): which blocks are mappings of their own, and how much that is free stays with the process.
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3
_KEPT_BYTES = 128 << 20
_LARGEST_BLOCK = 32 << 20  # glibc takes no more
# Threads other than the main one have heaps of at most so much. Of a thread's heaps glibc gives one back that has become
# empty, unless less than the padding would then be free. Padding is addresses: its pages are taken when they are used.
_HEAP_BYTES = 64 << 20
_SAID = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_")


@functools.cache
def keep_freed_memory() -> bool:
    """Has glibc keep what it is given back, up to 128 MiB at the end of its main heap and the heaps of other threads, of 64
    MiB each, rather than return it to the system after each batch and ask for it again, page by page, for the next one:
    where batches are computed on CPUs that is up to half of their cost.

    Without this glibc raises its own threshold for blocks in the same way, as it sees them freed, to 32 MiB, but keeps
    only twice one block, and several batches are under way at once. Once in a process.

    Returns:
        False: variables of the environment say what the user wants, or the C library has nothing of the kind.
    """
    if any(name in os.environ for name in _SAID) or "glibc.malloc" in os.environ.get("GLIBC_TUNABLES", ""):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    settings = {_MMAP_THRESHOLD: _LARGEST_BLOCK, _TRIM_THRESHOLD: _KEPT_BYTES, _TOP_PAD: _HEAP_BYTES}
    return all([mallopt(*setting) for setting in settings.items()])
