"""CPUs: how many this process may use, by its affinity and by the time that its cgroup is given; and on which of them its
threads and worker processes are kept, by DALI's algorithm."""

from __future__ import annotations

import contextlib
import math
import os
import pathlib
from collections.abc import Collection, Sequence

from .errors import ConfigError

__all__ = ["Cpus", "assign_cpus", "cgroup_cpus", "cgroup_folders", "keep_process_on", "parse_mask", "usable_cpus"]

# Of each thread or process its CPUs; none: it is left alone.
Cpus = tuple[tuple[int, ...], ...]

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


def parse_mask(variable: str, text: str) -> list[int]:
    """Reads a list of CPUs, "3,5,6".

    Args:
        variable: of the environment, for the error.

    Raises:
        ConfigError: an entry is not an integer. DALI, too, raises ValueError if an entry has no digits, but of "1x" and
            "0-3" it takes the leading digits.
    """
    try:
        return [int(entry) for entry in text.split(",")]
    except ValueError:
        raise ConfigError(
            f"{variable} must be ids of CPUs with commas between them, such as 3,5,6; got {text!r}"
        ) from None


def assign_cpus(
    count: int, mask: Sequence[int], allowed: Collection[int], suggested: Collection[int]
) -> tuple[Cpus, list[int], list[int]]:
    """The CPUs of `count` threads or processes.

    Number i is on CPU `mask[i]`, and alone on it if the mask has it once. Those beyond the mask share what is suggested.

    Args:
        mask: ids of CPUs.
        allowed: the CPUs of this process; others cannot be had.
        suggested: CPUs that are near the GPU; none: nobody knows.

    Returns:
        One tuple of CPUs each; those whose entry in the mask is not allowed, and are left alone; those beyond the mask
        for whom no CPU is suggested that is allowed, and are left alone.
    """
    near = tuple(sorted(set(suggested) & set(allowed)))
    cpus: list[tuple[int, ...]] = []
    refused, without = [], []
    for number in range(count):
        if number >= len(mask):
            cpus.append(near)
            if not near:
                without.append(number)
        elif mask[number] in allowed:
            cpus.append((mask[number],))
        else:
            cpus.append(())
            refused.append(number)
    return tuple(cpus), refused, without


def keep_process_on(affinity: Cpus, number: int) -> None:
    """Keeps this process, all threads that it has and will have, on the CPUs of number `number`."""
    if number >= len(affinity) or not affinity[number]:
        return
    for task in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(task), affinity[number])
