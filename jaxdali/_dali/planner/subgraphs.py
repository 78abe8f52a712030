"""Cuts a graph with Python functions into subgraphs.

Each subgraph is one program of the device, followed by the functions that are called before the next program.

In come the calls in order, which of them are functions, and the nodes whose numbers the host must have before a call.
Going forwards, each call gets the first subgraph in which it can be; going backwards, each one of the device moves to
the last that its users allow. Out go the subgraphs, each with the nodes that functions or later subgraphs take from it.
It relies on the order only: what a call depends on comes before it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence

from ..graph.call import Call, DataNode

__all__ = ["Subgraph", "cut", "made_nodes"]


@dataclasses.dataclass(frozen=True)
class Subgraph:
    """One program of the device, and the functions behind it.

    Attributes:
        calls: what the device computes, in order.
        crossing: outputs of these calls that functions or later subgraphs take.
        functions: the calls of Python functions that follow, in order.
    """

    calls: Sequence[Call]
    crossing: Sequence[DataNode]
    functions: Sequence[Call]


def cut(
    calls: Sequence[Call], functions: Collection[Call], measured: Mapping[Call, Collection[DataNode]] | None = None
) -> list[Subgraph]:
    """Returns the subgraphs of a graph. A call is in the last subgraph that it can be in, so that images are computed
    where they are used.

    Args:
        calls: in order.
        functions: those of the calls that are Python functions.
        measured: for each call, the nodes whose numbers the host must read before the call can be traced.
    """
    python, measured = set(functions), measured or {}
    computed = {node for call in calls if call not in python for node in call.outputs}

    def later(user: Call, node: DataNode) -> int:
        """Returns how many subgraphs a user must be behind the one that computes a node."""
        return int(node in computed and node in measured.get(user, ()))

    level: dict[DataNode, int] = {}  # the first subgraph in which a node can be used
    of: dict[Call, int] = {}
    for call in calls:
        of[call] = max((level.get(node, 0) + later(call, node) for node in call.dependencies), default=0)
        for node in call.outputs:
            level[node] = of[call] + (call in python)
    last = max((of[call] + (call in python) for call in calls), default=0)
    users: dict[DataNode, list[Call]] = {}
    for call in reversed(calls):
        if call not in python:
            of[call] = min(
                (of[user] - later(user, node) for node in call.outputs for user in users.get(node, ())), default=last
            )
        for node in call.dependencies:
            users.setdefault(node, []).append(call)
    subgraphs = []
    for number in range(last + 1):
        mine = [call for call in calls if of[call] == number]
        computed = [call for call in mine if call not in python]
        crossing = [
            node
            for call in computed
            for node in call.outputs
            if any(user in python or of[user] > number for user in users.get(node, ()))
        ]
        subgraphs.append(Subgraph(computed, crossing, [call for call in mine if call in python]))
    return subgraphs


def made_nodes(subgraphs: Sequence[Subgraph]) -> list[DataNode]:
    """Returns the nodes that pass the host between programs, in that order."""
    return [
        node
        for subgraph in subgraphs
        for node in [*subgraph.crossing, *(output for call in subgraph.functions for output in call.outputs)]
    ]
