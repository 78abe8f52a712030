"""The compiled module of the CUDA platform: found by the major of jax's own CUDA plugin, loaded when first needed."""

from __future__ import annotations

import atexit
import functools
import importlib
import importlib.util
import logging
import os
import pathlib
from types import ModuleType

__all__ = ["cuda_module", "plugin_major"]

logger = logging.getLogger("jaxdali")


def plugin_major() -> int | None:
    """The major version of the CUDA that jax's plugin was built for; None where there is no plugin."""
    for major in (13, 12):
        if importlib.util.find_spec(f"jax_cuda{major}_plugin") is not None:
            return major
    return None


@functools.cache
def cuda_module() -> ModuleType | None:
    """The module with the CUDA platform's custom calls, libnvjpeg being open; None where this process cannot have it.

    Why not is logged, once, where jax has a CUDA plugin.
    """
    major = plugin_major()
    if major is None:
        return None
    try:
        module = importlib.import_module(f"jaxdali._ffi._cuda{major}")
        library = module.open_nvjpeg(_candidates(major))
    except (ImportError, RuntimeError) as error:
        logger.warning("nothing is decoded on GPUs: %s", error)
        return None
    logger.info("decoding on GPUs with %s", library)
    # While CUDA is still there.
    atexit.register(module.destroy_idle_decoders)
    return module


def _candidates(major: int) -> list[str]:
    """Where libnvjpeg may be: NVIDIA's wheels beside jax's plugin, what the loader finds, the toolkit."""
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
