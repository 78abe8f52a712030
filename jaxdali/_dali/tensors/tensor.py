"""One sample, or a batch of samples of one shape: DALI's `TensorCPU` and `TensorGPU`."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from jaxdali._base.dtypes import DALIDataType, from_numpy_type
from jaxdali._feed.source.collate import as_sample
from jaxdali.errors import ConfigError

__all__ = ["TensorCPU", "TensorGPU", "checked_layout", "copy_out"]


class _Tensor:
    """What tensors on the host and on a device have in common."""

    def __init__(self, array: Any, layout: str | None, source_info: str):
        self._array = array
        self._layout = checked_layout(layout, array.ndim)
        self._source_info = source_info

    @property
    def dtype(self) -> DALIDataType:
        return from_numpy_type(self._array.dtype)

    def shape(self) -> list[int]:
        return list(self._array.shape)

    def ndim(self) -> int:
        return self._array.ndim

    def layout(self) -> str:
        """Axis names, such as "HWC"; empty if there are none."""
        return self._layout

    def set_layout(self, layout: str | None) -> None:
        """Sets the axis names; None or "" removes them.

        Raises:
            ConfigError: the layout has another length than the rank.
        """
        self._layout = checked_layout(layout, self.ndim())

    def source_info(self) -> str:
        """The path of the file that a reader made the sample from; empty if there is none."""
        return self._source_info

    def get_property(self, name: str) -> str | None:
        """`layout()` or `source_info()` by name; None if it is empty.

        Raises:
            ConfigError: there is no such property.
        """
        properties = {"layout": self._layout, "source_info": self._source_info}
        if name not in properties:
            raise ConfigError(f"a tensor has no property {name!r}; there are {', '.join(properties)}")
        return properties[name] or None

    def squeeze(self, dim: int | None = None) -> bool:
        """Removes an axis of extent 1, or all such axes (None), together with their letters in the layout.

        Returns:
            Whether an axis was removed.

        Raises:
            ConfigError: there is no such axis.
        """
        rank = self.ndim()
        if dim is not None and not -rank <= dim < rank:
            raise ConfigError(f"squeeze({dim}) of a tensor of {rank} dimensions; dim is from {-rank} to {rank - 1}")
        wanted = range(rank) if dim is None else (dim % rank,)
        axes = tuple(axis for axis in wanted if self._array.shape[axis] == 1)
        self._array = self._array.squeeze(axes)
        self._layout = "".join(letter for axis, letter in enumerate(self._layout) if axis not in axes)
        return bool(axes)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(np.asarray(self._array), dtype, copy=copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()

    def __getitem__(self, key: Any) -> Any:
        return self._array[key]

    def __len__(self) -> int:
        return len(self._array)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(dtype={self.dtype}, layout={self._layout!r}, shape={self.shape()})"

    def __str__(self) -> str:
        return f"{self!r}\n{np.asarray(self._array)}"


class TensorCPU(_Tensor):
    """One sample on the host. Reads as an array: `np.asarray(tensor)`, DLPack and the buffer protocol's interface.

    Args:
        array: anything that a source may return.
        layout: axis names, such as "HWC".
        source_info: what it was made from, such as the path of a file.

    Raises:
        ConfigError: the layout has another length than the array's rank.
    """

    def __init__(self, array: object, layout: str | None = None, *, source_info: str = ""):
        if layout is None and isinstance(array, _Tensor):
            layout = array.layout()
        plain = isinstance(array, np.ndarray) and array.dtype.kind in "biuf"
        super().__init__(array if plain else as_sample(array), layout, source_info)

    def as_cpu(self) -> TensorCPU:
        """Returns itself: it is on the host already."""
        return self

    def data_ptr(self) -> int:
        """Address of the first element; valid as long as the tensor."""
        return self._array.ctypes.data

    def copy_to_external(self, ptr: int | ctypes.c_void_p) -> None:
        """Copies the elements, in C order, to host memory, which must have room for all of them.

        Args:
            ptr: its address.
        """
        copy_out(self._array, _address(ptr))

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return self._array.__array_interface__

    def __dlpack__(self, **arguments: Any) -> Any:
        array = self._array
        if "max_version" not in arguments and not array.flags.writeable:
            array = array.copy()  # before DLPack 1.0 arrays could not be marked read-only
        return array.__dlpack__(**arguments)


class TensorGPU(_Tensor):
    """One sample on a GPU, computed by a pipeline. Reads as an array: `jnp.asarray(tensor)`, DLPack, and for CuPy and others
    the CUDA array interface.

    Args:
        array: a `jax.Array`.
        layout, source_info: as in `TensorCPU`.
    """

    def __init__(self, array: object, layout: str | None = None, *, source_info: str = ""):
        super().__init__(array, layout, source_info)

    def as_cpu(self) -> TensorCPU:
        """A copy on the host."""
        return TensorCPU(np.asarray(self._array), self._layout, source_info=self._source_info)

    def data_ptr(self) -> int:
        """Address of the first element on the device, once it is computed; valid as long as the tensor."""
        return self._array.block_until_ready().unsafe_buffer_pointer()

    def device_id(self) -> int:
        """Index of the device among this process's."""
        return next(iter(self._array.devices())).local_hardware_id or 0

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self._array.__cuda_array_interface__

    def __dlpack__(self, **arguments: Any) -> Any:
        return self._array.__dlpack__(**arguments)

    def __jax_array__(self) -> Any:
        return self._array


def checked_layout(layout: str | None, ndim: int) -> str:
    """Returns the layout of samples of `ndim` dimensions; "" for None.

    Raises:
        ConfigError: it has another length.
    """
    if layout and len(layout) != ndim:
        raise ConfigError(f"The layout '{layout}' cannot describe {ndim}-dimensional data")
    return layout or ""


def _address(ptr: object) -> int:
    address = ptr.value if isinstance(ptr, ctypes.c_void_p) else ptr
    if isinstance(address, bool) or not isinstance(address, int) or not address:
        raise ConfigError(
            f"copy_to_external expects the address of memory, an integer or a ctypes.c_void_p, got {ptr!r}"
        )
    return address


def copy_out(array: np.ndarray, ptr: object) -> int:
    """Copies an array's elements to an address; returns the address after them."""
    address, packed = _address(ptr), np.ascontiguousarray(array)
    ctypes.memmove(address, packed.ctypes.data, packed.nbytes)
    return address + packed.nbytes
