"""CPUs: how many this process may use, by its affinity and the limits of its cgroup; and which of them its threads
and worker processes run on, by DALI's algorithm.
"""

from __future__ import annotations

import math
import os
import pathlib
from collections.abc import Collection, Sequence

from jaxdali.errors import ConfigError
from .interruptions import raised_by_handler

__all__ = [
    "Cpus",
    "assign_cpus",
    "cgroup_cpus",
    "cgroup_folders",
    "decode_processes",
    "keep_process_on",
    "parse_mask",
    "usable_cpus",
]

# For each thread or process its CPUs; an empty tuple: its affinity is not changed.
Cpus = tuple[tuple[int, ...], ...]

_CGROUPS = pathlib.Path("/sys/fs/cgroup")
_OWN_CGROUP = pathlib.Path("/proc/self/cgroup")
# Unless more were asked for: each takes memory, 10 MB for images and 60 MB for large videos.
_MOST_DECODING = 16


def usable_cpus() -> int:
    """Returns how many CPUs this process may use, at least one. Rounds a fraction that its cgroup allows up."""
    allowed, quota = len(os.sched_getaffinity(0)), cgroup_cpus()
    return allowed if quota is None else max(1, min(allowed, math.ceil(quota)))


def decode_processes(wanted: int | None = None) -> int:
    """Returns how many processes decode what is not decoded by the device function: as many as this process has CPUs, but
    no more than wanted; None: no more than 16.
    """
    return min(usable_cpus(), _MOST_DECODING if wanted is None else wanted)


def cgroup_cpus(root: pathlib.Path = _CGROUPS, own: str | None = None) -> float | None:
    """Returns how many CPUs' time the cgroup of this process has; None: no limit.

    Args:
        root: where cgroups are mounted.
        own: the content of /proc/self/cgroup; None: read it.
    """
    limits = []
    for folder in cgroup_folders(root, own):
        try:
            quota, period = (folder / "cpu.max").read_text().split()
        except (OSError, ValueError) as error:
            if raised_by_handler(error):
                raise
            continue
        if quota != "max":
            limits.append(int(quota) / int(period))
    try:  # version 1
        quota, period = ((root / "cpu" / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
        if int(quota) > 0:
            limits.append(int(quota) / int(period))
    except OSError as error:
        if raised_by_handler(error):
            raise
    return min(limits, default=None)


def cgroup_folders(root: pathlib.Path, own: str | None) -> list[pathlib.Path]:
    """Returns the version 2 cgroup of this process, and those above it, whose limits apply as well. Without /proc, or in a
    kernel without cgroups, it is the topmost one, as a container sees its own.
    """
    if own is None:
        try:
            own = _OWN_CGROUP.read_text()
        except OSError as error:
            if raised_by_handler(error):
                raise
            own = ""
    inner = next((line[3:] for line in own.splitlines() if line.startswith("0::")), "/").lstrip("/")
    return [root / part for part in [pathlib.Path(inner), *pathlib.Path(inner).parents]]


def parse_mask(variable: str, text: str) -> list[int]:
    """Reads a list of CPUs, "3,5,6".

    Args:
        variable: the environment variable, for the error.

    Raises:
        ConfigError: an entry is not an integer. DALI also raises ValueError if an entry has no digits, but from "1x"
            and "0-3" it takes the leading digits.
    """
    try:
        return [int(entry) for entry in text.split(",")]
    except ValueError:
        raise ConfigError(f"{variable} must be comma-separated ids of CPUs, such as 3,5,6; got {text!r}") from None


def assign_cpus(
    count: int, mask: Sequence[int], allowed: Collection[int], suggested: Collection[int]
) -> tuple[Cpus, list[int], list[int]]:
    """Assigns CPUs to `count` threads or processes.

    Number i runs on CPU `mask[i]`, alone if the mask has that CPU once. Those beyond the mask share the suggested CPUs.

    Args:
        mask: ids of CPUs.
        allowed: the CPUs of this process; others cannot be used.
        suggested: CPUs that are near the GPU; empty if unknown.

    Returns:
        The CPUs of each; the numbers whose entry in the mask is not allowed; and the numbers beyond the mask for which
        no suggested CPU is allowed. The affinity of the latter two is not changed.
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
    """Restricts this process, with all its present and future threads, to the CPUs of number `number`."""
    if number >= len(affinity) or not affinity[number]:
        return
    for task in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(task), affinity[number])
