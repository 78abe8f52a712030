"""How many CPUs this process has, by its affinity and by the time that its cgroup is given."""

from __future__ import annotations

import contextlib
import math
import os
import pathlib

__all__ = ["cgroup_cpus", "cgroup_folders", "usable_cpus"]

_CGROUPS = pathlib.Path("/sys/fs/cgroup")


def usable_cpus() -> int:
    """CPUs that this process may use, at least one; a part of one that its cgroup gives counts as one."""
    allowed, quota = len(os.sched_getaffinity(0)), cgroup_cpus()
    return allowed if quota is None else max(1, min(allowed, math.ceil(quota)))


def cgroup_cpus(root: pathlib.Path = _CGROUPS, own: str | None = None) -> float | None:
    """How many CPUs' time the cgroup of this process has; None: no limit.

    Args:
        root: where cgroups are mounted.
        own: what /proc/self/cgroup says; None: it is read.
    """
    limits = []
    for folder in cgroup_folders(root, own):
        try:
            quota, period = (folder / "cpu.max").read_text().split()
        except (OSError, ValueError):
            continue
        if quota != "max":
            limits.append(int(quota) / int(period))
    with contextlib.suppress(OSError):  # version 1
        quota, period = ((root / "cpu" / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
        if int(quota) > 0:
            limits.append(int(quota) / int(period))
    return min(limits, default=None)


def cgroup_folders(root: pathlib.Path, own: str | None) -> list[pathlib.Path]:
    """Of version 2: the one of this process, and those above it, whose limits hold as well."""
    if own is None:
        own = pathlib.Path("/proc/self/cgroup").read_text()
    inner = next((line[3:] for line in own.splitlines() if line.startswith("0::")), "/").lstrip("/")
    return [root / part for part in [pathlib.Path(inner), *pathlib.Path(inner).parents]]
