"""Cuts a graph into subgraphs: a single one, unless Python functions or sizes that the host must read divide it.

Each subgraph is one program of the device, followed by the functions that are called before the next program.

In come the calls in order, which of them are functions, and the nodes whose numbers the host must have before a call.
Going forwards, each call gets the first subgraph in which it can be; going backwards, each one of the device moves to
the last that its users allow. Out go the subgraphs, each with the columns that it can take, and the nodes that it gives
to functions, to later subgraphs or to the user. It relies on the order only: what a call depends on comes before it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence

from ..graph.call import Call, DataNode

__all__ = ["Subgraph", "cut"]


@dataclasses.dataclass(frozen=True)
class Subgraph:
    """One program of the device, and the functions behind it.

    Attributes:
        calls: what the device computes, in order.
        column_of: the numbers of the columns that it can take: of sources, and of nodes that passed the host before.
        outputs: the nodes that the program returns: first those that cross, then outputs of the graph.
        crossing: outputs of these calls that functions or later subgraphs take.
        functions: the calls of Python functions that follow, in order.
    """

    calls: Sequence[Call]
    column_of: dict[DataNode, int]
    outputs: Sequence[DataNode]
    crossing: Sequence[DataNode] = ()
    functions: Sequence[Call] = ()

    @property
    def inputs(self) -> list[int]:
        """The columns that the program takes."""
        taken = {node for call in self.calls for node in call.dependencies}
        return sorted(self.column_of[node] for node in taken if node in self.column_of)

    @property
    def made(self) -> list[DataNode]:
        """The nodes that pass the host behind it; they become the next columns."""
        return [*self.crossing, *(output for call in self.functions for output in call.outputs)]


def cut(
    calls: Sequence[Call],
    functions: Collection[Call],
    sources: Mapping[DataNode, int],
    given: int,
    outputs: Sequence[DataNode],
    measured: Mapping[Call, Collection[DataNode]],
) -> list[Subgraph]:
    """Returns the subgraphs of a graph, at least one. A call is in the last subgraph that it can be in, so that images are
    computed where they are used.

    Args:
        calls: in order.
        functions: those of the calls that are Python functions.
        sources: the column numbers of sources' outputs.
        given: how many columns sources have; what passes the host is numbered after them.
        outputs: those of the graph.
        measured: for each call, the nodes whose numbers the host must read before the call can be traced.
    """
    python = set(functions)
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
    subgraphs: list[Subgraph] = []
    known = dict(sources)
    for number in range(last + 1):
        mine = [call for call in calls if of[call] == number]
        computed = [call for call in mine if call not in python]
        crossing = [
            node
            for call in computed
            for node in call.outputs
            if any(user in python or of[user] > number for user in users.get(node, ()))
        ]
        own = {node for call in computed for node in call.outputs}
        wanted = list(dict.fromkeys([*crossing, *(node for node in outputs if node in own)]))
        behind = [call for call in mine if call in python]
        subgraphs.append(Subgraph(computed, dict(known), wanted, crossing, behind))
        first = given + len(known) - len(sources)
        known.update({node: first + k for k, node in enumerate(subgraphs[-1].made)})
    return subgraphs
