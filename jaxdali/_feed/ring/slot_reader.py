"""Reads the records of a complete slot's samples, and checks them against what their outputs declare.

In come a complete slot, its lease and its columns. The ring copies and checks what was written about the samples
(`Ring.read`); a column with one layout is dense, another keeps a record per sample, and one without samples has the
type of earlier batches. Then types and ranks are compared with what the column declares, and with the first sample. Out
go `HostColumn`s. It relies on the ring's check, after which every sample lies inside the slot.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from jaxdali._base.dtypes import DALIDataType, to_numpy_type
from jaxdali.errors import SourceDataError
from .. import _host
from .chunk_failures import damage_error
from .columns import Column
from .host_batch import Dense, HostBatch, HostColumn

__all__ = ["RECORD", "read_columns"]

RECORD = np.dtype(
    [
        ("offset", "u8"),
        ("size_bytes", "u8"),
        ("dtype", "u1"),
        ("ndim", "u1"),
        ("flags", "u2"),
        ("empty", "u2"),
        ("more", "u2"),
        ("dims", "i8", _host.MAX_DIMS),
    ]
)
assert RECORD.itemsize == _host.RECORD_SIZE


def read_columns(
    ring: _host.Ring,
    slot: int,
    columns: Sequence[Column],
    lease: _host.Lease,
    batch: HostBatch,
    plans: Sequence[_host.Plan],
) -> tuple[list[HostColumn], int]:
    """Reads the records of a complete slot. Returns its columns, and how many of its bytes are laid out.

    Args:
        batch: the batch they belong to, for errors; its `samples` is set.
        plans: type and shape of the samples of earlier batches, for a batch that is an empty list.

    Raises:
        WorkerError: the records are not as the ring writes them.
        SourceDataError: samples of one output differ in type or rank, or are not what the output declares.
    """
    try:
        batch.samples, used, layouts, records = ring.read(slot, lease.capacity)
    except _host.RingDamaged as error:
        raise damage_error(error, batch, columns) from error
    table = np.frombuffer(records, RECORD).reshape(len(columns), -1) if records else None
    result = []
    for index, (column, layout) in enumerate(zip(columns, layouts, strict=True)):
        if layout is not None:
            result.append(_dense(column, lease, batch, *layout))
            continue
        assert table is not None
        if batch.samples:
            result.append(_ragged(column, lease, batch, table[index, : batch.samples]))
        else:
            result.append(_empty(column, lease, table[index, 0], plans[index][1]))
    return result, used


@functools.cache
def _dtype_of(code: int) -> np.dtype:
    return np.dtype(to_numpy_type(DALIDataType(code)))


def _dense(
    column: Column, lease: _host.Lease, batch: HostBatch, code: int, offset: int, extents: tuple[int, ...]
) -> HostColumn:
    _check_declared(column, batch, code, len(extents), 0)
    return HostColumn(column, lease, _dtype_of(code), None, len(extents), Dense(offset, (batch.samples, *extents)))


def _ragged(column: Column, lease: _host.Lease, batch: HostBatch, rows: np.ndarray) -> HostColumn:
    if not column.encoded:  # the rank of a file only tells whether it was decoded when it was read
        _check(column, rows, batch)
    ndim = int(rows["ndim"].max(initial=0)) if column.encoded else int(rows["ndim"][0])
    dtype = np.dtype(np.uint8) if column.encoded else _dtype_of(int(rows["dtype"][0]))
    return HostColumn(column, lease, dtype, rows, ndim, None)


def _empty(
    column: Column, lease: _host.Lease, record: np.ndarray, plan: tuple[int, Sequence[int]] | None
) -> HostColumn:
    code, extents = plan if plan is not None else (column.dtype or DALIDataType.UINT8, (0,) * (column.ndim or 0))
    if record["empty"]:  # an array without rows
        code, extents = int(record["dtype"]), record["dims"][: record["ndim"]].tolist()
    return HostColumn(column, lease, _dtype_of(int(code)), None, len(extents), Dense(0, (0, *extents)))


def _check_declared(column: Column, batch: HostBatch, code: int, rank: int, row: int) -> None:
    """Raises SourceDataError if a sample is not what its output declares."""
    if column.held_batches is not None:
        return  # these are numbers of batches, which were checked themselves
    wanted = column.dtype
    if column.from_getitem and wanted is not None and code != wanted:
        own = to_numpy_type(wanted).__name__
        raise SourceDataError(
            f"{column.name!r} of this sample is {to_numpy_type(DALIDataType(code)).__name__}, but {own} in the first sample "
            f"of the data; return one type in every sample, e.g. np.asarray(value, np.{own})",
            batch.origin(column.name, row),
        )
    if wanted is not None and code != wanted:
        raise SourceDataError(
            f"expected data of type {wanted.name} and got: {DALIDataType(code).name}. Return {wanted.name} from the "
            "source, or change the dtype= of the external_source.",
            batch.origin(column.name, row),
        )
    demanded = column.ndim if column.ndim is not None else (len(column.layout) or None)
    if column.from_getitem and demanded is not None and rank != demanded:
        raise SourceDataError(
            f"{column.name!r} of this sample has {rank} dimensions, but the first sample of the data has {demanded}; "
            "all samples must have the same number, also with ragged=",
            batch.origin(column.name, row),
        )
    if demanded is not None and rank != demanded:
        what = f"The layout '{column.layout}' cannot describe {rank}-dimensional data: " if column.layout else ""
        raise SourceDataError(
            f"{what}expected data with {demanded} dimensions and got {rank}", batch.origin(column.name, row)
        )


def _check(column: Column, rows: np.ndarray, batch: HostBatch) -> None:
    codes, ranks = rows["dtype"], rows["ndim"]
    # A sample that differs from the first is wrong in any case. Declared properties are checked first, in order of
    # rows.
    alike = (codes == codes[0]).all() and (ranks == ranks[0]).all()
    if column.dtype is not None or column.ndim is not None or column.layout:
        for row in range(1 if alike else len(rows)):
            _check_declared(column, batch, int(codes[row]), int(ranks[row]), row)
    if alike:
        return
    if (wrong := np.flatnonzero(codes != codes[0])).size:
        row = int(wrong[0])
        raise SourceDataError(
            f"Sample must have the same type as the target batch, current: {DALIDataType(int(codes[0])).name}, new: "
            f"{DALIDataType(int(codes[row])).name} for sample idx: {row}",
            batch.origin(column.name, row),
        )
    if (wrong := np.flatnonzero(ranks != ranks[0])).size:
        row = int(wrong[0])
        raise SourceDataError(
            f"All tensors in a batch must have the same number of dimensions: the first has {ranks[0]}, "
            f"this one {ranks[row]}",
            batch.origin(column.name, row),
        )
