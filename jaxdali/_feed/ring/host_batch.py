"""A complete slot, read as columns without copying: one per output, dense or ragged."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, NamedTuple, Protocol, cast

import numpy as np

from jaxdali._base.batch import Status
from jaxdali._base.dtypes import DALIDataType, to_numpy_type
from jaxdali.errors import SampleOrigin
from .. import _host
from ..source.gpu_batches import Held
from ..source.source_kinds import Source
from .columns import Column

__all__ = ["DecodedClips", "Dense", "HostBatch", "HostColumn"]


class DecodedClips(Protocol):
    """The clips of a column, which an engine decodes. `shapes`: `int32[N, 4]`, those of the clips."""

    shapes: np.ndarray

    def wait(self, seconds: float) -> bool: ...
    def array(self, sharding: Any = None) -> Any: ...


class Dense(NamedTuple):
    """Samples of one shape, stored consecutively: `[N, ...]`, from `offset` bytes after the start of the lease."""

    offset: int
    shape: tuple[int, ...]


@dataclasses.dataclass(eq=False)
class HostColumn:
    """The samples of one output of one batch, in a leased slot.

    Attributes:
        column: what was declared.
        lease: keeps the memory alive; every view below holds it too.
        dtype: of all samples (for encoded images: of their files; see `dtype_at`).
        records: what was written about each sample (`slot_reader.RECORD`); None if `layout` says it all.
        ndim: of the samples; for an encoded column the largest.
        layout: None if the samples are not dense.
        widths: sizes that their first axis may be padded to, the smallest that holds them is used; empty: any size.
        clips: of a column of packed clips, what decodes them; None: they are not being decoded yet.
    """

    column: Column
    lease: _host.Lease
    dtype: np.dtype
    records: np.ndarray | None
    ndim: int
    layout: Dense | None
    widths: tuple[int, ...] = ()
    clips: DecodedClips | None = None

    def __post_init__(self) -> None:
        self.widths = self.column.extents

    def __len__(self) -> int:
        return self.layout.shape[0] if self.records is None and self.layout is not None else len(self._rows)

    @property
    def _rows(self) -> np.ndarray:
        assert self.records is not None
        return self.records

    @functools.cached_property
    def offsets(self) -> np.ndarray:
        """uint64[N], bytes from the start of the lease; multiples of the element size."""
        if self.layout is None:
            return self._rows["offset"]
        return np.uint64(self.layout.offset) + self.sizes * np.arange(len(self), dtype=np.uint64)

    @functools.cached_property
    def sizes(self) -> np.ndarray:
        """uint64[N], bytes."""
        if self.layout is None:
            return self._rows["size_bytes"]
        return np.full(len(self), int(np.prod(self.layout.shape[1:], dtype=np.int64)) * self.dtype.itemsize, np.uint64)

    @functools.cached_property
    def shapes(self) -> np.ndarray:
        """int64[N, ndim]; for an encoded column only defined where `decoded`."""
        if self.layout is None:
            return self._rows["dims"][:, : self.ndim]
        return np.tile(np.asarray(self.layout.shape[1:], np.int64), (len(self), 1))

    @functools.cached_property
    def decoded(self) -> np.ndarray:
        """bool[N], for an encoded column: whether the row holds pixels, uint8 or uint16 `[H, W, C]`."""
        if self.records is None:
            return np.zeros(len(self), bool)
        return (self.records["flags"] & _host.RECORD_DECODED) != 0

    @functools.cached_property
    def status(self) -> np.ndarray:
        """uint8[N], for an encoded column: what is known of the image before decoding (a Status)."""
        if self.records is None:
            return np.full(len(self), Status.OK, np.uint8)
        return (self.records["flags"] >> _host.STATUS_SHIFT).astype(np.uint8)

    @property
    def uniform(self) -> bool:
        """Whether all samples have the same shape. An empty batch is uniform."""
        return self.layout is not None or self._alike

    @property
    def padded(self) -> bool:
        """Whether it is handed out as a pair of a padded array and shapes."""
        return self.column.shapes == "ragged" or not self.uniform

    @functools.cached_property
    def _alike(self) -> bool:
        return bool((self.shapes == self.shapes[0]).all())

    @property
    def is_held(self) -> bool:
        """Whether the slot has only the batch's number; `device_batch` has the batch."""
        return self.column.held_batches is not None

    @functools.cached_property
    def device_batch(self) -> Held | None:
        """The batch itself, if the slot has only its number; None otherwise."""
        return None if self.column.held_batches is None else self.column.held_batches.take(self.dense())

    @property
    def dense_shape(self) -> tuple[int, ...]:
        """Shape of a uniform batch, `(N, ...)`."""
        return self.layout.shape if self.layout is not None else (len(self), *self.shapes[0].tolist())

    def at(self, index: int) -> np.ndarray:
        """Returns sample `index`, a read-only view of the slot."""
        if self.layout is not None:
            return self.dense()[index, ...]
        if self.column.encoded and not self.decoded[index]:
            shape: tuple[int, ...] = (int(self.sizes[index]),)
        else:
            shape = tuple(self.shapes[index].tolist())
        return self._view(int(self.offsets[index]), shape, self.dtype_at(index))

    def samples(self) -> list[np.ndarray]:
        """Returns all samples of a column that is not encoded, as read-only views of the slot."""
        shapes, offsets = self.shapes.tolist(), self.offsets.tolist()
        memory = memoryview(cast(Any, self.lease))
        return [
            np.ndarray(shape, self.dtype, memory, offset) if 0 not in shape else np.zeros(shape, self.dtype)
            for shape, offset in zip(shapes, offsets, strict=True)
        ]

    def dtype_at(self, index: int) -> np.dtype:
        """Returns the type of sample `index`: images decoded on the way in are uint8, or uint16 if their files are."""
        if not self.column.encoded or self.records is None:
            return self.dtype
        return np.dtype(to_numpy_type(DALIDataType(int(self.records["dtype"][index]))))

    def dense(self) -> np.ndarray:
        """Returns a uniform batch `[N, ...]`: a read-only view if it is contiguous, else a copy."""
        if self.layout is not None:
            return self._view(self.layout.offset, self.layout.shape, self.dtype)
        return np.stack([self.at(index) for index in range(len(self))] if self.column.encoded else self.samples())

    def _view(self, offset: int, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        if 0 in shape:
            return np.zeros(shape, dtype)
        return np.ndarray(shape, dtype, cast(Any, self.lease), offset)


@dataclasses.dataclass(eq=False)
class HostBatch:
    """One iteration of all outputs of a feed.

    Attributes:
        first_sample: index in the epoch of row 0; row i is sample `first_sample + i`.
        workers: (start, stop, worker id, pid) of each chunk of samples.
        source: what made it; None: nothing is known about its samples.
        position: index of row 0 in the stream of an endless source.
        number: how many batches of that stream come before it.
    """

    epoch: int
    iteration: int
    first_sample: int
    samples: int
    columns: list[HostColumn]
    workers: list[tuple[int, int, int | None, int | None]]
    source: Source | None = None
    position: int = 0
    number: int = 0

    @property
    def stream(self) -> tuple[Source, int] | None:
        """For an endless source, the source and the index of row 0 in its stream; else None."""
        return (self.source, self.position) if self.source is not None and self.source.endless else None

    def relabel(self, epoch: int, iteration: int, batch_size: int) -> None:
        """Gives it another epoch and iteration. For a source that goes on where it stood when an epoch begins."""
        self.epoch, self.iteration, self.first_sample = epoch, iteration, iteration * batch_size

    def origin(self, column: str | None, row: int | None) -> SampleOrigin:
        """Returns where row `row` came from, for an error; None: the batch as a whole."""
        worker_id = pid = None
        for start, stop, chunk_worker, chunk_pid in self.workers:
            if row is None or start <= row < stop:
                worker_id, pid = chunk_worker, chunk_pid
                break
        source_info = None
        if self.source is not None and row is not None:
            first = self.position if self.source.endless else self.first_sample
            source_info = self.source.source_info(first + row, self.epoch)
        return SampleOrigin(
            source_info=source_info,
            output=column,
            sample_index=None if row is None else self.first_sample + row,
            iteration=self.iteration,
            epoch=self.epoch,
            worker_id=worker_id,
            pid=pid,
        )
