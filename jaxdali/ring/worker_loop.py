"""What a worker does all day: claim a chunk, produce it, say how it went."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import _host
from ..source.kinds import EndOfData
from .failure_report import Failure
from .fill import ChunkFailed, fill_chunk
from .served_source import ServedSource

__all__ = ["DONE", "EXHAUSTED", "FAILED", "serve"]

DONE, FAILED, EXHAUSTED = (_host.WORD_STATES.index(name) for name in ("done", "failed", "exhausted"))


def serve(
    served_sources: Sequence[ServedSource],
    owner: int,
    report: Callable[[Failure], None],
    finished: Callable[[int], None],
) -> None:
    """Works until the rings close.

    Args:
        served_sources: their sources are those of this worker (`Source.for_worker`).
        owner: the id that this worker's words carry.
        report: takes what went wrong; called before the word says so.
        finished: called after every chunk, with the index of its source.
    """
    first = served_sources[0].ring
    claims = _host.Claimant(
        [served.ring for served in served_sources], owner, [served.source.foresees for served in served_sources]
    )
    while not first.closing:
        claim = claims.next()
        if claim is None:
            continue
        number, slot, chunk, ticket = claim[:4]
        served = served_sources[number]
        try:
            # Nothing but the source raises here: interrupts are the parent's business.
            fill_chunk(served, claim, failures=(BaseException,))
        except EndOfData:
            state = EXHAUSTED
        except ChunkFailed as error:
            # The words go first: whoever sees FAILED finds them in the socket.
            report(error.failure)
            state = FAILED
        else:
            state = DONE
        served.ring.finish(slot, chunk, ticket, owner, state)
        finished(number)
