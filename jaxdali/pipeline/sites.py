"""Says where the user wrote the operator that an error of a run concerns."""

from __future__ import annotations

from ..errors import DecodeError
from .fusion import DECODERS
from .node import Operator, spoken
from .plan import Plan

__all__ = ["note_site"]


def note_site(error: BaseException, plan: Plan, feed: int | None) -> None:
    """Adds a note to an error: where its source was written, or of files that cannot be decoded, their decoder.

    Args:
        feed: index of the source that failed; None: none did.
    """
    concerned: list[Operator] = []
    if feed is not None:
        column = plan.feeds[feed].columns[0].name
        concerned = [node.operator for node in plan.column_of if node.name == column]
    elif isinstance(error, DecodeError):
        decoders = [operator for operator in plan.operators if operator.kind in DECODERS]
        concerned = [operator for operator in decoders if operator.inputs[0].name == error.output]
    for operator in concerned:
        note = f"in {spoken(operator.kind)} ({operator.name}), defined at {operator.site}"
        # An error that is raised again has it already.
        if operator.site and note not in getattr(error, "__notes__", ()):
            error.add_note(note)
