"""Finds the compiled modules and registers their custom calls with JAX, on first use."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import threading
from types import ModuleType

from jaxdali.errors import BackendUnavailable
from . import cuda, plugin

__all__ = ["can_bind_cuda", "cpu_module", "register_targets"]

_CPU_MODULE = "jaxdali._device.ffi._cpu"

logger = logging.getLogger("jaxdali")

_lock = threading.Lock()
_registered = False


def cpu_module() -> ModuleType:
    """Returns the module with the CPU platform's custom calls. Does not import jax.

    Raises:
        BackendUnavailable: the module was not built, or was built and does not load; the text says which, and the
            loader's error is the cause.
    """
    try:
        return importlib.import_module(_CPU_MODULE)
    except ImportError as error:
        if importlib.util.find_spec(_CPU_MODULE) is None:
            raise BackendUnavailable(
                f"{_CPU_MODULE} was not built for this Python. Install jaxdali with pip; a source tree that was "
                "never installed has no compiled modules."
            ) from error
        raise BackendUnavailable(
            f"{_CPU_MODULE} was built but does not load: {error}. Likely causes: it was built from source, and "
            "libjpeg-turbo's libjpeg.so is missing (Debian/Ubuntu: apt-get install libjpeg62-turbo or libjpeg-turbo8), "
            "or it was built for another Python; reinstall jaxdali."
        ) from error


def register_targets() -> None:
    """Registers every custom call with JAX, once per process. Must run before one is bound.

    Raises:
        BackendUnavailable: as `cpu_module`.
    """
    global _registered
    with _lock:
        if _registered:
            return
        import jax

        for name, handler in cpu_module().registrations().items():
            jax.ffi.register_ffi_target(name, handler, platform="cpu")
        if plugin.plugin_major() is not None:
            _register_cuda(jax)
        _registered = True


def can_bind_cuda() -> bool:
    """Whether programs for GPUs may contain custom calls: this process can load them, or has no GPUs and only exports."""
    if plugin.plugin_major() is None:
        return True
    try:
        cuda.cuda_module()
    except BackendUnavailable:
        return False
    return True


def _register_cuda(jax: ModuleType) -> None:
    try:
        module = cuda.cuda_module()
    except BackendUnavailable as error:
        logger.warning("nothing can be decoded on GPUs: %s", error)
        return
    for name, handler in module.registrations().items():
        jax.ffi.register_ffi_target(name, handler, platform="CUDA")
