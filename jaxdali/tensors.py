"""What `Pipeline.run` returns: lists of samples on the host, DALI's `TensorListCPU` and `TensorCPU`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from .errors import ConfigError
from .source.collate import as_sample
from .types import DALIDataType, from_numpy_type
from .workers.collect import HostColumn

__all__ = ["TensorCPU", "TensorListCPU", "TensorListGPU"]


class Backing(Protocol):
    """Where the samples of a list lie."""

    dtype: np.dtype[Any]

    def __len__(self) -> int: ...
    def shapes(self) -> list[tuple[int, ...]]: ...
    def uniform(self) -> bool: ...
    def at(self, index: int) -> np.ndarray: ...
    def dense(self) -> np.ndarray: ...


class SlotBacking:
    """Samples in a leased slot, as the source made them."""

    def __init__(self, column: HostColumn):
        self.dtype = column.dtype
        self._column = column

    def __len__(self) -> int:
        return len(self._column)

    def shapes(self) -> list[tuple[int, ...]]:
        return list(map(tuple, self._column.shapes.tolist()))

    def uniform(self) -> bool:
        return self._column.uniform

    def at(self, index: int) -> np.ndarray:
        return self._column.at(index)

    def dense(self) -> np.ndarray:
        return self._column.dense()


class ArrayBacking:
    """Samples computed by the device function: a batch `[N, ...]`, perhaps a canvas with shapes."""

    def __init__(self, data: Any, shapes: Any = None):
        self.dtype = np.dtype(data.dtype)
        self._data = data
        self._host: np.ndarray | None = None
        self._device_shapes = shapes
        self._shapes: list[tuple[int, ...]] | None = None

    def __len__(self) -> int:
        return self._data.shape[0]

    def shapes(self) -> list[tuple[int, ...]]:
        if self._shapes is None:
            if self._device_shapes is None:
                self._shapes = [tuple(self._data.shape[1:])] * len(self)
            else:  # waits for the device, so only where it is asked for
                self._shapes = list(map(tuple, np.asarray(self._device_shapes).tolist()))
        return self._shapes

    def uniform(self) -> bool:
        return self._device_shapes is None or len(set(self.shapes())) <= 1

    def _whole(self) -> np.ndarray:
        if self._host is None:
            self._host = np.asarray(self._data)
        return self._host

    def at(self, index: int) -> np.ndarray:
        return self._whole()[(index, *map(slice, self.shapes()[index]))]

    def on_device(self, index: int) -> Any:
        return self._data[(index, *map(slice, self.shapes()[index]))]

    def dense(self) -> np.ndarray:
        return self._whole()[(slice(None), *map(slice, self.shapes()[0]))] if len(self) else self._whole()


class ListBacking:
    """Samples that the user handed in."""

    def __init__(self, samples: Sequence[np.ndarray]):
        for index, sample in enumerate(samples):
            if (sample.dtype, sample.ndim) != (samples[0].dtype, samples[0].ndim):
                raise ConfigError(
                    "All tensors in a batch must have the same type and number of dimensions: the first is "
                    f"{samples[0].dtype} with {samples[0].ndim}, number {index} is {sample.dtype} with {sample.ndim}"
                )
        self.dtype = samples[0].dtype if samples else np.dtype(np.uint8)
        self._samples = samples

    def __len__(self) -> int:
        return len(self._samples)

    def shapes(self) -> list[tuple[int, ...]]:
        return [sample.shape for sample in self._samples]

    def uniform(self) -> bool:
        return len(set(self.shapes())) <= 1

    def at(self, index: int) -> np.ndarray:
        return self._samples[index]

    def dense(self) -> np.ndarray:
        return np.stack(self._samples) if self._samples else np.zeros((0,), self.dtype)


class TensorCPU:
    """One sample on the host. Reads as an array: `np.asarray(tensor)`, DLPack and the buffer protocol's interface.

    Args:
        array: anything that a source may return.
        layout: axis names, such as "HWC".

    Raises:
        ConfigError: the layout has another length than the array's rank.
    """

    def __init__(self, array: Any, layout: str = ""):
        self._array = as_sample(array) if not isinstance(array, np.ndarray) else array
        if layout and len(layout) != self._array.ndim:
            raise ConfigError(f"The layout '{layout}' cannot describe {self._array.ndim}-dimensional data")
        self._layout = layout

    @property
    def dtype(self) -> DALIDataType:
        return from_numpy_type(self._array.dtype)

    def shape(self) -> list[int]:
        return list(self._array.shape)

    def layout(self) -> str:
        return self._layout

    def ndim(self) -> int:
        return self._array.ndim

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return self._array.__array_interface__

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self._array, dtype, copy=copy)

    def __dlpack__(self, **arguments: Any) -> Any:
        array = self._array
        if "max_version" not in arguments and not array.flags.writeable:
            array = array.copy()  # before DLPack 1.0 nothing can be said to be read-only
        return array.__dlpack__(**arguments)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()

    def __getitem__(self, key: Any) -> Any:
        return self._array[key]

    def __len__(self) -> int:
        return len(self._array)

    def __repr__(self) -> str:
        return f"TensorCPU(dtype={self.dtype}, layout={self._layout!r}, shape={self.shape()})"


class TensorListCPU:
    """A batch of samples on the host; they may differ in shape.

    It stays valid and unchanged for as long as it, or anything taken from it, is referenced.

    Args:
        samples: an array `[N, ...]` or a list of arrays.
        layout: axis names of a sample, such as "HWC".

    Raises:
        ConfigError: the layout has another length than the samples' rank.
    """

    def __init__(self, samples: Any, layout: str = ""):
        backing: Backing
        if isinstance(samples, SlotBacking | ArrayBacking):
            backing = samples
        elif isinstance(samples, list | tuple):
            backing = ListBacking([as_sample(sample) for sample in samples])
        else:
            array = as_sample(samples)
            if not array.ndim:
                raise ConfigError("a batch has at least one dimension, [N, ...]; got a scalar")
            backing = ArrayBacking(array)
        self._backing = backing
        self._layout = layout
        if layout and len(backing) and len(layout) != self.ndim():
            raise ConfigError(f"The layout '{layout}' cannot describe {self.ndim()}-dimensional data")

    def __len__(self) -> int:
        return len(self._backing)

    def _index(self, index: int) -> int:
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"Index is out-of-range: {index} of a batch of {count}")
        return index % count

    def at(self, index: int) -> np.ndarray:
        """Sample `index` as an array, without copying. Read-only where a pipeline made it.

        Raises:
            IndexError: "Index is out-of-range".
        """
        return self._backing.at(self._index(index))

    def __getitem__(self, index: int) -> TensorCPU:
        return TensorCPU(self.at(index), self._layout)

    def __iter__(self) -> Iterator[TensorCPU]:
        return (self[index] for index in range(len(self)))

    @property
    def dtype(self) -> DALIDataType:
        return from_numpy_type(self._backing.dtype)

    def shape(self) -> list[tuple[int, ...]]:
        """Shape of every sample."""
        return list(self._backing.shapes())

    def ndim(self) -> int:
        return len(self._backing.shapes()[0]) if len(self) else 0

    def layout(self) -> str:
        return self._layout

    def is_dense_tensor(self) -> bool:
        """All samples have one shape."""
        return self._backing.uniform()

    def as_array(self) -> np.ndarray:
        """The batch `[N, ...]`.

        Raises:
            ConfigError: samples differ in shape.
        """
        if not self.is_dense_tensor():
            raise ConfigError(
                f"the samples do not all have the same shape ({sorted(set(self.shape()))[:4]}...), so they are no array; "
                "take them one by one with at(index), or resize them in the pipeline"
            )
        return self._backing.dense()

    def as_tensor(self) -> TensorCPU:
        """The batch as one tensor. Raises as `as_array`."""
        return TensorCPU(self.as_array(), f"N{self._layout}" if self._layout else "")

    def as_cpu(self) -> TensorListCPU:
        """Itself: it is on the host."""
        return self

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.as_array(), dtype, copy=copy)

    def __repr__(self) -> str:
        shapes = _shapes_text(self.shape())
        return f"TensorListCPU(dtype={self.dtype}, layout={self._layout!r}, num_samples={len(self)}, shape={shapes})"


class TensorListGPU:
    """A batch of samples on a GPU, computed by a pipeline; they may differ in shape. DALI's class of that name.

    Args:
        backing: the batch on the device.
        layout: axis names of a sample, such as "HWC".
    """

    def __init__(self, backing: ArrayBacking, layout: str = ""):
        self._backing = backing
        self._layout = layout

    def __len__(self) -> int:
        return len(self._backing)

    def at(self, index: int) -> Any:
        """Sample `index`, a `jax.Array` on the device.

        Raises:
            IndexError: "Index is out-of-range".
        """
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"Index is out-of-range: {index} of a batch of {count}")
        return self._backing.on_device(index % count)

    def __getitem__(self, index: int) -> Any:
        return self.at(index)

    @property
    def dtype(self) -> DALIDataType:
        return from_numpy_type(self._backing.dtype)

    def shape(self) -> list[tuple[int, ...]]:
        """Shape of every sample."""
        return list(self._backing.shapes())

    def layout(self) -> str:
        return self._layout

    def is_dense_tensor(self) -> bool:
        """All samples have one shape."""
        return self._backing.uniform()

    def as_cpu(self) -> TensorListCPU:
        """The batch on the host; copied when it is first looked at."""
        return TensorListCPU(self._backing, self._layout)

    def __repr__(self) -> str:
        shapes = _shapes_text(self.shape())
        return f"TensorListGPU(dtype={self.dtype}, layout={self._layout!r}, num_samples={len(self)}, shape={shapes})"


def _shapes_text(shapes: list[tuple[int, ...]]) -> str:
    return f"{len(shapes)} x {shapes[0]}" if len(shapes) > 1 and len(set(shapes)) == 1 else str(shapes)
