"""Sizes that depend on a batch's data: the host reads them before it calls the program that needs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from jaxdali._run.executor.device_io.canvas import MeasuredNeed
from ..graph.call import Call, DataNode
from ..operators.declaration import declaration_of
from ..operators.extent_bounds import known_beforehand
from ..operators.image_extents import Measured

__all__ = ["measure", "measured_needs"]


def measure(calls: Sequence[Call]) -> dict[Call, set[DataNode]]:
    """Returns, for each call whose result size nothing else determines beforehand, the nodes that determine it. Marks
    these nodes as `measured`.
    """
    found: dict[Call, set[DataNode]] = {}
    for call in calls:
        extents = set(_extents(call))
        for node in (wanted := extents.union(_sized(call))):
            node.measured = node.measured or Measured()
            node.measured.each = node.measured.each or node in extents
        if wanted:
            found[call] = wanted
    return found


def _sized(call: Call) -> Iterator[DataNode]:
    operator = declaration_of(call)
    if operator.sized is not None:
        yield from operator.sized(call.params, call.inputs)


def _extents(call: Call) -> Iterator[DataNode]:
    """Yields the inputs and arguments that are extents, of which nothing is known beforehand."""
    operator = declaration_of(call)
    nodes = [node for place, node in zip(operator.inputs, call.inputs, strict=False) if place.bounded]
    for node in [*nodes, *(call.params[param.name] for param in operator.params if param.bounded)]:
        if isinstance(node, DataNode) and not known_beforehand(node):
            yield node


def measured_needs(calls: Sequence[Call], column_of: Mapping[DataNode, int]) -> dict[DataNode, MeasuredNeed]:
    """Returns what the program of these calls needs to be told about its `measured` nodes, which reach it as columns."""
    nodes = dict.fromkeys(node for call in calls for node in call.operands if node.measured is not None)
    return {
        node: MeasuredNeed(column_of[node], node.measured.set_bound, node.measured.each)
        for node in nodes
        if node in column_of
    }
