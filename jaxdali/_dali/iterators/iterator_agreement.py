"""Checks that the iterators of all processes that make parts of a batch agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jaxdali.errors import SourceError
from ..epochs.epochs import Epochs
from ..pipeline.session import Session

__all__ = ["check_end", "check_processes"]


def check_processes(
    sessions: Sequence[Session],
    names: Sequence[str],
    assemble: Mapping[str, Any],
    epochs: Epochs | None,
    sharding: Any,
) -> bool:
    """Compares this iterator with those of the other processes, if they make a part of the batch. Returns True if none
    does.

    Raises:
        ConfigError: their iterators differ.
    """
    placed = [one.sharding for one in assemble.values()]
    if all(sharding is None or sharding.is_fully_addressable for sharding in placed):
        return True
    from jaxdali._run.multihost.agreement import Joint

    first = sessions[0]
    length = epochs and (epochs.batches, epochs.taken)
    position = first.restored and first.restored.iterator
    fields = {"output_map": names, "batch_size": first.options.batch_size, "epochs": length, "sharding": sharding}
    Joint("iterator").compare({**fields, "checkpoint": position})
    return False


def check_end(given: int, batches: int) -> None:
    """Raises SourceError if the epoch continues in other processes, which would wait for this one."""
    if given < batches:
        raise SourceError(
            f"the source ended after {given} of the {batches} batches that all processes make; have it give that many, "
            "or lower size="
        ) from None
