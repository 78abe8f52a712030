"""What becomes of memory that batches leave behind in the host's heap."""

from __future__ import annotations

import ctypes
import functools
import os

__all__ = ["keep_freed_memory"]

# Of mallopt(3): which blocks are mappings of their own, and how much that is free stays with the process.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT_BYTES = 128 << 20
_LARGEST_BLOCK = 32 << 20  # glibc takes no more
_SAID = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_")


@functools.cache
def keep_freed_memory() -> bool:
    """Has glibc keep what it is given back, up to 128 MiB of each of its arenas (those beside the main one have 64 MiB at
    most), rather than return it to the system after each batch and ask for it again, page by page, for the next one: where
    batches are computed on CPUs that is up to half of their cost.

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
    return bool(mallopt(_MMAP_THRESHOLD, _LARGEST_BLOCK) and mallopt(_TRIM_THRESHOLD, _KEPT_BYTES))
