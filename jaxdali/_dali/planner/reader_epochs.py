"""Epochs of readers that begin where a shard does."""

from __future__ import annotations

from collections.abc import Sequence

from jaxdali._feed.ring.feed import Feed
from .plan import Plan

__all__ = ["align"]


def align(plan: Plan, feeds: Sequence[Feed], reader_name: str, batches: int) -> None:
    """Makes the epochs of a reader, of `batches` batches each, begin at the first sample of its shard. What was read to
    fill the last batch of an epoch is then read again by the one it belongs to. Only before anything was run.

    Args:
        feeds: those of the plan.
    """
    for planned, feed in zip(plan.feeds, feeds, strict=True):
        if planned.call.label == reader_name and planned.source.endless:
            feed.begin_epochs_at(batches, planned.source.epoch_start)
