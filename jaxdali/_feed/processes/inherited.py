"""What a worker has of its parent, and must not use as its own: garbage, states of random numbers, signal handlers."""

from __future__ import annotations

import contextvars
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterable

from jaxdali._base.interruptions import raised_by_handler

__all__ = ["default_signals", "fork", "handled_signals", "ignore_signals", "reseed"]

# Signals whose Python functions are left alone: the end of a process and of its children and Ctrl-C, which have a meaning
# for workers; those that only a process's own timers or its own faults send.
_KEPT = {
    *(signal.SIGINT, signal.SIGTERM, signal.SIGCHLD),
    *(signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF),
    *(signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGTRAP, signal.SIGSYS),
}


# What a forked child keeps for as long as it lives.
_kept: list[object] = []

# How far the values of thread-local objects are from these, one object holding the next, in all versions of Python. What
# the values hold themselves lives as long as they do, and may be millions of objects.
_DEPTH = 3


def fork() -> int:
    """Forks this process. In the child, nothing that the parent left, or that belongs to another of its threads, is
    finalised: a finalizer may wait for a thread that the child does not have, or write to a file once more.

    Returns:
        0 in the child, and the child's process id in the parent.

    Raises:
        OSError: the system refuses a process.
    """
    collects = gc.isenabled()
    gc.disable()  # no collection may begin between the fork and the next line
    try:
        held = _of_threads()
        pid = os.fork()
        if pid == 0:
            gc.freeze()
            _kept.extend(held)
        return pid
    finally:
        if collects:
            gc.enable()


def _of_threads() -> list[object]:
    """Returns the thread-local values and the contexts of all threads, if there are several: in a forked child Python drops
    those of the threads that are not there.
    """
    if threading.active_count() == 1 and len(sys._current_frames()) == 1:
        return []
    kinds = (threading.local, contextvars.Context)
    found: list[object] = [one for one in gc.get_objects() if issubclass(type(one), kinds)]
    reached = found
    for _ in range(_DEPTH):
        reached = gc.get_referents(*reached)
        found += reached
    return found


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


def handled_signals() -> list[int]:
    """Returns the signals for which this process has functions, and which may be sent to all of a job's processes."""
    caught = _caught()
    return [
        int(number)
        for number in signal.valid_signals() - _KEPT
        if callable(signal.getsignal(number)) or (number < signal.SIGRTMIN and caught >> (number - 1) & 1)
    ]


def _caught() -> int:
    """Returns a bit for each signal that this process catches, native functions such as those of `faulthandler.register`
    included; 0 without /proc.
    """
    try:
        with open("/proc/self/status") as status:
            return next((int(line.split()[1], 16) for line in status if line.startswith("SigCgt:")), 0)
    except OSError as error:
        if raised_by_handler(error):
            raise
        return 0


def default_signals() -> None:
    """Makes signals do what they do in any new process, if the parent ignored them, which a fresh interpreter inherits."""
    for number in (signal.SIGTERM, signal.SIGCHLD, signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF):
        signal.signal(number, signal.SIG_DFL)


def ignore_signals(numbers: Iterable[int]) -> None:
    """Ignores the signals that the parent handles: sent to all of a job's processes, as a warning that its time is up is,
    they must neither run the parent's function in a worker nor end it.
    """
    for number in numbers:
        signal.signal(number, signal.SIG_IGN)
