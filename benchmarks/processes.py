"""CPU time and lifetime of this process's descendants, read from Linux."""

from __future__ import annotations

import contextlib
import os
import pathlib
import signal
import time

__all__ = ["cpu_s", "descendants", "end", "wait_for_end"]


def _stat(pid: int) -> tuple[str, int] | None:
    """(state, parent), or None if there is no such process."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return fields[0], int(fields[1])


def descendants() -> list[int]:
    """The living children of this process, and their children."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (found := _stat(int(entry))) and found[0] != "Z":
            children.setdefault(found[1], []).append(int(entry))
    result = list(children.get(os.getpid(), ()))
    for pid in result:
        result.extend(children.get(pid, ()))
    return result


def cpu_s(pids: list[int]) -> float:
    """Seconds of CPU time, user and system, of this process and `pids` (all of which must be alive)."""
    # Linux's clock of another process, built like clock_getcpuclockid(3) does: exact to the nanosecond.
    return time.process_time() + sum(time.clock_gettime((~pid << 3) | 2) for pid in pids)


def _serves_the_interpreter(pid: int) -> bool:
    """Whether it is a process that multiprocessing keeps until the interpreter ends."""
    try:
        command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return b"resource_tracker" in command or b"multiprocessing.forkserver" in command


def wait_for_end(pids: list[int], timeout_s: float) -> bool:
    """Waits until none of `pids` is alive, except multiprocessing's helpers. False if that took too long."""
    pids = [pid for pid in pids if not _serves_the_interpreter(pid)]
    deadline = time.perf_counter() + timeout_s
    while any((found := _stat(pid)) and found[0] != "Z" for pid in pids):
        if time.perf_counter() > deadline:
            return False
        time.sleep(0.001)
    return True


def end(pids: list[int]) -> None:
    """Kills `pids`, except multiprocessing's helpers: they end by themselves, and remove named shared memory."""
    for pid in pids:
        if not _serves_the_interpreter(pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
