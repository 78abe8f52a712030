"""Converts a graph to JSON's types and back: the calls with their arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jaxdali.errors import ConfigError, ConfigTypeError, GraphError, check_integer
from .call import Call, DataNode
from .declarations import operator_named
from .document import MOST_CALLS
from .graph import Graph
from .json_values import from_plain, to_plain

__all__ = ["dump_graph", "load_graph"]

# The fields of a call itself, next to the arguments of its operator.
_FIELDS = ("device", "name", "named", "preserve", "site", "number")


def dump_graph(graph: Graph) -> dict[str, Any]:
    """Converts a graph to numbers, strings, lists and dictionaries.

    Raises:
        GraphError: a call has a Python object as an argument, or there are too many calls.
    """
    if len(graph.calls) > MOST_CALLS:
        raise GraphError(f"a graph of {len(graph.calls)} calls cannot be saved, at most {MOST_CALLS} can")
    numbers = {call: number for number, call in enumerate(graph.calls)}
    calls = []
    for call in graph.calls:
        if (reason := call.operator.unsaved(call)) is not None:
            raise GraphError(f"{call.description}, cannot be saved: {reason}")
        try:
            given = {
                "inputs": to_plain(list(call.inputs), numbers),
                "params": {name: to_plain(value, numbers) for name, value in call.params.items()},
                "hints": {name: to_plain(value, numbers) for name, value in call.hints.items()},
            }
            if call.branch:
                given["branch"] = to_plain(list(call.branch), numbers)
        except ConfigTypeError as error:
            raise GraphError(f"an argument of {call.description} cannot be saved: {error}") from error
        calls.append({"operator": call.operator.name, **given, **{name: getattr(call, name) for name in _FIELDS}})
    return {
        "calls": calls,
        "outputs": to_plain(graph.outputs, numbers),
        "sinks": to_plain(graph.sinks, numbers),
    }


def load_graph(saved: Mapping[str, Any]) -> Graph:
    """Restores the graph that was given to `dump_graph`; checks its calls as if they were newly written.

    Raises:
        ConfigError: a call cannot be made, for example because a folder is empty now.
        KeyError, TypeError, ValueError, IndexError, AttributeError: `dump_graph` did not write this.
    """
    if len(saved["calls"]) > MOST_CALLS:
        raise ValueError(f"{len(saved['calls'])} calls, expected at most {MOST_CALLS}")
    calls: list[Call] = []
    names: set[str] = set()
    for entry in saved["calls"]:
        calls.append(_load_call(entry, calls))
        name = calls[-1].label
        if name in names:
            raise ConfigError(f"two calls of the saved pipeline are called {name!r:.80}")
        names.add(name)
    return Graph(calls, _nodes(saved["outputs"], calls, least=1), _nodes(saved["sinks"], calls))


def _load_call(saved: Mapping[str, Any], calls: list[Call]) -> Call:
    operator = operator_named(str(saved["operator"]))
    params = {str(name): from_plain(value, calls) for name, value in saved["params"].items()}
    hints = {str(name): from_plain(value, calls) for name, value in saved["hints"].items()}
    name, site = saved["name"], saved["site"]
    if not isinstance(name, str) or not name or not isinstance(site, str):
        raise ValueError(f"a call with the name {name!r:.80}, written at {site!r:.80}")
    call = operator.from_saved(_nodes(saved["inputs"], calls), params, hints, device=saved["device"])
    if operator.unsaved(call) is not None:
        raise ValueError(f"{name!r:.80} of {operator.display_name} is Python")
    if call.source is not None:
        call.source = call.source.copied(call)  # a copy for this graph
    call.name, call.site = name, site
    call.named, call.preserve = saved["named"] is True, saved["preserve"] is True
    call.branch = tuple(_branch(entry) for entry in from_plain(saved.get("branch", []), calls))
    if operator.is_random:
        call.number = check_integer(f"the number of {name}", saved["number"], 0, (1 << 63) - 1)
    return call


def _branch(entry: Any) -> tuple[DataNode, bool]:
    node, taken = entry
    if not isinstance(node, DataNode) or not isinstance(taken, bool):
        raise TypeError(f"expected a node and whether it is true, got {entry!r:.80}")
    return node, taken


def _nodes(saved: object, calls: list[Call], least: int = 0) -> list[DataNode]:
    nodes = from_plain(saved, calls)
    if not isinstance(nodes, list) or len(nodes) < least or not all(isinstance(node, DataNode) for node in nodes):
        raise TypeError(f"expected a list of nodes, got {saved!r:.80}")
    return nodes
