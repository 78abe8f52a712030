"""nvJPEG alone, through ctypes: only decodes a list of files."""

from __future__ import annotations

import ctypes
import importlib.util
import pathlib

import cupy

__all__ = ["GPU", "HARDWARE", "Nvjpeg"]

# nvjpeg.h: nvjpegBackend_t, nvjpegOutputFormat_t, NVJPEG_FLAGS_...
GPU, HARDWARE = 2, 3
_RGBI, _INTERPOLATE = 5, 1 << 5


class _Image(ctypes.Structure):
    _fields_ = (("channel", ctypes.c_void_p * 4), ("pitch", ctypes.c_size_t * 4))


def _library() -> ctypes.CDLL:
    namespace = importlib.util.find_spec("nvidia")
    roots = list(namespace.submodule_search_locations or ()) if namespace else []
    paths = [p for root in roots for p in sorted(pathlib.Path(root).glob("*/lib/libnvjpeg.so.*"))]
    for path in [*paths, "libnvjpeg.so.13", "libnvjpeg.so.12"]:
        try:
            return ctypes.CDLL(str(path))
        except OSError:
            continue
    raise SystemExit("libnvjpeg was not found")


class Nvjpeg:
    """Decodes batches of files of one size to interleaved RGB, with the GPU's JPEG engine (HARDWARE) or kernels (GPU),
    as shown in its documentation: one handle, one state, its own pipeline, `nvjpegDecodeBatched`.
    """

    def __init__(self, batch: int, height: int, width: int, backend: int = HARDWARE):
        self._library, self._batch = _library(), batch
        self._handle, self._state = ctypes.c_void_p(), ctypes.c_void_p()
        self.pixels = cupy.zeros((batch, height, width, 3), cupy.uint8)
        self._images = (_Image * batch)()
        for index, image in enumerate(self._images):
            image.channel[0] = self.pixels[index].data.ptr
            image.pitch[0] = width * 3
        self._call("nvjpegCreateEx", backend, None, None, _INTERPOLATE, ctypes.byref(self._handle))
        self._call("nvjpegJpegStateCreate", self._handle, ctypes.byref(self._state))
        self._call("nvjpegDecodeBatchedInitialize", self._handle, self._state, batch, 8, _RGBI)
        self._stream = cupy.cuda.Stream(non_blocking=True)

    def prepare(self, files: list[tuple[int, int]]) -> tuple:
        """Converts the address and size of each file to the form that `decode` takes."""
        addresses, sizes = zip(*files, strict=True)
        return (ctypes.c_void_p * self._batch)(*addresses), (ctypes.c_size_t * self._batch)(*sizes)

    def decode(self, prepared: tuple) -> None:
        """Decodes a batch to `pixels` and waits for it."""
        pointers, sizes = prepared
        stream = ctypes.c_void_p(self._stream.ptr)
        self._call("nvjpegDecodeBatched", self._handle, self._state, pointers, sizes, self._images, stream)
        self._stream.synchronize()

    def _call(self, name: str, *arguments) -> None:
        status = getattr(self._library, name)(*arguments)
        if status:
            raise RuntimeError(f"{name} returned status {status}")
