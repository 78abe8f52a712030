"""Sizes that depend on a batch's data: the host reads them before it calls the program that needs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..executor.device_io.canvas import MeasuredNeed
from ..graph.call import Call, DataNode
from ..operators.declaration import declaration_of
from ..operators.extents import Measured

__all__ = ["measure", "measured_needs"]


def measure(calls: Sequence[Call]) -> dict[Call, set[DataNode]]:
    """Returns, for each call whose result size nothing else determines beforehand, the nodes that determine it. Marks
    these nodes as `measured`.
    """
    found = {call: set(_sized(call)) for call in calls}
    for nodes in found.values():
        for node in nodes:
            node.measured = node.measured or Measured()
    return {call: nodes for call, nodes in found.items() if nodes}


def _sized(call: Call) -> Iterator[DataNode]:
    operator = declaration_of(call)
    if operator.sized is not None:
        yield from operator.sized(call.params, call.inputs)


def measured_needs(calls: Sequence[Call], column_of: Mapping[DataNode, int]) -> dict[DataNode, MeasuredNeed]:
    """Returns what the program of these calls needs to be told about its `measured` nodes, which reach it as columns."""
    nodes = dict.fromkeys(node for call in calls for node in call.operands if node.measured is not None)
    return {node: MeasuredNeed(column_of[node], node.measured.tell) for node in nodes if node in column_of}
