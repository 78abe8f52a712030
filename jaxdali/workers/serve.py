"""What a worker does all day: claim a chunk, call the source, write the samples, say how it went.

The same code fills slots in the user's own process where a source is not parallel.
"""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from .. import _host
from ..errors import SourceDataError
from ..formats import decode_to_rgb, recognise
from ..source.collate import as_file, as_sample
from ..source.kinds import EndOfData, Request, SampleSource
from .columns import Column
from .protocol import Failure, safe_text

__all__ = ["DONE", "FAILED", "STOPPED", "ChunkFailed", "fill_chunk", "serve"]

DONE, FAILED, STOPPED = (_host.WORD_STATES.index(name) for name in ("done", "failed", "stopped"))


class ChunkFailed(Exception):
    """A chunk could not be produced; `__cause__` is why."""

    def __init__(self, failure: Failure):
        super().__init__(failure.message)
        self.failure = failure


class _Refused(Exception):
    """What a source returned for `column` is no sample; `__cause__` says why."""

    def __init__(self, column: int):
        super().__init__(column)
        self.column = column


def fill_chunk(
    ring: _host.Ring, claim: tuple[int, ...], sources: Sequence[SampleSource], columns: Sequence[Column]
) -> None:
    """Produces the samples of one claimed chunk.

    Raises:
        EndOfData: the source is at its end.
        ChunkFailed: anything else that the source, its data or the memory did.
    """
    slot, chunk, ticket, epoch, iteration, first_sample, start, stop = claim
    request = Request(epoch, iteration, first_sample, start, stop)
    position = start

    def failed(error: BaseException, kind: str, column: int | None = None) -> ChunkFailed:
        return ChunkFailed(
            Failure(
                slot=slot,
                chunk=chunk,
                ticket=ticket,
                position=position,
                column=column,
                kind=kind,
                exception=type(error).__name__,
                message=safe_text(error),
                traceback="".join(traceback.format_exception(error)),
            )
        )

    rows = iter(_rows(sources, request))
    while True:
        try:
            values = next(rows, None)
        except EndOfData:
            raise
        except SourceDataError as error:
            raise failed(error, "data") from error
        except (Exception, SystemExit) as error:
            raise failed(error, "raised") from error
        if values is None:
            return
        try:
            refused = ring.write(slot, chunk, position, values)
            if refused >= 0:
                _write_slowly(ring, slot, position, values, refused, columns)
                ring.advance(slot, chunk, position + 1)
        except _Refused as refusal:
            error = refusal.__cause__ or refusal
            raise failed(error, "data", refusal.column) from error
        except Exception as error:
            raise failed(error, "memory") from error
        position += 1


def _rows(sources: Sequence[SampleSource], request: Request) -> Any:
    """The values of all sources, sample by sample."""
    if len(sources) == 1:
        return sources[0].samples(request)
    parts = zip(*(source.samples(request) for source in sources), strict=True)
    return (tuple(itertools.chain.from_iterable(values)) for values in parts)


def _write_slowly(
    ring: _host.Ring, slot: int, position: int, values: Sequence[Any], start: int, columns: Sequence[Column]
) -> None:
    """Converts what the ring does not read natively: foreign arrays, and images that are not JPEG."""
    for index in range(start, len(values)):
        column, value, flags = columns[index], values[index], 0
        try:
            if column.encoded:
                value = as_file(value)
                if recognise(value) not in ("jpeg", None):
                    pixels, status = decode_to_rgb(value, column.max_image_pixels)
                    if pixels is None:
                        # Kept as it is, with the verdict: a bad image is data, and the executor's to report.
                        flags = int(status) << _host.STATUS_SHIFT
                    else:
                        value, flags = pixels, _host.RECORD_DECODED
                flags |= _host.RECORD_SEEN
            else:
                value = as_sample(value)
        except SourceDataError as error:
            raise _Refused(index) from error
        if not ring.write_output(slot, position, index, value, flags):
            error = SourceDataError(f"the ring takes no {type(value).__name__} of {value.dtype}")
            raise _Refused(index) from error


def serve(
    ring: _host.Ring,
    sources: Sequence[SampleSource],
    columns: Sequence[Column],
    owner: int,
    report: Callable[[Failure], None],
) -> None:
    """Works until the ring closes. `owner` is the id that this worker's words carry."""
    while not ring.closing:
        claim = ring.await_claim(owner)
        if claim is None:
            continue
        slot, chunk, ticket = claim[:3]
        try:
            fill_chunk(ring, claim, sources, columns)
        except EndOfData:
            state = STOPPED
        except ChunkFailed as error:
            # The words go first: whoever sees FAILED finds them in the socket.
            report(error.failure)
            state = FAILED
        else:
            state = DONE
        ring.finish(slot, chunk, ticket, owner, state)
