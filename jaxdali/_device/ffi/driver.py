"""Whether this process uses CUDA. Asking neither loads the driver nor initializes it."""

from __future__ import annotations

import ctypes
import os

from jaxdali._base.interruptions import raised_by_handler

__all__ = ["cuda_is_initialized"]

# CUDA_ERROR_NOT_INITIALIZED of cuda.h: nobody has called cuInit.
_NOT_INITIALIZED = 3


def cuda_is_initialized() -> bool:
    """Whether the CUDA driver is loaded and `cuInit` was called, which a fork would not survive."""
    path = _mapped_driver()
    if path is None:
        return False
    try:
        driver = ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_NOLOAD)
    except OSError as error:  # mapped, but not as a library: something reads the file
        if raised_by_handler(error):
            raise
        return False
    count = ctypes.c_int()
    return driver.cuDeviceGetCount(ctypes.byref(count)) != _NOT_INITIALIZED


def _mapped_driver() -> str | None:
    """The path of the CUDA driver that is mapped into this process, or None."""
    try:
        with open("/proc/self/maps") as maps:
            for line in maps:
                # A line has six fields; the last is a path, which may contain spaces.
                path = line.rstrip("\n").split(maxsplit=5)[5:]
                if path and os.path.basename(path[0]).startswith("libcuda.so"):
                    return path[0]
    except FileNotFoundError:  # no /proc: ask the loader, by the driver's soname
        return "libcuda.so.1"
    return None
