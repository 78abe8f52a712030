"""Which samples of its reader's batch a sample of an output shows, where operators exchange samples or join them."""

from __future__ import annotations

from ..graph.call import DataNode
from .declaration import declaration_of
from .sources.reader_spec import ReaderSpec

__all__ = ["shown_rows"]


def shown_rows(node: DataNode, row: int, mixed: bool = False) -> list[int] | None:
    """Returns the rows of the samples that a sample of `node` was made from, along first inputs, in the order in which
    they were pasted; None if that depends on data.

    Args:
        row: of the sample.
        mixed: what is no reader's has no row.
    """
    while node.call.inputs:
        call, operator = node.call, declaration_of(node.call)
        if operator.mixes:
            shown = operator.shows(call.params, len(call.inputs), row) if operator.shows and not call.branch else None
            found = [shown_rows(call.inputs[place], one, mixed=True) for place, one in shown or ()]
            known = [rows for rows in found if rows is not None]
            return None if shown is None or len(known) < len(found) else [one for rows in known for one in rows]
        node = call.inputs[0]
    return [] if mixed and not isinstance(node.call.source, ReaderSpec) else [row]
