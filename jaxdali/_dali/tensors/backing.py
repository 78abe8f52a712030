"""Where the samples of a tensor list are stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali._feed.ring.host_batch import HostColumn
from jaxdali.errors import ConfigError

__all__ = ["ArrayBacking", "Backing", "ListBacking", "SlotBacking"]


class Backing(Protocol):
    """Storage of the samples of a list."""

    dtype: np.dtype

    def __len__(self) -> int: ...
    def ndim(self) -> int: ...
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

    def ndim(self) -> int:
        return self._column.ndim

    def shapes(self) -> list[tuple[int, ...]]:
        if self._column.layout is not None:
            return [self._column.layout.shape[1:]] * len(self)
        return list(map(tuple, self._column.shapes.tolist()))

    def uniform(self) -> bool:
        return self._column.uniform

    def at(self, index: int) -> np.ndarray:
        return self._column.at(index)

    def dense(self) -> np.ndarray:
        return self._column.dense()


class ArrayBacking:
    """Samples computed by the device function: a batch `[N, ...]`, perhaps a canvas with shapes."""

    def __init__(self, data: Array, shapes: Any = None):
        self.dtype = np.dtype(data.dtype)
        self._data = data
        self._host: np.ndarray | None = None
        self._device_shapes = shapes
        self._shapes: list[tuple[int, ...]] | None = None

    def __len__(self) -> int:
        return self._data.shape[0]

    def ndim(self) -> int:
        # The rank of a device array is known before its values are computed.
        return len(self._data.shape) - 1 if self._device_shapes is None else self._device_shapes.shape[1]

    def shapes(self) -> list[tuple[int, ...]]:
        if self._shapes is None:
            if self._device_shapes is None:
                self._shapes = [tuple(self._data.shape[1:])] * len(self)
            else:  # waits for the device, so only done when shapes are asked for
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

    @property
    def device_arrays(self) -> list[Any]:
        """The arrays on the device that make up the batch."""
        return [self._data] if self._device_shapes is None else [self._data, self._device_shapes]

    def on_device(self, index: int) -> Any:
        return self._data[(index, *map(slice, self.shapes()[index]))]

    def dense_on_device(self) -> Any:
        return self._data[(slice(None), *map(slice, self.shapes()[0]))] if len(self) else self._data

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

    def ndim(self) -> int:
        return self._samples[0].ndim

    def shapes(self) -> list[tuple[int, ...]]:
        return [sample.shape for sample in self._samples]

    def uniform(self) -> bool:
        return len(set(self.shapes())) <= 1

    def at(self, index: int) -> np.ndarray:
        return self._samples[index]

    def dense(self) -> np.ndarray:
        return np.stack(self._samples) if self._samples else np.zeros((0,), self.dtype)
