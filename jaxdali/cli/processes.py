"""What this process and those that it started cost, read from Linux."""

from __future__ import annotations

import contextlib
import os
import pathlib
import time

__all__ = ["cpu_s_since", "cpu_times", "descendants", "memory"]


def descendants() -> list[int]:
    """Processes that this one started, and that those started; the living ones."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (parent := _parent(int(entry))) is not None:
            children.setdefault(parent, []).append(int(entry))
    found = list(children.get(os.getpid(), ()))
    for pid in found:  # grows while it is gone through
        found.extend(children.get(pid, ()))
    return found


def _parent(pid: int) -> int | None:
    """None: there is no such process, or it has ended."""
    try:
        state, parent, *_ = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if state == "Z" else int(parent)


def cpu_times() -> dict[int, float]:
    """Seconds of CPU time, user and system, that this process and its descendants have used, by their ids."""
    times = {os.getpid(): time.process_time()}
    for pid in descendants():
        with contextlib.suppress(OSError):  # it has just ended
            # Linux' clock of another process, as clock_getcpuclockid(3) makes it.
            times[pid] = time.clock_gettime((~pid << 3) | 2)
    return times


def cpu_s_since(before: dict[int, float]) -> float:
    """Seconds of CPU time since `cpu_times` returned `before`; of processes that live, also of those that are new."""
    return sum(used - before.get(pid, 0.0) for pid, used in cpu_times().items())


def memory() -> int:
    """Bytes of this process and its descendants. Of pages that n of them share, each has an n-th."""
    return sum(_share(pid) for pid in [os.getpid(), *descendants()])


def _share(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    return 0
