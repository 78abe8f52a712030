"""The main loop of a worker: claims a chunk, produces it, reports how it went."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .. import _host
from ..source.source_kinds import EndOfData
from .chunk_filling import FORMATS, ChunkFailed, fill_chunk
from .failure_report import Failure
from .served_source import ServedSource

__all__ = ["DONE", "EXHAUSTED", "FAILED", "FORMATS", "serve"]

DONE, FAILED, EXHAUSTED = (_host.WORD_STATES.index(name) for name in ("done", "failed", "exhausted"))


def serve(
    served_sources: Mapping[int, ServedSource],
    owner: int,
    begun: Callable[[tuple[int, ...]], None],
    decoding: Callable[[str], None],
    report: Callable[[Failure], None],
    finished: Callable[[int], None],
) -> None:
    """Works until the rings close.

    Args:
        served_sources: with the sources of this worker (`Source.for_worker`), by their indices in the pool.
        owner: the id that this worker's words carry.
        begun: called before every chunk, with what `_host.Claimant` returned for it, and the index of its source.
        decoding: called with the format of each file that is decoded here.
        report: takes a failure; called before the word says FAILED.
        finished: called after every chunk, with the index of its source.
    """
    numbers, mine = list(served_sources), list(served_sources.values())
    first = mine[0].ring
    claims = _host.Claimant([served.ring for served in mine], owner, [served.source.foresees for served in mine])
    while not first.closing:
        claim = claims.next()
        if claim is None:
            continue
        claim = numbers[claim[0]], *claim[1:]
        number, slot, chunk, ticket = claim[:4]
        served = served_sources[number]
        begun(claim)
        try:
            # Only the source can raise here: interrupts are handled by the parent.
            fill_chunk(served, claim, decoding, in_worker=True)
        except EndOfData:
            state = EXHAUSTED
        except ChunkFailed as error:
            # The report goes first: once a word says FAILED, the parent finds the report in the socket.
            report(error.failure)
            state = FAILED
        else:
            state = DONE
        served.ring.finish(slot, chunk, ticket, owner, state)
        finished(number)
