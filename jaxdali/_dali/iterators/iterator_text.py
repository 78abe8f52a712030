"""What an iterator looks like to a person: its outputs, its pipelines, and its position."""

from __future__ import annotations

from .batches import Batches

__all__ = ["iterator_as_text"]


def iterator_as_text(kind: str, batches: Batches) -> str:
    """Returns the repr of an iterator; `kind` is its class."""
    pipelines, epochs = len(batches.pipelines), batches.epochs
    length = "an epoch lasts until its source ends" if epochs is None else f"{epochs.length} batches an epoch"
    state = "closed" if batches.exclusive.closed else f"{batches.counter} samples of this epoch taken"
    each = batches.sessions[0].options.batch_size
    of = f"{pipelines} pipeline{'' if pipelines == 1 else 's'} of {each} samples a batch"
    return f"{kind}({batches.names}, {of}; {length}; {state})"
