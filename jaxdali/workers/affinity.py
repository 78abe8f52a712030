"""Which CPUs threads and worker processes are kept on; DALI's algorithm."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from ..errors import ConfigError

__all__ = ["Cpus", "assign_cpus", "keep_process_on", "parse_mask"]

# Of each thread or process its CPUs; none: it is left alone.
Cpus = tuple[tuple[int, ...], ...]


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
