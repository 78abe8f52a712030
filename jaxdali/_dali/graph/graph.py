"""Finds a pipeline's graph from its outputs."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence

from jaxdali.errors import GraphError, GraphNotImplementedError
from .call import Call, DataNode, automatic_name, map_nodes
from .scope import Scope

__all__ = ["Graph", "find_graph"]


class Graph:
    """The calls that outputs and sinks need, each behind the calls that it needs itself.

    The calls are copies that belong to this graph, with names and random numbers of their own: the originals may belong
    to other pipelines, too.

    Attributes:
        calls: in the order in which they were made.
        outputs: the nodes that a run returns.
        sinks: the nodes that are computed as well.
    """

    def __init__(self, calls: Sequence[Call], outputs: Sequence[DataNode], sinks: Sequence[DataNode] = ()):
        self.calls = list(calls)
        self.outputs = list(outputs)
        self.sinks = list(sinks)
        self._own: dict[DataNode, DataNode] = {}

    def own(self, node: DataNode) -> DataNode | None:
        """Returns this graph's copy of a user's node, or None if no output depends on it."""
        return self._own.get(node)

    def copied_from(self, own: dict[DataNode, DataNode]) -> Graph:
        """Stores this graph's copy of each of the user's nodes, and returns the graph."""
        self._own = {**own, **{node: node for node in own.values()}}
        return self


def find_graph(
    outputs: Sequence[DataNode],
    sinks: Sequence[DataNode],
    scope: Scope,
    sources: dict[Call, object] | None = None,
) -> Graph:
    """Finds the calls that outputs and sinks need, and the preserved calls of the scope.

    A random call keeps its number in the scope, so that its draws do not depend on pruning or on the order of outputs.
    Random calls that were made elsewhere are numbered behind them, in the order in which they were made.

    Args:
        sources: the sources of graphs that were found for the same pipeline before, by the user's calls, so that data
            that was fed is kept.

    Raises:
        GraphNotImplementedError: there are no outputs.
        GraphError: a name was given twice, or another pipeline has data that only one may have.
    """
    if not outputs:
        raise GraphNotImplementedError("the pipeline has no outputs; return at least one DataNode")
    preserved = [call for call in scope.calls if call.preserve]
    found = _reached([*(node.call for node in [*outputs, *sinks]), *preserved])
    own: dict[DataNode, DataNode] = {}
    names = _names(found, scope)
    elsewhere: dict[Call, int] = {}
    calls = []
    for call in found:
        mine = copy.copy(call)
        mine.name = names[call]
        if call.scope is not scope:
            mine.number = None
            if call.operator.is_random:
                mine.number = elsewhere.setdefault(call.first or call, scope.random_calls + len(elsewhere))
        mine.inputs = tuple(own[node] for node in call.inputs)
        mine.params = {name: map_nodes(value, own.__getitem__) for name, value in call.params.items()}
        mine.branch = tuple((own[node], taken) for node, taken in call.branch)
        mine.outputs = [DataNode(mine, node.index, node.numbered) for node in call.outputs]
        own.update(zip(call.outputs, mine.outputs, strict=True))
        calls.append(mine)
    sources = {} if sources is None else sources
    for call, mine in zip(found, calls, strict=True):
        if call.source is not None:
            known = sources.get(call)
            # `setdefault`, so that two threads that come here at the same time get the same source.
            mine.source = sources.setdefault(call, call.source.copied(scope.token) if known is None else known)
    graph = Graph(calls, [own[node] for node in outputs], [own[node] for node in sinks])
    return graph.copied_from(own)


def _reached(wanted: Iterable[Call]) -> list[Call]:
    """Returns the calls and all that they depend on, in the order in which they were made."""
    found: set[Call] = set()
    waiting = list(wanted)
    while waiting:
        call = waiting.pop()
        if call not in found:
            found.add(call)
            waiting.extend(node.call for node in call.dependencies)
    return sorted(found, key=lambda call: call.order)


def _names(calls: Sequence[Call], scope: Scope) -> dict[Call, str]:
    """Names the calls: as the user did, else as in the scope, else with a free name.

    Raises:
        GraphError: a name was given twice.
    """
    names: dict[Call, str] = {}
    taken: dict[str, Call] = {}
    for call in calls:
        if call.named:
            assert call.name is not None
            if call.name in taken:
                raise GraphError(
                    f"the name {call.name!r} is used twice in this pipeline, by {taken[call.name].description}, and by "
                    f"{call.operator.display_name}, defined at {call.site}; names must be unique"
                )
            names[call] = call.name
            taken[call.name] = call
    # Calls of the scope come first, so that calls from elsewhere do not rename them.
    numbers: dict[str, int] = {}
    for call in sorted((call for call in calls if not call.named), key=lambda call: call.scope is not scope):
        name = call.name if call.scope is scope else None
        while name is None or name in taken:
            number = numbers.get(call.operator.name, len(calls))
            numbers[call.operator.name] = number + 1
            name = automatic_name(call.operator, number)
        names[call] = name
        taken[name] = call
    return names
