"""The samples of one output of one batch: DALI's `TensorListCPU` and `TensorListGPU`."""

from __future__ import annotations

import ctypes
import html
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from jaxdali._base.dtypes import DALIDataType, from_numpy_type
from jaxdali._base.gallery import MOST_SHOWN, as_html, gallery
from jaxdali._feed.source.collate import as_sample
from jaxdali._feed.source.source_kinds import Source
from jaxdali.errors import ConfigError, ConfigIndexError, ConfigTypeError
from .backing import ArrayBacking, Backing, ListBacking, SlotBacking
from .sample_pictures import are_pictures, sample_cells
from .tensor import TensorCPU, TensorGPU, checked_layout, copy_out

__all__ = ["TensorListCPU", "TensorListGPU"]


class _TensorList:
    """What lists on the host and on a device have in common."""

    def __init__(self, backing: Backing, layout: str | None, stream: tuple[Source, int] | None):
        self._backing = backing
        self._stream = stream
        self._layout = layout or "" if not len(backing) else checked_layout(layout, self.ndim())

    def __len__(self) -> int:
        return len(self._backing)

    def _index(self, index: int) -> int:
        count = len(self)
        if not isinstance(index, int | np.integer):
            raise ConfigTypeError(f"the index of a sample must be an integer, got {index!r:.80}")
        if not -count <= index < count:
            raise ConfigIndexError(f"Index is out-of-range: {index} of a batch of {count}")
        return index % count

    def _source_info(self, index: int) -> str:
        if self._stream is None:
            return ""
        source, first = self._stream
        return source.source_info(first + self._index(index)) or ""

    @property
    def dtype(self) -> DALIDataType:
        return from_numpy_type(self._backing.dtype)

    def shape(self) -> list[tuple[int, ...]]:
        """Shape of every sample."""
        return list(self._backing.shapes())

    def ndim(self) -> int:
        """Dimensions of a sample."""
        return self._backing.ndim() if len(self) else 0

    def layout(self) -> str:
        """Axis names of a sample, such as "HWC"; empty if there are none."""
        return self._layout

    def set_layout(self, layout: str | None) -> None:
        """Sets the axis names; None or "" removes them.

        Raises:
            ConfigError: the layout has another length than the samples' rank.
        """
        self._layout = checked_layout(layout, self.ndim())

    def is_dense_tensor(self) -> bool:
        """Whether all samples have the same shape."""
        return self._backing.uniform()

    def _require_dense(self) -> None:
        if not self.is_dense_tensor():
            raise ConfigError(
                f"the samples do not all have the same shape ({sorted(set(self.shape()))[:4]}...), so they are not one "
                "array; take them one by one with at(index), or resize them in the pipeline"
            )

    def _batch_layout(self) -> str:
        return f"N{self._layout}" if self._layout else ""

    def __repr__(self) -> str:
        shapes, name = _shapes_text(self.shape()), type(self).__name__
        return f"{name}(dtype={self.dtype}, layout={self._layout!r}, num_samples={len(self)}, shape={shapes})"

    def _repr_html_(self) -> str:
        return as_html(self._as_html, self)

    def _as_html(self) -> str:
        shown = min(len(self), MOST_SHOWN)
        if not shown or not are_pictures(np.asarray(self._backing.at(0))):
            return f"<pre>{html.escape(str(self))}</pre>"
        captions = [" ".join(filter(None, (f"{row}:", self._source_info(row)))) for row in range(shown)]
        return gallery(repr(self), sample_cells(lambda row: np.asarray(self._backing.at(row)), captions), len(self))

    def __str__(self) -> str:
        # NumPy leaves out the middle of large arrays; this does the same for large batches.
        shown = [f"{index}: {np.asarray(self._backing.at(index))}" for index in _ends(len(self))]
        if len(shown) < len(self):
            shown.insert(len(shown) // 2, "...")
        return "\n".join([repr(self), *shown])


class TensorListCPU(_TensorList):
    """A batch of samples on the host; they may differ in shape.

    It stays valid and unchanged for as long as it, or anything taken from it, is referenced.

    Args:
        samples: an array `[N, ...]`, a list of arrays or tensors, or another list.
        layout: axis names of a sample, such as "HWC"; None: that of the tensors.
        stream: a source that says what its samples were made from, and the position of the first sample in it.

    Raises:
        ConfigError: the layout has another length than the samples' rank, or samples do not belong together.
    """

    def __init__(self, samples: object, layout: str | None = None, *, stream: tuple[Source, int] | None = None):
        backing: Backing
        if isinstance(samples, TensorListCPU):
            layout = samples.layout() if layout is None else layout
            backing, stream = samples._backing, samples._stream
        elif isinstance(samples, SlotBacking | ArrayBacking):
            backing = samples
        elif isinstance(samples, list | tuple):
            if layout is None and samples and isinstance(samples[0], TensorCPU):
                layout = samples[0].layout()
            backing = ListBacking([as_sample(sample) for sample in samples])
        else:
            array = as_sample(samples)
            if not array.ndim:
                raise ConfigError("a batch has at least one dimension, [N, ...]; got a scalar")
            backing = ArrayBacking(array)
        self._kept: np.ndarray | None = None
        super().__init__(backing, layout, stream)

    @staticmethod
    def broadcast(tensor: TensorCPU, num_samples: int) -> TensorListCPU:
        """Returns a batch that repeats one sample."""
        array = np.asarray(tensor)
        return TensorListCPU(np.broadcast_to(array, (num_samples, *array.shape)), tensor.layout())

    @staticmethod
    def from_dlpack_list(samples: Sequence[object], layout: str | None = None) -> TensorListCPU:
        """Returns a batch of objects in host memory that support DLPack."""
        return TensorListCPU(list(samples), layout)

    def at(self, index: int) -> np.ndarray:
        """Sample `index` as an array, without copying. Read-only if a pipeline made it.

        Raises:
            IndexError: "Index is out-of-range".
        """
        return self._backing.at(self._index(index))

    def __getitem__(self, index: int) -> TensorCPU:
        return TensorCPU(self.at(index), self._layout, source_info=self._source_info(index))

    def __iter__(self) -> Iterator[TensorCPU]:
        return (self[index] for index in range(len(self)))

    def as_array(self) -> np.ndarray:
        """The batch `[N, ...]`.

        Raises:
            ConfigError: samples differ in shape.
        """
        self._require_dense()
        return self._backing.dense()

    def as_tensor(self) -> TensorCPU:
        """The batch as one tensor. Raises as `as_array`."""
        return TensorCPU(self.as_array(), self._batch_layout())

    def as_reshaped_tensor(self, shape: Sequence[int]) -> TensorCPU:
        """The batch as one tensor of another shape, without layout.

        Raises:
            ConfigError: samples differ in shape, or the number of elements does.
        """
        array = self.as_array()
        try:
            reshaped = array.reshape(tuple(shape))
        except ValueError:
            raise ConfigError(f"a batch of shape {array.shape} cannot be reshaped to {tuple(shape)}") from None
        return TensorCPU(reshaped)

    def as_cpu(self) -> TensorListCPU:
        """Returns itself: it is on the host already."""
        return self

    def data_ptr(self) -> int:
        """Address of the batch `[N, ...]`; valid as long as the list.

        Raises:
            ConfigError: samples differ in shape. Each has its own address, `list[index].data_ptr()`.
        """
        if self._kept is None:
            self._kept = np.ascontiguousarray(self.as_array())
        return self._kept.ctypes.data

    def copy_to_external(self, ptr: int | ctypes.c_void_p) -> None:
        """Copies the samples, one after the other, to host memory, which must have room for all of them.

        Args:
            ptr: its address.
        """
        for index in range(len(self)):
            ptr = copy_out(self.at(index), ptr)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.as_array(), dtype, copy=copy)


class TensorListGPU(_TensorList):
    """A batch of samples on a GPU, computed by a pipeline; they may differ in shape. Like DALI's class of that name.

    Args:
        backing: the batch on the device.
        layout: axis names of a sample, such as "HWC".
        stream: as in `TensorListCPU`.
    """

    _backing: ArrayBacking

    def __init__(self, backing: ArrayBacking, layout: str | None = None, *, stream: tuple[Source, int] | None = None):
        self._kept: TensorGPU | None = None
        super().__init__(backing, layout, stream)

    def at(self, index: int) -> Any:
        """Sample `index`, a `jax.Array` on the device.

        Raises:
            IndexError: "Index is out-of-range".
        """
        return self._backing.on_device(self._index(index))

    def __getitem__(self, index: int) -> TensorGPU:
        return TensorGPU(self.at(index), self._layout, source_info=self._source_info(index))

    def __iter__(self) -> Iterator[TensorGPU]:
        return (self[index] for index in range(len(self)))

    def as_tensor(self) -> TensorGPU:
        """The batch `[N, ...]` as one tensor on the device.

        Raises:
            ConfigError: samples differ in shape.
        """
        self._require_dense()
        return TensorGPU(self._backing.dense_on_device(), self._batch_layout())

    @property
    def device_arrays(self) -> list[Any]:
        """The `jax.Array`s that hold the batch: the data, and the shapes if samples may differ in shape."""
        return self._backing.device_arrays

    def as_reshaped_tensor(self, shape: Sequence[int]) -> TensorGPU:
        """The batch as one tensor of another shape, without layout, on the device.

        Raises:
            ConfigError: samples differ in shape, or the number of elements does.
        """
        self._require_dense()
        array = self._backing.dense_on_device()
        try:
            reshaped = array.reshape(tuple(shape))
        except TypeError:
            raise ConfigError(f"a batch of shape {array.shape} cannot be reshaped to {tuple(shape)}") from None
        return TensorGPU(reshaped)

    def data_ptr(self) -> int:
        """Address of the batch `[N, ...]` on the device, once it is computed; valid as long as the list.

        Raises:
            ConfigError: samples differ in shape.
        """
        return self._whole().data_ptr()

    def _whole(self) -> TensorGPU:
        if self._kept is None:
            self._kept = self.as_tensor()
        return self._kept

    def device_id(self) -> int:
        """Index of the device among this process's."""
        return TensorGPU(self._backing.device_arrays[0]).device_id()

    def as_cpu(self) -> TensorListCPU:
        """The batch on the host; copied on first access."""
        return TensorListCPU(self._backing, self._layout, stream=self._stream)


def _shapes_text(shapes: list[tuple[int, ...]]) -> str:
    return f"{len(shapes)} x {shapes[0]}" if len(shapes) > 1 and len(set(shapes)) == 1 else str(shapes)


def _ends(count: int, most: int = 6) -> list[int]:
    return list(range(count)) if count <= most else [*range(most // 2), *range(count - most // 2, count)]
