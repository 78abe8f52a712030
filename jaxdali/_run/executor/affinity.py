"""Which CPUs decode threads and worker processes run on, from environment variables and from what NVML suggests."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence

from jaxdali._base.cpus import Cpus, assign_cpus, parse_mask
from jaxdali._device.ffi.nvml import cpus_near_gpu

__all__ = ["DECODE_VARIABLE", "WORKER_VARIABLE", "decode_affinity", "worker_affinity"]

# The same variable and meaning as in DALI.
DECODE_VARIABLE = "DALI_AFFINITY_MASK"
# DALI does not set the affinity of workers, so this variable is only ours.
WORKER_VARIABLE = "JAXDALI_AFFINITY_MASK"


def decode_affinity(threads: int | None, gpu: int | None) -> Cpus:
    """Returns the CPUs of the decode threads. Warns about threads that get none.

    Args:
        threads: number of threads; None: one per CPU.
        gpu: index of the GPU to be near to; None: no GPU.

    Raises:
        ConfigError: the variable is not a list of CPUs.
    """
    count = threads or len(os.sched_getaffinity(0))
    return _affinity("decode thread", count, DECODE_VARIABLE, gpu, True)


def worker_affinity(workers: int, gpu: int | None) -> Cpus:
    """Likewise for worker processes. Does not warn without the variable, as nobody asked for particular CPUs then."""
    return _affinity("worker", workers, WORKER_VARIABLE, gpu, WORKER_VARIABLE in os.environ)


def _affinity(what: str, count: int, variable: str, gpu: int | None, tells: bool) -> Cpus:
    text = os.environ.get(variable)
    mask = [] if text is None else parse_mask(variable, text)
    allowed = os.sched_getaffinity(0)
    near, reason = _suggestion(gpu) if count > len(mask) else ((), "")
    cpus, refused, without = assign_cpus(count, mask, allowed, near)
    problems = []
    if refused:
        wanted = _listed([mask[number] for number in refused])
        problems.append(
            f"{what} {_listed(refused)} should run on CPU {wanted}, but this process has {_listed(sorted(allowed))}"
        )
    if without and tells:
        entries = f"has {len(mask)} of {count} entries" if text is not None else "is not set"
        problems.append(f"{what} {_listed(without)} not pinned, because {variable} {entries} and {reason}")
    if problems:
        warnings.warn(f"set_affinity=True cannot be honoured for all: {'; '.join(problems)}", UserWarning, stacklevel=2)
    return cpus


def _suggestion(gpu: int | None) -> tuple[tuple[int, ...], str]:
    if gpu is None:
        return (), "a pipeline without device_id has no GPU to be near"
    if not os.path.exists("/dev/nvidiactl"):
        return (), "there is no NVIDIA GPU to be near"
    near, reason = cpus_near_gpu(gpu)
    return near, reason or "this process may not use the CPUs that NVML suggests"


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
