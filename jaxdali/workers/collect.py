"""A complete slot, read as columns: one an output, dense or ragged, without copying."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from .. import _host
from ..batch import Status
from ..errors import SampleOrigin, SourceDataError
from ..types import DALIDataType, to_numpy_type
from .columns import Column

__all__ = ["HostBatch", "HostColumn", "read_columns"]

RECORD = np.dtype(
    [
        ("offset", "u8"),
        ("size_bytes", "u8"),
        ("dtype", "u1"),
        ("ndim", "u1"),
        ("flags", "u2"),
        ("empty", "u4"),
        ("dims", "i8", _host.MAX_DIMS),
    ]
)
assert RECORD.itemsize == _host.RECORD_SIZE


@dataclasses.dataclass(eq=False)
class HostColumn:
    """The samples of one output of one batch, in a leased slot.

    Attributes:
        column: what was asked for.
        lease: keeps the memory; every view below holds it too.
        offsets: uint64[N], bytes from the start of the lease; multiples of the element's size.
        sizes: uint64[N], bytes.
        dtype: of all samples (encoded images that were decoded on the way in are uint8 too).
        shapes: int64[N, ndim]; of an encoded column only defined where `decoded`.
        extents: of the samples of an empty batch, had it any.
        decoded: bool[N], encoded only: the row holds pixels uint8[H, W, 3].
        status: uint8[N], encoded only: what is known of the image before decoding (a Status).
    """

    column: Column
    lease: _host.Lease
    offsets: np.ndarray
    sizes: np.ndarray
    dtype: np.dtype[Any]
    shapes: np.ndarray
    decoded: np.ndarray
    status: np.ndarray
    extents: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.offsets)

    @functools.cached_property
    def uniform(self) -> bool:
        """All samples have the same shape. An empty batch is uniform."""
        return bool(len(self) == 0 or (self.shapes == self.shapes[0]).all())

    @functools.cached_property
    def contiguous(self) -> bool:
        """Uniform, and the samples lie one behind the other."""
        if not self.uniform:
            return False
        if len(self) == 0:
            return True
        size = int(self.sizes[0])
        return bool((np.diff(self.offsets.astype(np.int64)) == size).all())

    @property
    def dense_shape(self) -> tuple[int, ...]:
        """Shape of a uniform batch, `(N, ...)`."""
        return (len(self), *(int(extent) for extent in (self.shapes[0] if len(self) else self.extents)))

    def at(self, index: int) -> np.ndarray:
        """Sample `index`, a read-only view of the slot."""
        if self.column.encoded and not self.decoded[index]:
            shape: tuple[int, ...] = (int(self.sizes[index]),)
        else:
            shape = tuple(int(extent) for extent in self.shapes[index])
        return self._view(int(self.offsets[index]), shape)

    def dense(self) -> np.ndarray:
        """A uniform batch `[N, ...]`: a read-only view where it is contiguous, else a copy."""
        if self.contiguous:
            return self._view(int(self.offsets[0]) if len(self) else 0, self.dense_shape)
        return np.stack([self.at(index) for index in range(len(self))])

    def _view(self, offset: int, shape: tuple[int, ...]) -> np.ndarray:
        count = int(np.prod(shape, dtype=np.int64))
        if count == 0:
            return np.zeros(shape, self.dtype)
        return np.frombuffer(cast(Any, self.lease), self.dtype, count, offset).reshape(shape)


@dataclasses.dataclass(eq=False)
class HostBatch:
    """One iteration of all outputs of a feed.

    Attributes:
        first_sample: index in the epoch of row 0; row i is sample `first_sample + i`.
        workers: (start, stop, worker id, pid) of each chunk of samples.
    """

    epoch: int
    iteration: int
    first_sample: int
    samples: int
    columns: list[HostColumn]
    workers: list[tuple[int, int, int | None, int | None]]

    def relabel(self, epoch: int, iteration: int, batch_size: int) -> None:
        """Makes it the batch of another place, of a source that goes on where it stood when an epoch begins."""
        self.epoch, self.iteration, self.first_sample = epoch, iteration, iteration * batch_size

    def origin(self, column: str | None, row: int | None) -> SampleOrigin:
        """Where row `row` came from, for an error; None: the batch as a whole."""
        worker_id = pid = None
        for start, stop, chunk_worker, chunk_pid in self.workers:
            if row is None or start <= row < stop:
                worker_id, pid = chunk_worker, chunk_pid
                break
        return SampleOrigin(
            output=column,
            sample_index=None if row is None else self.first_sample + row,
            iteration=self.iteration,
            epoch=self.epoch,
            worker_id=worker_id,
            pid=pid,
        )


def read_columns(
    records: bytes,
    batch_size: int,
    samples: int,
    columns: list[Column],
    lease: _host.Lease,
    batch: HostBatch,
    plans: list[_host.Plan],
) -> list[HostColumn]:
    """Reads the records of a complete slot.

    Args:
        plans: what the samples of the batches before were; an empty list says nothing of its own.

    Raises:
        SourceDataError: samples of one output differ in type or rank, or are not what the output declares.
    """
    table = np.frombuffer(records, RECORD).reshape(len(columns), batch_size)
    result = []
    for column, all_rows, (_, plan) in zip(columns, table, plans, strict=True):
        if not samples:
            result.append(_empty(column, lease, all_rows[0], plan))
            continue
        rows = all_rows[:samples]
        _check(column, rows, batch)
        ndim = int(rows["ndim"].max(initial=0)) if column.encoded else int(rows["ndim"][0])
        result.append(
            HostColumn(
                column=column,
                lease=lease,
                offsets=rows["offset"].copy(),
                sizes=rows["size_bytes"].copy(),
                dtype=np.dtype(to_numpy_type(DALIDataType(int(rows["dtype"][0])))),
                shapes=rows["dims"][:, :ndim].copy(),
                decoded=(rows["flags"] & _host.RECORD_DECODED) != 0,
                status=(rows["flags"] >> _host.STATUS_SHIFT).astype(np.uint8)
                if column.encoded
                else np.full(samples, Status.OK, np.uint8),
            )
        )
    return result


def _empty(column: Column, lease: _host.Lease, record: Any, plan: tuple[int, Sequence[int]] | None) -> HostColumn:
    code, extents = plan if plan is not None else (column.dtype or DALIDataType.UINT8, (0,) * (column.ndim or 0))
    if record["empty"]:  # an array without rows
        code, extents = int(record["dtype"]), record["dims"][: record["ndim"]].tolist()
    none = np.zeros(0, np.uint64)
    return HostColumn(
        column=column,
        lease=lease,
        offsets=none,
        sizes=none,
        dtype=np.dtype(to_numpy_type(DALIDataType(code))),
        shapes=np.zeros((0, len(extents)), np.int64),
        decoded=np.zeros(0, bool),
        status=np.zeros(0, np.uint8),
        extents=tuple(extents),
    )


def _check(column: Column, rows: np.ndarray, batch: HostBatch) -> None:
    if column.encoded:
        return  # a file is a file; its rank tells only whether it was decoded on the way in

    def refuse(row: int, message: str) -> None:
        raise SourceDataError(message, batch.origin(column.name, row))

    def name(code: int) -> str:
        return DALIDataType(int(code)).name

    codes = rows["dtype"]
    wanted = column.dtype
    if wanted is not None and (wrong := np.flatnonzero(codes != int(wanted))).size:
        row = int(wrong[0])
        refuse(
            row,
            f"expected data of type {wanted.name} and got: {name(codes[row])}. Return {wanted.name} from the source, "
            "or change the dtype= of the external_source.",
        )
    if (wrong := np.flatnonzero(codes != codes[0])).size:
        row = int(wrong[0])
        refuse(
            row,
            f"Sample must have the same type as the target batch, current: {name(codes[0])}, new: {name(codes[row])} "
            f"for sample idx: {row}",
        )
    ranks = rows["ndim"]
    demanded = column.ndim if column.ndim is not None else (len(column.layout) or None)
    if demanded is not None and (wrong := np.flatnonzero(ranks != demanded)).size:
        row = int(wrong[0])
        what = f"The layout '{column.layout}' cannot describe {ranks[row]}-dimensional data: " if column.layout else ""
        refuse(row, f"{what}expected data with {demanded} dimensions and got {ranks[row]}")
    if (wrong := np.flatnonzero(ranks != ranks[0])).size:
        row = int(wrong[0])
        refuse(
            row,
            f"All tensors in a batch must have the same number of dimensions: the first has {ranks[0]}, "
            f"this one {ranks[row]}",
        )
