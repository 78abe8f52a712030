"""From a slot to a device: arrays that read the slot directly if possible, else true copies."""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn, cast

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, Sharding, SingleDeviceSharding

from jaxdali._base.aliases import Device, PyTree
from jaxdali._base.batch import ALIGNMENT
from jaxdali._base.dtypes import UINT8, from_numpy_type
from jaxdali._device.ffi.compat import from_host_dlpack, without_mesh
from jaxdali._device.ffi.cuda import cuda_module
from jaxdali._feed.ring.host_batch import HostColumn
from jaxdali._feed.source.gpu_batches import Held
from jaxdali.errors import BackendUnavailable, ConfigTypeError, SourceDataError
from .padding import padded

__all__ = [
    "Padded",
    "allows_transfers",
    "count_rows",
    "cut",
    "dense_rows",
    "first_rows",
    "host_bytes",
    "host_to_device_guard",
    "lock_pages",
    "mesh_of",
    "only_device",
    "padded_rows",
    "put_arrays",
    "put_column",
    "repeat_last",
    "small_rows",
    "without_settings",
]


# Columns up to this size are copied rather than shown to JAX, and up to the second one shown as NumPy arrays.
_SMALL_BYTES, _VIEWED_BYTES = 1 << 16, 1 << 20

# DLPack's kDLCPU, and kDLCUDAHost: host memory that belongs to a GPU, which JAX calls memory kind pinned_host.
_DLPACK_CPU, _DLPACK_CUDA_HOST = 1, 3


_NOTHING = contextlib.nullcontext()

_A_PAIR = "it is a pair; write data, shapes = batch[leaf]"


class Padded(tuple[Any, Any]):
    """`(data, shapes)`: samples of different shapes, each in the corner of its row of `data: [N, ...]`.

    `shapes: int32[N, ndim]`. Outside a sample, `data` is zero. Only axes in which samples differ are padded.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> NoReturn:
        """Raises AttributeError: only `data` has the attributes of an array."""
        said = "" if name.startswith("_") else f": {_A_PAIR}"
        raise AttributeError(f"a batch whose samples differ in shape has no {name!r}{said}", name=name, obj=self)

    def _refuse(self, *_: object) -> NoReturn:
        raise ConfigTypeError(f"a batch whose samples differ in shape cannot be used as one array: {_A_PAIR}")

    # Otherwise a tuple's operators would repeat or join it, and NumPy would stack it.
    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __truediv__ = __rtruediv__ = __array__ = _refuse


jax.tree_util.register_pytree_node(Padded, lambda p: (tuple(p), None), lambda _, children: Padded(children))


@contextlib.contextmanager
def only_device(device: object) -> Iterator[None]:
    """JAX settings for working on one device. The user's mesh, default device and `disable_jit` are meant for the
    user's programs; with them ours would be refused, run elsewhere, or run operation by operation.
    """
    with jax.default_device(device), jax.set_mesh(mesh_of(device)), jax.disable_jit(False):
        yield


@functools.cache
def mesh_of(device: Device) -> Mesh:
    """Returns the mesh of one device, without axes."""
    return Mesh(np.array(device), ())


def allows_transfers() -> contextlib.AbstractContextManager[object]:
    """Allows explicit transfers to devices: a user's `transfer_guard` is meant for implicit ones."""
    return _lifted(host_to_device_guard())


def _lifted(guard: str | None) -> contextlib.AbstractContextManager[object]:
    return _NOTHING if guard in (None, "allow") else jax.transfer_guard_host_to_device("allow")


def host_to_device_guard() -> str | None:
    """The user's `transfer_guard` of transfers to devices."""
    settings: Any = jax.config  # whose attributes type checkers do not know
    return settings.jax_transfer_guard_host_to_device


def without_settings(device: Device, guard: str | None) -> contextlib.AbstractContextManager[object] | None:
    """JAX's own settings, for the call of a program: `only_device` explains why. Nearly always these hold already, and then
    this is None, since to set anything costs a small batch a tenth of its time.

    Args:
        device: where to run the program, as far as its operands do not say that.
        guard: the user's transfer guard, if NumPy arrays are among its operands. It is lifted, also while the user's
            function is traced. None: there is none to lift.
    """
    settings: Any = jax.config
    # None is JAX's own choice, also where a user has set another one.
    own = None if device == _first_device() else device
    is_plain = own is None and guard in (None, "allow") and not settings.jax_disable_jit
    if is_plain and settings.jax_default_device is None and jax.sharding.get_abstract_mesh().empty:
        return None
    return _default_settings(own, _lifted(guard))


@functools.cache
def _first_device() -> Device:
    return jax.local_devices()[0]


@contextlib.contextmanager
def _default_settings(device: Device | None, guard: contextlib.AbstractContextManager[object]) -> Iterator[None]:
    # As if nothing was set: then JAX finds a program that was compiled so.
    with jax.default_device(device), without_mesh(), jax.disable_jit(False), guard:
        yield


def put_arrays(arrays: object, sharding: Sharding) -> jax.Array:
    """Puts NumPy arrays, in any nesting, with a sharding. Nobody may write to them any more."""
    with allows_transfers():
        # Does the same as `device_put` for a third to two thirds of the cost.
        return jax.tree.map(
            lambda array: jax.make_array_from_callback(array.shape, sharding, array.__getitem__), arrays
        )


def put_column(column: HostColumn, device: Device) -> Padded | jax.Array:
    """Returns a column of arrays in the form that the device function takes: dense or padded."""
    if column.clips is not None:
        return column.clips.array()
    if column.is_held and column.device_batch is not None:
        return _put_held(column.device_batch, column.column.name, device)
    if column.padded:
        return _put_ragged(column, device)
    layout = column.layout
    if device.platform != "cpu":
        lock_pages(column.lease)  # from page-locked memory the copy is several times faster
    elif layout is not None and len(column) and layout.offset % ALIGNMENT == 0 and _is_own_type(column):
        return _alias(column, layout.offset, list(layout.shape), from_numpy_type(column.dtype), device)
    # JAX copies or keeps the array. DLPack from NumPy would be faster, but XLA's threads need Python to release that
    # memory, and a thread that is still computing when the process ends would abort it.
    return jax.device_put(dense_rows(column), device)


def small_rows(column: HostColumn) -> np.ndarray | None:
    """Returns a small uniform column as a NumPy array of a type that JAX has, which nobody writes to; None if it is not
    one.

    Up to 64 KiB copying it costs less than having JAX read the slot. Up to 1 MiB it is a view of the slot, which a program
    takes for less than an array by DLPack, but holds until JAX's next call.
    """
    # Does not depend on how the batch is laid out: a source's first batches are laid out differently from later ones.
    if column.is_held or not len(column) or not column.uniform:
        return None
    size = math.prod(column.dense_shape) * column.dtype.itemsize
    if size > _VIEWED_BYTES:
        return None
    rows = dense_rows(column)
    return rows if rows.flags.writeable or size > _SMALL_BYTES else rows.copy()


def dense_rows(column: HostColumn) -> np.ndarray:
    """Returns a uniform column as a NumPy array of a type that JAX has."""
    return _as_said(column, _narrow(column.dense(), column.column.name))


def count_rows(batch: jax.Array | np.ndarray | Padded) -> int:
    """Returns the number of samples of a batch."""
    return len(batch[0] if isinstance(batch, Padded) else batch)


def repeat_last(batch: PyTree, times: int) -> PyTree:
    """Pads a batch, an array or `Padded`, with `times` copies of its last sample, on its own device."""
    if isinstance(batch, Padded):
        return Padded(repeat_last(part, times) for part in batch)
    rows = np.minimum(np.arange(len(batch) + times), len(batch) - 1).astype(np.int32)
    if isinstance(batch, np.ndarray):
        return batch[rows]
    (device,) = batch.devices()
    with only_device(device):
        return jnp.take(batch, jax.device_put(rows, device), axis=0)


def first_rows(batch: PyTree, rows: int) -> PyTree:
    """Returns the first samples of a batch, an array or `Padded`, on its own device."""
    if isinstance(batch, Padded):
        return Padded(first_rows(part, rows) for part in batch)
    return cut(batch, (0,) * batch.ndim, (rows, *batch.shape[1:]))


def cut(array: jax.Array, starts: Sequence[int], stops: Sequence[int]) -> jax.Array:
    """Returns a part of an array, on its device. Indexing would transfer the index; this transfers nothing."""
    (device,) = array.devices()
    with only_device(device):
        return _slice(array, tuple(starts), tuple(stops))


_slice = jax.jit(jax.lax.slice, static_argnums=(1, 2))


def host_bytes(column: HostColumn, device: Device, holds: bool = True) -> jax.Array:
    """Returns the slot itself as `uint8[1, capacity]`, in the host memory of a device.

    Args:
        holds: whether the slot stays for as long as the array. If not, the array must not be read after the slot.
    """
    shape = [1, column.lease.capacity]
    if device.platform == "cpu":
        return _alias(column, 0, shape, UINT8, device)
    cuda_module()  # without it nothing can be decoded there, and this raises an error that says why
    if lock_pages(column.lease):
        tensor = column.lease.tensor(0, shape, int(UINT8), device.local_hardware_id, _DLPACK_CUDA_HOST, holds)
        return from_host_dlpack(tensor, device, _DLPACK_CUDA_HOST)
    view = np.frombuffer(cast(Any, column.lease), np.uint8).reshape(shape)
    return jax.device_put(view, SingleDeviceSharding(device, memory_kind="pinned_host"))


def lock_pages(lease: Any) -> bool:
    """Page-locks a slot for GPUs on its first use. Returns False for a slot's copy, or if no such memory is left."""
    try:
        return lease.lock(*cuda_module().page_locking())
    except BackendUnavailable:
        return False


def _alias(column: HostColumn, offset: int, shape: list[int], dtype: int, device: Device) -> jax.Array:
    # DLPack, not device_put: the array releases the slot when it is deleted, not at JAX's next call.
    tensor = column.lease.tensor(offset, shape, int(dtype), device.local_hardware_id)
    return from_host_dlpack(tensor, device, _DLPACK_CPU)


def _put_held(held: Held, name: str, device: Device) -> Padded | jax.Array:
    if isinstance(held.data, np.ndarray):
        data = jax.device_put(_narrow(held.data, name), device)
    elif device.platform == "cpu":
        raise SourceDataError(
            f"output {name!r} is in GPU memory, but the pipeline runs on the CPU; give it a device_id, or feed NumPy "
            "arrays"
        )
    else:
        data = jax.device_put(held.data, device)
    return data if held.shapes is None else Padded((data, jax.device_put(held.shapes, device)))


def _put_ragged(column: HostColumn, device: object) -> Padded:
    return Padded(jax.device_put(padded_rows(column), device))


def padded_rows(column: HostColumn) -> tuple[np.ndarray, np.ndarray]:
    """Returns a column of samples of different shapes as the two arrays of `Padded`, of types that JAX has."""
    data, _ = padded(column.samples(), column.dtype, widths=column.widths)
    return _as_said(column, _narrow(data, column.column.name)), column.shapes.astype(np.int32)


def _as_said(column: HostColumn, array: np.ndarray) -> np.ndarray:
    """Reinterprets the array's bits as the column's real type, if NumPy does not have that type."""
    return array.view(jnp.dtype(column.column.bits)) if column.column.bits else array


def _is_own_type(column: HostColumn) -> bool:
    """Whether JAX can read the slot without conversion."""
    return not column.column.bits and jax.dtypes.canonicalize_dtype(column.dtype) == column.dtype


def _narrow(array: np.ndarray, name: str) -> np.ndarray:
    """Converts to 32 bits without x64, as JAX has no 64-bit types then. A number that does not fit is an error."""
    if array.dtype.itemsize <= 4:
        return array
    target = jax.dtypes.canonicalize_dtype(array.dtype)
    if target == array.dtype:
        return array
    if array.dtype.kind in "iu" and array.size:
        limits = np.iinfo(target)
        if array.min() < limits.min or array.max() > limits.max:
            raise SourceDataError(
                f"output {name!r} holds {array.dtype} values from {array.min()} to {array.max()}, which "
                f"do not fit {target}; set jax_enable_x64, or make them smaller"
            )
    try:
        with np.errstate(over="raise"):
            return array.astype(target)
    except FloatingPointError:
        finite = np.abs(array[np.isfinite(array)])
        raise SourceDataError(
            f"output {name!r} holds {array.dtype} values up to {finite.max():g}, which are infinite as {target}; set "
            "jax_enable_x64, or make them smaller"
        ) from None
