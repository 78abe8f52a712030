"""The kernels of `decoder="cuda"` alone, through ctypes: compiled by nvcc from the project's sources."""

from __future__ import annotations

import ctypes
import pathlib
import subprocess
import tempfile
from collections.abc import Sequence

import cupy

__all__ = ["Kernels"]

_HERE = pathlib.Path(__file__).parent
_FFI = _HERE.parent / "ffi"
_SOURCES = (
    *("jpeg/extents.cc", "jpeg/file_header.cc", "jpeg/progression.cc", "jpeg/tables.cc"),
    *("jpeg/plan.cc", "jpeg/prepare.cc", "jpeg/script_plan.cc", "jpeg/kernels.cu"),
)


def _library() -> ctypes.CDLL:
    folder = tempfile.mkdtemp()
    path = f"{folder}/jpeg_kernels.so"
    sources = [*map(str, (_FFI / name for name in _SOURCES)), str(_HERE / "jpeg_kernels.cu")]
    flags = ["-std=c++17", "-O3", "-arch=native", "-Xcompiler", "-fPIC,-O3", "-shared", "-I", str(_FFI)]
    subprocess.run(["nvcc", *flags, "-o", path, *sources], check=True)
    library = ctypes.CDLL(path)
    library.jaxdali_make_job.restype = ctypes.c_void_p
    library.jaxdali_run_job.restype = ctypes.c_double
    return library


class Kernels:
    """One batch of files of one size, decoded to RGB, with files and pixels on the device."""

    _loaded: ctypes.CDLL | None = None

    def __init__(self, files: Sequence[bytes], height: int, width: int):
        Kernels._loaded = Kernels._loaded or _library()
        self._library, self.count = Kernels._loaded, len(files)
        self.pixels = cupy.zeros((self.count, height, width, 3), cupy.uint8)
        addresses = (ctypes.c_char_p * self.count)(*files)
        sizes = (ctypes.c_size_t * self.count)(*map(len, files))
        pixels = ctypes.c_void_p(self.pixels.data.ptr)
        self._job = self._library.jaxdali_make_job(addresses, sizes, self.count, pixels, height, width)
        if not self._job:
            raise RuntimeError("a file is not for these kernels, or CUDA failed")

    def seconds(self, times: int, copies: bool = False, pixels: bool = True) -> float:
        """Seconds per batch, over `times` runs. With `copies` it is copied from page-locked memory each time; without
        `pixels` only coefficients are decoded.
        """
        found = self._library.jaxdali_run_job(ctypes.c_void_p(self._job), times, int(copies), int(pixels))
        if found < 0:
            raise RuntimeError("CUDA failed")
        return found / times

    def refused(self) -> list[int]:
        """The files that the kernels left to the host."""
        verdicts = (ctypes.c_int32 * self.count)()
        self._library.jaxdali_verdicts(ctypes.c_void_p(self._job), verdicts)
        return [index for index, verdict in enumerate(verdicts) if verdict]

    def close(self) -> None:
        """Frees the batch's device memory, except the pixels."""
        self._library.jaxdali_free_job(ctypes.c_void_p(self._job))
