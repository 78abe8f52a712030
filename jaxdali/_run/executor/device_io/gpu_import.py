"""Makes arrays in GPU memory from other libraries usable by the device function, never through the host."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from jaxdali._base.aliases import Device
from jaxdali._base.interruptions import raised_by_handler
from jaxdali._feed.source.gpu_batches import Held
from jaxdali.errors import SourceDataError
from .cuda_streams import cupy_module, stream_of
from .padding import check_alike, padded

__all__ = ["adopt"]

# XLA's kernels require addresses that are multiples of this.
_ALIGNMENT = 128


def adopt(value: Any, stream: Any = None, copy: bool = True, use_copy_kernel: bool = False) -> Held:
    """Returns a batch in the memory of one GPU as a JAX array.

    It reads what the stream's work so far has written. With `copy` the caller may write to the batch again in that
    stream as soon as this returns. A `jax.Array` is never copied.

    Args:
        value: an array `[n, ...]` with `__dlpack__` or `__cuda_array_interface__`, or a list of n such samples, which
            may differ in shape.
        stream: see `stream_of`.
        copy: False: the array itself is read when the batch is computed, if XLA can: it must be contiguous, of a type
            that JAX has, and start at a multiple of 128 bytes.
        use_copy_kernel: copies a single array with a kernel, not with the copy engine. Lists are always copied by
            kernels.

    Raises:
        SourceDataError: `value` is not such a batch.
        ConfigError: `stream` is not a stream.
        BackendUnavailable: CuPy is not installed.
    """
    if isinstance(value, jax.Array):
        if len(value.devices()) > 1:
            raise SourceDataError(
                "a batch is on one GPU, but this jax.Array is sharded; feed each of its parts to a pipeline of its own"
            )
        return Held(_checked(value))
    samples = list(value) if isinstance(value, list | tuple) else None
    first = value if samples is None else samples[0]
    device = _device_of(first)
    work = stream_of(stream, first, device)
    # Before the block below changes the current stream: producers let their consumer wait for the caller's current
    # stream.
    given = [_given(sample, work.stream.ptr) for sample in ([value] if samples is None else samples)]
    with cupy_module().cuda.Device(device), work.stream:
        views = [_view(sample, device) for sample in given]
        if samples is None:
            taken, shapes = _one(views[0], copy, use_copy_kernel), None
        else:
            taken, shapes = _several(views)
        # JAX makes its own stream wait for this one.
        held = Held(_checked(jax.dlpack.from_dlpack(taken)), shapes)
        if work.waits and copy:
            work.stream.synchronize()
    return held


def _device_of(value: Any) -> int:
    if hasattr(value, "__dlpack_device__"):
        return int(value.__dlpack_device__()[1])
    return cupy_module().asarray(value).device.id


class _Given:
    """An array already exported by its producer, as a DLPack capsule."""

    def __init__(self, capsule: Any, device: Device):
        self._capsule, self._device = capsule, device

    def __dlpack__(self, **_: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> Any:
        return self._device


def _given(value: Any, stream: int) -> Any:
    """Returns a CuPy array, or an object that CuPy can import. The producer makes `stream` wait for its own work."""
    cupy = cupy_module()
    if isinstance(value, cupy.ndarray):
        return value
    try:
        if hasattr(value, "__dlpack__"):
            # DLPack calls the default stream 1.
            return _Given(value.__dlpack__(stream=stream or 1), value.__dlpack_device__())
        return cupy.asarray(value)  # waits for the stream that the interface names
    except Exception as error:
        if raised_by_handler(error):
            raise
        raise SourceDataError(
            f"a {type(value).__name__} in GPU memory cannot be converted to an array: {type(error).__name__}: {error}"
        ) from error


def _view(value: Any, device: int) -> Any:
    """Returns a CuPy view of what `_given` returned."""
    cupy = cupy_module()
    try:
        found = value if isinstance(value, cupy.ndarray) else cupy.from_dlpack(value)
    except Exception as error:  # such as a type that CuPy does not have
        if raised_by_handler(error):
            raise
        raise SourceDataError(
            f"an array in GPU memory cannot be converted to a CuPy array: {type(error).__name__}: {error}"
        ) from error
    if found.device.id != device:
        raise SourceDataError(
            f"the samples of a batch are on several GPUs: {device} and {found.device.id}; copy them to one"
        )
    if found.dtype.kind not in "buif" or found.dtype.itemsize > 8:
        raise SourceDataError(
            f"an array in GPU memory is of dtype {found.dtype}; expected bool, integers, or floats of 16 to 64 bits"
        )
    return found


def _one(array: Any, copy: bool, use_copy_kernel: bool) -> Any:
    cupy = cupy_module()
    if array.ndim == 0:
        raise SourceDataError(
            "an array without dimensions holds one value, and is not a batch. A batch is an array [n, ...] or a list of n "
            "arrays"
        )
    wanted = _jax_type(array.dtype)
    readable = array.flags.c_contiguous and array.data.ptr % _ALIGNMENT == 0 and wanted == array.dtype
    if readable and not copy:
        return array
    if readable and not use_copy_kernel:
        return array.copy(order="C")
    own = cupy.empty(array.shape, wanted)
    _copy_kernel()(array, own)
    return own


def _several(samples: Sequence[Any]) -> tuple[Any, np.ndarray | None]:
    check_alike(samples)
    return padded(samples, _jax_type(samples[0].dtype), cupy_module())


def _jax_type(dtype: np.dtype) -> np.dtype:
    wanted = jax.dtypes.canonicalize_dtype(dtype)
    if wanted != dtype and dtype.kind in "iu":
        # Whether the values fit would only be known on the GPU.
        raise SourceDataError(
            f"a batch in GPU memory is of {dtype}, which JAX has only with jax_enable_x64; set that, or convert it to "
            f"{wanted}"
        )
    return wanted


def _checked(array: jax.Array) -> jax.Array:
    if array.ndim == 0 or len(array) == 0:
        raise SourceDataError(f"a batch in GPU memory must have at least one sample, got shape {array.shape}")
    return array


@functools.cache
def _copy_kernel() -> Any:
    return cupy_module().ElementwiseKernel("T source", "U target", "target = source", "jaxdali_copy")
