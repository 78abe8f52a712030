"""Decodes files where they are stored, in processes other than the one that runs their source."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from jaxdali._base.formats.pixel_decoding import decode_pixels
from jaxdali._base.interruptions import is_interruption
from jaxdali.errors import SourceDataError
from .. import _host
from ..source.collate import as_sample
from ..source.source_kinds import Request, Source
from .columns import Column
from .failure_report import NotMade
from .slot_reader import RECORD

__all__ = ["FileDecoding", "Held", "decode_stored", "store_image"]


class Held(Source):
    """Stands for a source that no worker runs, since it has no outputs: its ring is only to be at hand."""

    outputs = 0
    description = "a source elsewhere"


class FileDecoding(Source):
    """Makes no samples. Its request names rows of a batch that another source has stored, in the slot of the same number of
    another ring; the files among them are replaced by what they hold.

    Args:
        source: the other one; it is left in the user's process, where it says what samples are called.
        columns: its outputs.
        ring_index: where the other ring is among those of the pool.

    Attributes:
        columns: those, without what only the user's process can have.
    """

    spreads = True
    decodes = "files"

    def __init__(self, source: Source, columns: Sequence[Column], ring_index: int):
        self.outputs = len(columns)
        self.description = source.description
        self.columns = [dataclasses.replace(column, fed=None, held_batches=None) for column in columns]
        self._ring_index = ring_index
        self._in_batches = source.batch_mode
        self._source: Source | None = source
        self._target: _host.Ring | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_source": None}

    def meet(self, rings: Sequence[_host.Ring]) -> None:
        self._target = rings[self._ring_index]

    def source_info(self, position: int, epoch: int = 0) -> str | None:
        return None if self._source is None or self._in_batches else self._source.source_info(position, epoch)

    def direct(self) -> Callable[[Any, int, int, Request], int]:
        return self._decode

    def _decode(self, tasks: _host.Ring, slot: int, chunk: int, request: Request) -> int:
        ring = self._target
        assert ring is not None
        # Those of the tasks stay as they are, so whoever does this again after a death finds the files once more.
        records = np.frombuffer(tasks.records(slot), RECORD).reshape(self.outputs, -1)
        for row in range(request.start, min(request.stop, ring.samples(slot))):
            for index in np.flatnonzero(records["flags"][:, row] & _host.RECORD_RAW).tolist():
                record = records[index, row]
                file = np.frombuffer(ring.stored(slot, int(record["offset"]), int(record["size_bytes"])), np.uint8)
                column = self.columns[index]
                if column.reading is None:
                    store_image(ring, slot, row, index, file, column)
                    continue
                for output, value in self._decoded(column.reading, file, row, index):
                    if not ring.write_output(slot, row, output, value):
                        raise NotMade(row) from SourceDataError(f"a sample of {value.dtype} cannot be stored")
            tasks.advance(slot, chunk, row + 1)
        return request.stop - request.start

    def _decoded(
        self, reading: Callable[[np.ndarray], Sequence[object]], file: np.ndarray, row: int, index: int
    ) -> Iterator[tuple[int, np.ndarray]]:
        """Yields what a file becomes: outputs and their values."""
        try:
            values = reading(file)
        except Exception as error:
            if is_interruption(error):
                raise
            prefix = f"sample {row} of the batch: " if self._in_batches else ""
            cause = SourceDataError(f"{prefix}{error}") if isinstance(error, SourceDataError) else error
            raise NotMade(row) from cause
        for output, value in enumerate(values, index):
            yield output, as_sample(value)


def store_image(ring: _host.Ring, slot: int, row: int, output: int, file: np.ndarray, column: Column) -> None:
    """Stores the pixels of a file, or its bytes if it is bad."""
    flags, limit = _host.RECORD_DECODED | _host.RECORD_SEEN, column.max_image_pixels
    if ring.write_image(slot, row, output, file, limit, column.indexed, flags):
        return
    value, status = decode_pixels(file, limit, column.indexed, column.as_stored)
    if value is None:
        # Kept as bytes, with its status: a bad image is data, and the executor reports it.
        value, flags = file, int(status) << _host.STATUS_SHIFT | _host.RECORD_SEEN
    ring.write_output(slot, row, output, value, flags)


def decode_stored(
    ring: _host.Ring, slot: int, samples: int, columns: Sequence[Column], at: Callable[[int], None]
) -> None:
    """Decodes the files that a slot holds as they are, on as many threads as their columns say. Done again, it decodes those
    that are left.

    Args:
        samples: how many rows of the slot there are.
        at: called with a row before something is done that may fail because of its file.
    """
    records = np.frombuffer(ring.records(slot), RECORD).reshape(len(columns), -1)
    for output, column in enumerate(columns):
        if column.threads == 1:
            continue
        rows = np.flatnonzero(records["flags"][output, :samples] & _host.RECORD_RAW).tolist()
        places = ((int(records[output, row]["offset"]), int(records[output, row]["size_bytes"])) for row in rows)
        files = [np.frombuffer(ring.stored(slot, *place), np.uint8) for place in places]
        flags = _host.RECORD_DECODED | _host.RECORD_SEEN
        written = ring.write_images(
            slot, rows, output, files, column.max_image_pixels, column.indexed, flags, column.threads
        )
        for row, file, done in zip(rows, files, written, strict=True):
            if not done:
                at(row)
                store_image(ring, slot, row, output, file, column)
