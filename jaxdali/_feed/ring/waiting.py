"""The waits of a feed, in words."""

from __future__ import annotations

from collections.abc import Callable

from jaxdali._base.patience import Patience
from .producer import Whereabouts
from .served_source import ServedSource

__all__ = ["LOOK_S", "patience_for_batch", "patience_for_slot"]

# How often a waiting parent checks its workers; a chunk that they finish wakes it at once.
LOOK_S = 0.02


def patience_for_batch(served: ServedSource, whereabouts: Whereabouts, slot: int) -> Patience:
    """Returns the patience with which a batch is awaited that workers make, or somebody feeds.

    Args:
        slot: of the batch.
    """

    def what() -> str:
        source = served.source
        epoch, iteration, _ = served.ring.batch_info(slot)
        if source.stateful:  # a batch requested in one epoch may be taken in the next, as another iteration
            name = "the next batch"
        elif source.endless:
            name = f"batch {iteration} of the stream"
        else:
            name = f"batch {iteration} of epoch {epoch}"
        return f"{name} from {source.description}: {whereabouts.holdup(served, slot)}"

    return Patience(what, whereabouts.look)


def patience_for_slot(served: ServedSource, whereabouts: Whereabouts, leased: Callable[[], int]) -> Patience:
    """Returns the patience with which a free slot is awaited.

    Args:
        leased: returns the number of slots that somebody reads.
    """

    def what() -> str:
        kept = leased()
        filling = served.ring.slots - served.ring.free_slots - kept
        text = f"a free slot for {served.source.description}: the caller keeps {kept} batches"
        if filling:
            text += f", and {filling} that nobody wants any more are being made: {whereabouts.holdup(served, None)}"
        return text

    return Patience(what, whereabouts.look)
