"""Produces one chunk: calls the source, writes what it gives into the slot, or reports what went wrong.

In come a source with its ring, and a claim: which samples of which batch, in which slot. Native code writes the samples
that it can (`Source.direct`); Python asks the source for the others, and converts and decodes what the ring does not
take as it is. Sources of batches are asked once. Out goes nothing: it is in the slot; EndOfData, or ChunkFailed with a
`Failure`, is raised. It relies on `_Chunk.in_source` and `position` for whose fault an exception is, and of which
sample.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from jaxdali._base.batch import Status
from jaxdali._base.formats.format_names import DECODED, NATIVE, recognise
from jaxdali._base.interruptions import is_interruption
from jaxdali.errors import SourceDataError
from .. import _host
from ..source.collate import as_batch, as_file, as_sample
from ..source.extra_outputs import Deferred
from ..source.file_reading import read_file
from ..source.source_kinds import EndOfData, Request
from .failure_report import Failure, NotMade, describe_exception
from .file_decoding import decode_stored, store_image
from .served_source import ServedSource, most_threads

__all__ = ["FORMATS", "ChunkFailed", "fill_chunk"]

# The formats of files that are decoded here.
FORMATS = DECODED

# What is stored of an image that a sample does not have.
_NOTHING = np.zeros(0, np.uint8)

# After this many consecutive files that only Python can read, Python reads the rest of the chunk.
_MAX_MISSES = 3


class ChunkFailed(Exception):
    """A chunk could not be produced; `__cause__` says why."""

    def __init__(self, failure: Failure):
        super().__init__(failure.message)
        self.failure = failure


class _Refused(Exception):
    """What a source returned for `column` is not a sample; `__cause__` says why."""

    def __init__(self, column: int | None, position: int | None):
        super().__init__(column, position)
        self.column = column
        self.position = position


def fill_chunk(
    served: ServedSource,
    claim: tuple[int, ...],
    decoding: Callable[[str], None],
    kept: list[object] | None = None,
    in_worker: bool = False,
) -> None:
    """Produces the samples of one claimed chunk (claimed by `_host.Claimant`).

    Args:
        decoding: called with the format of a file that is decoded here, or for which others are left to decode it.
        kept: a list that keeps what a source of whole batches returned, so that a second call does not ask the source
            again.
        in_worker: every exception counts as the source's failure. In the user's process interruptions propagate.

    Raises:
        EndOfData: the source is at its end.
        ChunkFailed: any other failure of the source, its data or the memory.
    """
    number, slot, chunk, ticket, epoch, iteration, first_sample, start, stop = claim
    work = _Chunk(served, slot, chunk, Request(epoch, iteration, first_sample, start, stop), decoding)
    try:
        work.fill([] if kept is None else kept)
    except EndOfData:
        raise
    except BaseException as error:
        if not in_worker and is_interruption(error):
            raise
        cause, kind, column, position = error, "memory", None, work.position
        if isinstance(error, _Refused):
            cause, kind, column, position = error.__cause__ or error, "data", error.column, error.position
        elif isinstance(error, NotMade):
            cause, position = error.__cause__ or error, error.position
            kind = "data" if isinstance(cause, SourceDataError) else "raised"
        elif work.in_source:
            kind = "data" if isinstance(error, SourceDataError) else "raised"
        failure = Failure(
            source_index=number,
            slot=slot,
            chunk=chunk,
            ticket=ticket,
            position=position,
            column=column,
            kind=kind,
            **describe_exception(cause),
        )
        try:
            raise ChunkFailed(failure) from cause
        finally:
            del cause  # else the traceback, through this frame, would keep the exception and the slots alive


class _Chunk:
    """Progress within a chunk.

    Attributes:
        position: the row that is being made; None: all rows at once.
        in_source: the user's code is running, so an exception comes from it.
    """

    def __init__(
        self,
        served: ServedSource,
        slot: int,
        chunk: int,
        request: Request,
        decoding: Callable[[str], None],
    ):
        self._ring, self._source, self._columns = served.ring, served.source, served.columns
        self._slot, self._chunk, self._request = slot, chunk, request
        self._decoding = decoding
        # Files were stored for threads to decode: by this call or, before it was broken off, by another one.
        self._postponed = most_threads(served) > 1 and request.start > 0
        self.position: int | None = None
        self.in_source = True

    def fill(self, kept: list[Any]) -> None:
        if self._source.batch_mode:
            self._fill_batch(kept)
        else:
            self._fill_samples()
        if self._postponed:
            self.in_source = False
            decode_stored(self._ring, self._slot, self._request.stop, self._columns, self._reach)
        if any(column.encoded for column in self._columns):
            # Here, where the files have just been written, and not in the one process that takes all batches.
            start, stop = self._request.start, min(self._request.stop, self._ring.samples(self._slot))
            self._ring.note_headers(self._slot, start, max(start, stop))  # a whole batch may have fewer rows

    def _reach(self, position: int) -> None:
        self.position = position

    def _fill_samples(self) -> None:
        request, write, misses = self._request, self._source.direct(), 0
        # If every sample needs Python, stop trying the native way for each.
        while write is not None and request.start < request.stop and misses < _MAX_MISSES:
            self.position = request.start
            written = write(self._ring, self._slot, self._chunk, request)
            if written == request.stop - request.start:
                return
            misses = 0 if written else misses + 1
            request = dataclasses.replace(request, start=request.start + written)
            if request.start < request.stop:
                self._fill_rows(dataclasses.replace(request, stop=request.start + 1))
                request = dataclasses.replace(request, start=request.start + 1)
        if request.start < request.stop:
            self._fill_rows(request)

    def _fill_rows(self, request: Request) -> None:
        ring, slot, chunk = self._ring, self._slot, self._chunk
        position = self.position = request.start
        takes_numbers = self._columns[0].from_getitem  # for a Loader's data, true of all columns or of none
        rows = self._source.samples(request)
        while (values := next(rows, None)) is not None:
            self.in_source = False
            try:
                refused = ring.write(slot, chunk, position, values, numbers=takes_numbers)
                if refused >= 0:
                    for column in range(refused, len(values)):
                        self._write_slowly(column, position, values[column])
                    ring.advance(slot, chunk, position + 1)
            except OSError as error:
                self.in_source = error.filename is not None  # then about a file that the source named, not ring memory
                raise
            position += 1
            self.position, self.in_source = position, True

    def _fill_batch(self, kept: list[Any]) -> None:
        if not kept:
            kept.append(self._source.batch(self._request))
        self._source.written()
        (batches,) = kept
        self.in_source = False
        count: int | None = None
        for column, value in enumerate(batches):
            try:
                batch = as_batch(value)
                count = self._checked(len(batch), count)
            except SourceDataError as error:
                raise _Refused(column, None) from error
            if isinstance(batch, np.ndarray) and not self._columns[column].encoded:
                if not self._ring.write_batch(self._slot, column, batch):
                    raise _Refused(column, None) from SourceDataError(
                        f"a batch of {batch.dtype} with {batch.ndim} dimensions cannot be stored"
                    )
                continue
            for row, sample in enumerate(batch):
                self.position = row
                if not self._ring.write_output(self._slot, row, column, sample):
                    self._write_slowly(column, row, sample)
            self.position = None
        self._ring.set_samples(self._slot, count or 0)

    def _checked(self, size: int, other: int | None) -> int:
        if size > self._request.stop:
            raise SourceDataError(
                f"unexpected batch size. Expected batch_size <= {self._request.stop}, actual: {size}. "
                "Return fewer samples, or make the pipeline's batch_size larger; or was this one sample? Then batch=False"
            )
        if other is not None and size != other:
            raise SourceDataError(f"the outputs of one batch differ in the number of samples: {other} and {size}")
        return size

    def _write_slowly(self, index: int, position: int, value: object) -> None:
        """Converts what the ring does not read natively: foreign arrays, images that are not JPEG, and `Deferred` values."""
        column = self._columns[index]
        if value is None and column.encoded and column.from_getitem:
            self._store(index, position, _NOTHING, Status.MISSING << _host.STATUS_SHIFT | _host.RECORD_SEEN)
            return
        if isinstance(value, Deferred):
            if column.decoders > 1 and (file := value.file) is not None:
                if value.index == 0:
                    self._store(index, position, file, _host.RECORD_RAW)
                return  # the others are made with the first one
            value = self._made(position, value)
        if isinstance(value, _host.FileSample):
            # Files the ring does not read: images other than JPEG, files of unknown size, and pipes or devices.
            value = np.frombuffer(read_file(os.fsdecode(value.path)), np.uint8)
        try:
            array = as_file(value) if column.encoded else as_sample(value, column.from_getitem)
        except SourceDataError as error:
            raise _Refused(index, position) from error
        kind = recognise(array) if column.encoded else None
        if kind in FORMATS:
            self._decoding(kind)
        if kind in ("jpeg", None):
            self._store(index, position, array, _host.RECORD_SEEN if column.encoded else 0)
        elif column.decoders > 1 or (column.threads > 1 and kind in NATIVE):
            self._postponed |= column.threads > 1
            self._store(index, position, array, _host.RECORD_RAW | _host.RECORD_SEEN)
        else:
            store_image(self._ring, self._slot, position, index, array, column)

    def _made(self, position: int, value: Deferred) -> object:
        try:
            return value.get()
        except Exception as error:
            if is_interruption(error):
                raise
            raise NotMade(position) from error

    def _store(self, index: int, position: int, value: np.ndarray, flags: int) -> None:
        if not self._ring.write_output(self._slot, position, index, value, flags):
            error = SourceDataError(f"a sample of {value.dtype} cannot be stored")
            raise _Refused(index, position) from error
