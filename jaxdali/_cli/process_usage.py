"""CPU time and memory of this process and its descendants, read from Linux."""

from __future__ import annotations

import contextlib
import os
import pathlib
import time

__all__ = ["cpu_s_since", "cpu_times", "descendants", "memory"]


def descendants() -> list[int]:
    """Returns the living processes that this one started, and their descendants."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (parent := _parent(int(entry))) is not None:
            children.setdefault(parent, []).append(int(entry))
    found = list(children.get(os.getpid(), ()))
    for pid in found:  # grows during the loop
        found.extend(children.get(pid, ()))
    return found


def _parent(pid: int) -> int | None:
    """Returns the parent of a process, or None if it does not exist or has ended."""
    try:
        state, parent, *_ = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if state == "Z" else int(parent)


def cpu_times() -> dict[int, float]:
    """Returns the seconds of CPU time, user and system, that this process and its descendants have used, by process id."""
    times = {os.getpid(): time.process_time()}
    for pid in descendants():
        with contextlib.suppress(OSError):  # it has just ended
            # The id of another process's CPU clock, as clock_getcpuclockid(3) makes it.
            times[pid] = time.clock_gettime((~pid << 3) | 2)
    return times


def cpu_s_since(before: dict[int, float]) -> float:
    """Returns the seconds of CPU time since `cpu_times` returned `before`, of living processes, including new ones."""
    return sum(used - before.get(pid, 0.0) for pid, used in cpu_times().items())


def memory() -> int:
    """Returns the bytes of this process and its descendants. A page that n of them share counts as an n-th for each."""
    return sum(_share(pid) for pid in [os.getpid(), *descendants()])


def _share(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    return 0
