"""Finds the CUDA platform's compiled module by the major version of jax's CUDA plugin, and loads it on first use."""

from __future__ import annotations

import atexit
import functools
import importlib
import importlib.util
import logging
import os
import pathlib
from types import ModuleType

from jaxdali._base.buffer_growth import DEVICE_GROWTH
from jaxdali._base.documentation import page_url
from jaxdali.errors import BackendUnavailable
from . import plugin, queues

__all__ = ["apply_growth_factor", "cuda_module", "nvjpeg_library"]

logger = logging.getLogger("jaxdali")


def cuda_module() -> ModuleType:
    """Returns the module with the CUDA platform's custom calls, after opening libnvjpeg.

    Raises:
        BackendUnavailable: this process cannot load it; the text says why and what to do.
    """
    return _found()[0]


def nvjpeg_library() -> str:
    """The libnvjpeg that `cuda_module` opened: a path, or a name that the loader knows. Raises like `cuda_module`."""
    return _found()[1]


def apply_growth_factor() -> None:
    """Applies the current growth factor to this process's decode engines; one that starts later reads it itself."""
    if _find.cache_info().currsize and not isinstance(found := _find(), BackendUnavailable):
        found[0].set_growth_factor(DEVICE_GROWTH.get())


def _found() -> tuple[ModuleType, str]:
    found = _find()
    if isinstance(found, BackendUnavailable):
        raise BackendUnavailable(str(found))  # a new object: one that was raised keeps its frames alive
    return found


@functools.cache
def _find() -> tuple[ModuleType, str] | BackendUnavailable:
    major = plugin.plugin_major()
    if major is None:
        return BackendUnavailable("jax has no CUDA plugin here; install jax[cuda13] or jax[cuda12]")
    name = f"jaxdali._device.ffi._cuda{major}"
    try:
        module = importlib.import_module(name)
        library = module.open_nvjpeg(_candidates(major))
    except ImportError as error:
        if importlib.util.find_spec(name) is not None:
            return BackendUnavailable(f"{name} was built but does not load ({error}); reinstall jaxdali")
        return BackendUnavailable(
            f"{name} was not built. The wheels for x86-64 have the calls of CUDA 13: pip install 'jaxdali[cuda13]'. "
            f"Others are built from source, where a CUDA {major} toolkit with nvcc and nvjpeg.h is found: pip install "
            "--no-binary jaxdali jaxdali (CUDACXX selects another nvcc). "
            f"{page_url('installing', 'cuda-12-and-gpus-on-arm')}"
        )
    except RuntimeError as error:
        return BackendUnavailable(str(error))
    logger.info("decoding on GPUs with %s", library)
    module.set_hardware_queues(queues.in_effect())
    module.set_growth_factor(DEVICE_GROWTH.get())
    # These must run while CUDA still exists.
    atexit.register(module.destroy_idle_decode_streams)
    atexit.register(module.stop_engines)
    atexit.register(module.stop_video_engines)
    return module, library


def _candidates(major: int) -> list[str]:
    """Where libnvjpeg may be: NVIDIA's wheels next to jax's plugin, the loader's search path, the toolkit."""
    name = f"libnvjpeg.so.{major}"
    found = []
    namespace = importlib.util.find_spec("nvidia")
    for root in namespace.submodule_search_locations or () if namespace is not None else ():
        for folder in (f"cu{major}/lib", "nvjpeg/lib"):
            path = pathlib.Path(root, folder, name)
            if path.exists():
                found.append(str(path))
    toolkit = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    return [*found, name, str(pathlib.Path(toolkit, "lib64", name))]
