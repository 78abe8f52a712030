"""What a forked process has of its parent, and must not use as its own: garbage, and states of random numbers."""

from __future__ import annotations

import gc
import os
import sys

__all__ = ["fork", "reseed"]


def fork() -> int:
    """Forks this process. In the child, nothing that the parent left is finalised: a finalizer may wait for a thread that
    the child does not have, or write to a file once more.

    Returns:
        0 in the child, and the child's process id in the parent.

    Raises:
        OSError: the system refuses a process.
    """
    collects = gc.isenabled()
    gc.disable()  # no collection may begin between the fork and the next line
    try:
        pid = os.fork()
        if pid == 0:
            gc.freeze()
        return pid
    finally:
        if collects:
            gc.enable()


def reseed() -> None:
    """Seeds the global generators of NumPy and PyTorch, if they are imported, from the system's randomness, so that
    workers draw different numbers. Python's own is seeded by each fork.
    """
    if numpy := sys.modules.get("numpy.random"):
        # Whatever kind of generator the user has chosen; `numpy.random.seed` knows only one.
        numpy.set_bit_generator(type(numpy.get_bit_generator())())
    # A module of that name may be another one, or still being imported.
    if generator := getattr(sys.modules.get("torch"), "default_generator", None):
        generator.seed()
