"""Asks NVIDIA's management library which CPUs are near a GPU. Its bindings, nvidia-ml-py, are optional."""

from __future__ import annotations

import os
from typing import Any

__all__ = ["cpus_near_gpu"]

_WORD = 64


def cpus_near_gpu(ordinal: int) -> tuple[tuple[int, ...], str]:
    """Returns the CPUs that NVML suggests for a GPU and "", or () and why NVML cannot be asked.

    Args:
        ordinal: the GPU's, among those that CUDA shows to this process.
    """
    try:
        import pynvml  # pyright: ignore[reportMissingImports]
    except ImportError:
        return (), "nvidia-ml-py is not installed"
    try:
        pynvml.nvmlInit()
        try:
            handle = _handle(pynvml, ordinal)
            words = pynvml.nvmlDeviceGetCpuAffinity(handle, -(-(os.cpu_count() or 1) // _WORD))
        finally:
            pynvml.nvmlShutdown()
    except pynvml.NVMLError as error:
        return (), f"NVML says: {error}"
    bits = sum(int(word) << (_WORD * place) for place, word in enumerate(words))
    return tuple(cpu for cpu in range(bits.bit_length()) if bits >> cpu & 1), ""


def _handle(nvml: Any, ordinal: int) -> object:
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    names = [name.strip() for name in visible.split(",")] if visible else []
    if ordinal >= len(names):
        return nvml.nvmlDeviceGetHandleByIndex(ordinal)
    if names[ordinal].isdecimal():
        return nvml.nvmlDeviceGetHandleByIndex(int(names[ordinal]))
    return nvml.nvmlDeviceGetHandleByUUID(names[ordinal])
