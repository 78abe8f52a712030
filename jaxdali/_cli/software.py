"""Reports what was built, what is installed, and which devices there are."""

from __future__ import annotations

import ctypes
import importlib.metadata
import importlib.util
import os
import pathlib
import platform
from collections.abc import Sequence
from typing import Any

from jaxdali._base.aliases import Device
from jaxdali._base.documentation import page_url
from jaxdali.errors import BackendUnavailable
from .findings import Section
from .numbers import bytes_text

__all__ = ["advice_about_gpus", "inspect_devices", "inspect_software", "own_version"]

_PACKAGES = ("jax", "jaxlib", "numpy", "pillow")
_OPTIONAL = ("jax-cuda12-plugin", "jax-cuda13-plugin", "flax", "matplotlib", "tqdm")


def inspect_software() -> Section:
    """Reports versions and the compiled modules. Starts no JAX backend."""
    section = Section("software")
    section.add("jaxdali", own_version())
    section.add("Python", f"{platform.python_version()} ({platform.python_implementation()})")
    for name in _PACKAGES:
        section.add(name, _version(name) or "missing")
    for name in _OPTIONAL:
        if (version := _version(name)) is not None:
            section.add(name, version)
    _add_modules(section)
    return section


def own_version() -> str:
    """Returns the version of jaxdali; and where it lies, if that is not where it was installed."""
    here = pathlib.Path(__file__).resolve().parents[2]
    try:
        installed = importlib.metadata.distribution("jaxdali")
    except importlib.metadata.PackageNotFoundError:
        return f"not installed, used in {here}"
    if pathlib.Path(str(installed.locate_file(""))).resolve() == here:
        return installed.version
    return f"{installed.version} when it was installed, used in {here}"


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _add_modules(section: Section) -> None:
    from jaxdali._device.ffi import cuda, load, plugin

    again = "Reinstall jaxdali: pip install --force-reinstall --no-deps jaxdali."
    try:
        importlib.import_module("jaxdali._feed._host")
        section.add("ring (_host)", "built, loads")
    except ImportError as error:
        section.fail("ring (_host)", f"does not load: {error}", again)
    try:
        targets = ", ".join(sorted(load.cpu_module().registrations()))
        section.add("CPU calls (_cpu)", f"built, loads: {targets}")
    except BackendUnavailable as error:
        section.fail("CPU calls (_cpu)", f"missing: {error}", again)
    built = [major for major in (12, 13) if importlib.util.find_spec(f"jaxdali._device.ffi._cuda{major}") is not None]
    section.add("CUDA calls", ", ".join(f"built for CUDA {major}" for major in built) or "not built")
    if os.path.exists("/dev/nvidiactl"):
        section.advice += advice_about_gpus(platform.machine(), built, plugin.plugin_major())
    if plugin.plugin_major() is None or (not built and platform.machine() == "aarch64"):
        return
    try:
        cuda.cuda_module()
    except BackendUnavailable as error:
        section.fail("nvJPEG", f"cannot be used: {error}", "Nothing is decoded on GPUs until the CUDA calls load.")
    else:
        section.add("nvJPEG", f"{_nvjpeg_version(cuda.nvjpeg_library())}, {cuda.nvjpeg_library()}")
        without = "not built: the toolkit has no nvtx3"
        section.add("NVTX", "ranges of the decode engine's threads" if cuda.cuda_module().has_nvtx else without)


def advice_about_gpus(machine: str, built: Sequence[int], plugin: int | None) -> list[str]:
    """Returns what to do on a machine with an NVIDIA GPU.

    Args:
        machine: as `platform.machine()` says it.
        built: the versions of CUDA that this jaxdali has calls for.
        plugin: that of jax's plugin.
    """
    found = []
    if plugin is None:
        major = built[-1] if built else 13
        found.append(f"There is an NVIDIA GPU, but jax has no CUDA plugin: pip install 'jaxdali[cuda{major}]'.")
    if not built and machine == "aarch64":
        found.append(
            "There is an NVIDIA GPU, but the wheels for aarch64 are for CPUs only, so images are decoded on the CPU. With a "
            "CUDA toolkit that has nvcc and nvjpeg.h, pip install --no-binary jaxdali jaxdali builds the calls for GPUs: "
            f"{page_url('versions', 'machines')}"
        )
    return found


def _nvjpeg_version(library: str) -> str:
    # Calls nvjpegGetProperty with MAJOR_VERSION, MINOR_VERSION and PATCH_LEVEL of library_types.h.
    ask = ctypes.CDLL(library).nvjpegGetProperty
    value, numbers = ctypes.c_int(), []
    for which in range(3):
        if ask(which, ctypes.byref(value)) != 0:
            return "of unknown version"
        numbers.append(value.value)
    return ".".join(map(str, numbers))


def inspect_devices() -> Section:
    """Reports the devices of jax; starts its backends."""
    import jax

    from jaxdali._device.ffi import plugin, queues
    from jaxdali._device.ffi.compat import local_gpus

    section = Section("devices")
    section.add("default", str(jax.devices()[0]))
    for device in [*local_gpus(), *jax.local_devices(backend="cpu")]:
        section.add(str(device), _about(device))
    if plugin.plugin_major() is None:
        return section
    if local_gpus() and (library := _loaded_nvjpeg()) is not None:
        section.add("JPEG engine", jpeg_engine(library))
    section.add("hardware queues", f"{queues.in_effect()} ({queues.VARIABLE})")
    if queues.in_effect() < queues.MOST:
        section.advice.append(
            "Decoders wait behind the training step in the GPU's hardware queues: import jaxdali before the GPU is "
            f"first used, or set {queues.VARIABLE}={queues.MOST}."
        )
    if not local_gpus() and "cpu" not in os.environ.get("JAX_PLATFORMS", ""):
        section.advice.append("jax has a CUDA plugin, but finds no GPU: see what `nvidia-smi` says.")
    return section


def _loaded_nvjpeg() -> Any:
    from jaxdali._device.ffi import cuda

    try:
        cuda.cuda_module()
        return ctypes.CDLL(cuda.nvjpeg_library())
    except (BackendUnavailable, OSError):  # the section on software reports this already
        return None


# Constants of nvjpeg.h.
_BACKEND_HARDWARE = 3
_SUCCESS, _NO_SUCH_ENGINE = 0, (7, 9)  # ARCH_MISMATCH, IMPLEMENTATION_NOT_SUPPORTED


def jpeg_engine(library: Any) -> str:
    """Says whether the first GPU has an engine for JPEG files, and what that means for decoders.

    Args:
        library: libnvjpeg; it is asked for a decoder that uses the engine.
    """
    handle = ctypes.c_void_p()
    status = library.nvjpegCreateEx(_BACKEND_HARDWARE, None, None, 0, ctypes.byref(handle))
    if status == _SUCCESS:
        library.nvjpegDestroy(handle)
        return 'yes, for decoder="hardware"; the default, "cuda", does not use it'
    if status in _NO_SUCH_ENGINE:
        return 'none, so decoder="hardware" is nvJPEG\'s "gpu" here; the default, "cuda", needs none'
    return f"not known: nvjpegCreateEx returned {status}"


def _about(device: Device) -> str:
    statistics = device.memory_stats() if device.platform != "cpu" else None
    memory = f", {bytes_text(statistics['bytes_limit'])} for jax" if statistics else ""
    return f"{device.device_kind}{memory}"
