"""Reports the machine and its limits: CPUs, memory, descriptors, memory files."""

from __future__ import annotations

import contextlib
import os
import pathlib
import platform
import resource
import shutil

from jaxdali._base.cpus import cgroup_cpus, cgroup_folders, decode_processes
from .findings import Section
from .numbers import bytes_text

__all__ = ["cgroup_memory", "inspect_machine"]

# A worker needs a socket and a process descriptor, and its pool a few more; the rest is for the user.
_DESCRIPTORS = 256
_CGROUPS = pathlib.Path("/sys/fs/cgroup")
_MEMORY_V1 = "memory/memory.limit_in_bytes"


def inspect_machine() -> Section:
    """Reports CPUs, memory and limits of this process."""
    section = Section("machine")
    kernel = platform.release().partition("-")[0]
    section.add("system", f"{platform.system()} {kernel}, {platform.machine()}")
    section.add("CPU", _cpu_model())
    _add_cpus(section)
    _add_memory(section)
    _add_limits(section)
    return section


def _cpu_model() -> str:
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("model name", "Model"):
            return value.strip()
    return platform.processor() or "unknown"


def _add_cpus(section: Section) -> None:
    usable, quota = len(os.sched_getaffinity(0)), cgroup_cpus()
    text = f"{os.cpu_count()}, of which this process may use {usable}"
    section.add("CPUs", text if quota is None else f"{text}; its cgroup has the time of {quota:g}")
    section.add("decoding", f"{decode_processes()} processes for files other than JPEG; fewer with num_threads=")
    if quota is not None and quota < usable:
        section.advice.append(
            f"The cgroup gives {usable} CPUs the time of {quota:g} only: threads beyond that wait for each other. Give "
            f"pipelines num_threads={max(1, round(quota))} and as many workers, or pin the process with taskset."
        )


def _add_memory(section: Section) -> None:
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limit = cgroup_memory()
    text = bytes_text(total)
    section.add("memory", text if limit is None else f"{text}; its cgroup allows {bytes_text(limit)}")


def _add_limits(section: Section) -> None:
    section.add("RLIMIT_MEMLOCK", bytes_text(_soft_limit(resource.RLIMIT_MEMLOCK)))
    space = _soft_limit(resource.RLIMIT_AS)
    section.add("RLIMIT_AS", bytes_text(space))
    if space is not None:
        section.advice.append(
            f"Address space is limited to {bytes_text(space)} (ulimit -v), so slots reserve less of it; ulimit -v "
            "unlimited costs no memory."
        )
    files = _soft_limit(resource.RLIMIT_NOFILE)
    section.add("RLIMIT_NOFILE", "unlimited" if files is None else str(files))
    wanted = _DESCRIPTORS + 2 * len(os.sched_getaffinity(0))
    if files is not None and files < wanted:
        section.advice.append(
            f"Only {files} files may be open at a time; a pipeline with one worker per CPU needs {wanted}: ulimit -n "
            f"{wanted}."
        )
    _add_memory_files(section)


def _add_memory_files(section: Section) -> None:
    try:
        fd = os.memfd_create("jaxdali-doctor", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(fd, 1 << 20)
            os.posix_fallocate(fd, 0, 1 << 20)
        finally:
            os.close(fd)
    except OSError as error:
        section.fail(
            "memory files", f"do not work: {error}", "Slots are in memory files: memfd_create must be allowed."
        )
    else:
        section.add("memory files", "memfd_create works")
    try:
        section.add("/dev/shm", f"{bytes_text(shutil.disk_usage('/dev/shm').total)}; not used")
    except OSError:
        section.add("/dev/shm", "none; not used")


def _soft_limit(which: int) -> int | None:
    limit = resource.getrlimit(which)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def cgroup_memory(root: pathlib.Path = _CGROUPS, own: str | None = None) -> int | None:
    """Returns the memory limit of this process's cgroup in bytes; None if unlimited. Arguments as in `cgroup_cpus`."""
    limits = []
    for file in [folder / "memory.max" for folder in cgroup_folders(root, own)] + [root / _MEMORY_V1]:
        with contextlib.suppress(OSError):
            text = file.read_text().strip()
            # Version 1 writes "no limit" as the largest multiple of a page.
            if text != "max" and int(text) < 1 << 62:
                limits.append(int(text))
    return min(limits, default=None)
