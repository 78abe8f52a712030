"""Counts the threads that a fork would lose: Python's, and those that libraries have started without telling Python."""

from __future__ import annotations

import ctypes
import os
import threading
import time

from jaxdali._base.interruptions import raised_by_handler

__all__ = ["THREADS", "lost_threads"]

# The threads of this process, one entry each.
THREADS = "/proc/self/task"

# The prefixes and suffixes that builds of OpenBLAS give their functions.
_PREFIXES, _SUFFIXES = ("scipy_", ""), ("64_", "_64", "")
# Its answer for threads of its own. It ends those before a fork, and starts them again when it needs them; the threads of
# OpenMP are not its own.
_OWN_THREADS = 1

# Whether this process, or the one that it is a fork of, has forked. Filled once.
_forked: list[bool] = []
os.register_at_fork(before=lambda: _forked or _forked.append(True))

# How long a thread of Python's may stay in THREADS after it was joined: before Python 3.13, `join` returns when the thread
# is done with Python, and the kernel removes it a moment later.
_LEAVES_S = 0.05
_LOOKS_S = 0.001


def lost_threads() -> int:
    """Returns how many threads a fork would lose, beside the one that calls it. The threads of OpenBLAS, which NumPy starts
    on any machine with several CPUs, do not count: they are ended before a fork, by their library.

    Threads that nobody accounts for may be leaving just now, so it looks again for a moment before it counts them.
    Without /proc only Python's threads are known.
    """
    try:
        if (several := _further_tasks()) == 0:
            return 0
        ended_before_a_fork = _of_openblas()
        deadline = time.monotonic() + _LEAVES_S
        while several - ended_before_a_fork >= threading.active_count() and time.monotonic() < deadline:
            time.sleep(_LOOKS_S)
            several = _further_tasks()
    except OSError as error:
        if raised_by_handler(error):
            raise
        return threading.active_count() - 1
    return max(several - ended_before_a_fork, 0)


def _further_tasks() -> int:
    return len(os.listdir(THREADS)) - 1


def _of_openblas() -> int:
    return sum(map(_pool_of, _mapped_libraries("openblas")))


def _mapped_libraries(word: str) -> set[str]:
    """Returns the paths of the libraries that are mapped into this process and whose names contain a word."""
    found = set()
    with open("/proc/self/maps") as maps:
        for line in maps:
            # A line has six fields; the last is a path, which may contain spaces.
            path = line.rstrip("\n").split(maxsplit=5)[5:]
            if path and word in os.path.basename(path[0]):
                found.add(path[0])
    return found


def _pool_of(path: str) -> int:
    """Returns how many threads of its own a library of OpenBLAS has now; 0 if it does not say."""
    try:
        library = ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_NOLOAD)
    except OSError as error:  # mapped, but not as a library
        if raised_by_handler(error):
            raise
        return 0
    if _answer(library, "openblas_get_parallel") != _OWN_THREADS:
        return 0
    try:
        started = ctypes.c_int.in_dll(library, "blas_server_avail").value
        threads = ctypes.c_int.in_dll(library, "blas_num_threads").value
    except ValueError:
        # A newer build keeps these to itself. It starts its threads when it is loaded; whether it did so again since a fork
        # ended them, nobody can tell.
        started, threads = not _forked, _answer(library, "openblas_get_num_threads")
    return max(threads - 1, 0) if started else 0


def _answer(library: ctypes.CDLL, name: str) -> int:
    """Returns what a function of OpenBLAS says, whatever prefix and suffix it has there; 0 if there is none."""
    for spelled in (f"{prefix}{name}{suffix}" for prefix in _PREFIXES for suffix in _SUFFIXES):
        if (function := getattr(library, spelled, None)) is not None:
            return function()
    return 0
