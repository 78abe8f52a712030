"""Columns that come from no source: intermediate results of a batch, on the host or on the device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.host_batch import HostColumn
from jaxdali._feed.source.gpu_batches import Held
from .padding import padded

__all__ = ["MadeColumn", "host_samples"]


class MadeColumn(HostColumn):
    """A batch of one output that is in no slot.

    Args:
        column: what is known about it.
        data: `[N, ...]`, a NumPy array, or an array on a device other than the host.
        own: `int[N, ndim]`, the shape of each sample; None: samples fill their rows.
        wide: the 64-bit type of the numbers if JAX has them in 32 bits, else None.
    """

    def __init__(self, column: Column, data: Any, own: np.ndarray | None = None, wide: np.dtype | None = None):
        dtype = np.dtype(data.dtype)
        super().__init__(column, cast(Any, None), dtype, None, data.ndim - 1, None)
        self.wide = wide
        self._data = data
        self._own = own

    @classmethod
    def of_samples(cls, column: Column, samples: Sequence[np.ndarray], like: MadeColumn | None) -> MadeColumn:
        """Makes a column from samples of one type and rank.

        Args:
            like: an earlier batch; a batch without samples gets its type and rank.
        """
        if not samples:
            shape = (0,) if like is None else (0, *[1] * like.ndim)
            return cls(column, np.zeros(shape, np.uint8 if like is None else like.dtype))
        if all(sample.shape == samples[0].shape for sample in samples):
            return cls(column, np.stack(samples))
        data, shapes = padded(samples, samples[0].dtype)
        return cls(column, data, shapes)

    def __len__(self) -> int:
        return len(self._data)

    @property
    def is_held(self) -> bool:
        return True

    @property
    def device_batch(self) -> Held:  # type: ignore[override]
        return Held(self._data, None if self._own is None else self._own.astype(np.int32))

    @property
    def shapes(self) -> np.ndarray:  # type: ignore[override]
        if self._own is None:
            return np.tile(np.asarray(self._data.shape[1:], np.int64), (len(self), 1))
        return self._own

    @property
    def uniform(self) -> bool:
        return self._own is None or not len(self) or bool((self._own == self._own[0]).all())

    @property
    def padded(self) -> bool:
        return not self.uniform

    @property
    def dense_shape(self) -> tuple[int, ...]:
        return (len(self), *self.shapes[0].tolist()) if len(self) else self._data.shape

    def at(self, index: int) -> np.ndarray:
        return np.asarray(self._data[(index, *map(slice, self.shapes[index]))])

    def dense(self) -> np.ndarray:
        whole = np.asarray(self._data)
        return whole[tuple(map(slice, self.dense_shape))]


def host_samples(column: HostColumn, dtype: np.dtype | None) -> list[np.ndarray]:
    """Returns the samples of a column, each a separate writable array.

    Args:
        dtype: the type they should have; None: their own.
    """
    held = column.device_batch
    if held is None:
        return [np.array(column.at(index), dtype) for index in range(len(column))]
    data, shapes = np.asarray(held.data), None if held.shapes is None else np.asarray(held.shapes)
    return [np.array(row if shapes is None else row[tuple(map(slice, shapes[k]))], dtype) for k, row in enumerate(data)]
