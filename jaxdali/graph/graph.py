"""A pipeline's graph, which is found from its outputs."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence

from ..errors import GraphError
from .call import Call, DataNode, automatic_name, map_nodes
from .scope import Scope

__all__ = ["Graph", "find_graph"]


class Graph:
    """The calls that outputs and sinks need, each behind those that it needs itself.

    They are this graph's own, with their names and random numbers: what they were made from may belong to other
    pipelines, too.

    Attributes:
        calls: in the order in which they were made.
        outputs: what a run returns.
        sinks: what is computed as well.
    """

    def __init__(self, calls: Sequence[Call], outputs: Sequence[DataNode], sinks: Sequence[DataNode] = ()):
        self.calls = list(calls)
        self.outputs = list(outputs)
        self.sinks = list(sinks)
        self._own: dict[DataNode, DataNode] = {}

    def own(self, node: DataNode) -> DataNode | None:
        """This graph's node for one that the user has; None: no output depends on it."""
        return self._own.get(node)

    def copied_from(self, own: dict[DataNode, DataNode]) -> Graph:
        """The graph, which knows of each of the user's nodes what it is here."""
        self._own = {**own, **{node: node for node in own.values()}}
        return self


def find_graph(
    outputs: Sequence[DataNode],
    sinks: Sequence[DataNode],
    scope: Scope,
    sources: dict[Call, object] | None = None,
) -> Graph:
    """Finds what outputs and sinks need, and the calls of the scope that are to be preserved.

    A random call of the scope has the number that it has there, so that what is drawn does not depend on what is pruned or
    how outputs are ordered. Those that were made elsewhere follow, in the order in which they were made.

    Args:
        sources: of graphs that were found of the same pipeline before, by the user's calls: what was fed stays fed.

    Raises:
        GraphError: no outputs, or a name was given twice, or data that only one pipeline can have are another's.
    """
    if not outputs:
        raise GraphError("the pipeline has no outputs; return at least one DataNode")
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
            if call.operator.draws:
                mine.number = elsewhere.setdefault(call.first or call, scope.draws + len(elsewhere))
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
            # Of two threads that ask at the same time both get the same.
            mine.source = sources.setdefault(call, call.source.copied(scope.token) if known is None else known)
    graph = Graph(calls, [own[node] for node in outputs], [own[node] for node in sinks])
    return graph.copied_from(own)


def _reached(wanted: Iterable[Call]) -> list[Call]:
    """The calls, and all that they depend on, in the order in which they were made."""
    found: set[Call] = set()
    waiting = list(wanted)
    while waiting:
        call = waiting.pop()
        if call not in found:
            found.add(call)
            waiting.extend(node.call for node in call.dependencies)
    return sorted(found, key=lambda call: call.order)


def _names(calls: Sequence[Call], scope: Scope) -> dict[Call, str]:
    """The names that the user gave, and for the others those that they have in the scope, or that are free.

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
                    f"{call.operator.spoken}, defined at {call.site}; names must be unique"
                )
            names[call] = call.name
            taken[call.name] = call
    # Those of the scope first: what is found elsewhere must not rename them.
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
