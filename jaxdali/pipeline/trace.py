"""Which pipeline the `fn` functions are drawing into, and what they have drawn."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import GraphError
from .node import DataNode, Operator, check_nodes, definition_site

__all__ = ["Graph", "add_operator", "current_graph"]

_stack = threading.local()


class Graph:
    """Operators in the order in which they were written."""

    def __init__(self) -> None:
        self.operators: list[Operator] = []
        self.outputs: list[DataNode] | None = None
        self.random_operators = 0
        self._names: set[str] = set()

    def unique_name(self, kind: str, name: str | None) -> str:
        """`name`, or a new one in DALI's manner: "__Uniform_3".

        Raises:
            GraphError: the name is taken.
        """
        if name is None:
            camel = "".join(part.capitalize() for part in kind.split(".")[-1].split("_"))
            name = f"__{camel}_{len(self.operators)}"
        if not isinstance(name, str) or not name:
            raise GraphError(f"the name of fn.{kind} must be text, got {name!r}")
        if name in self._names:
            raise GraphError(f"the name {name!r} is used twice in this pipeline; names must be unique")
        self._names.add(name)
        return name

    def set_outputs(self, outputs: Sequence[Any]) -> None:
        """Declares what `run` returns. Lists and tuples are flattened.

        Raises:
            GraphError: none, or something that is no node of this graph.
        """
        nodes = list(_flatten(outputs))
        if not nodes:
            raise GraphError("the pipeline has no outputs; return at least one DataNode")
        for position, node in enumerate(nodes):
            if not isinstance(node, DataNode):
                raise GraphError(
                    f"output {position} of the pipeline is a {type(node).__name__}, expected a DataNode. "
                    "Constants can be returned by the source."
                )
            if node.operator not in self.operators:
                raise GraphError(f"output {position} ({node!r}) belongs to another pipeline")
        self.outputs = nodes


def _flatten(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _flatten(item)
    else:
        yield value


@contextmanager
def drawing(graph: Graph) -> Iterator[Graph]:
    """Makes `graph` the one that `fn` functions of this thread draw into."""
    if not hasattr(_stack, "graphs"):
        _stack.graphs = []
    _stack.graphs.append(graph)
    try:
        yield graph
    finally:
        _stack.graphs.pop()


def current_graph(kind: str) -> Graph:
    """The graph being drawn.

    Raises:
        GraphError: there is none.
    """
    graphs = getattr(_stack, "graphs", [])
    if not graphs:
        raise GraphError(
            f"fn.{kind} was called outside of a pipeline. Call it in a function decorated with @pipeline_def; "
            "for use in your own jit there are the functions of jaxdali.image and jaxdali.random."
        )
    return graphs[-1]


def add_operator(
    kind: str,
    evaluate: Callable[..., Any] | None,
    inputs: Sequence[Any] = (),
    arguments: Mapping[str, Any] | None = None,
    *,
    device: str | None = None,
    name: str | None = None,
    draws: bool = False,
    settings: Any = None,
    keeps_extents: bool = False,
) -> Operator:
    """Adds an operator to the pipeline being defined.

    Args:
        kind: name of the `fn` function.
        evaluate, keeps_extents: see `Operator`.
        device: None: that of the first input, "cpu" without inputs.
        draws: the operator is random; it gets its number among the random ones.

    Raises:
        GraphError: outside of a pipeline, a foreign node, a name used twice.
    """
    graph = current_graph(kind)
    check_nodes(kind, inputs)
    if device is None:
        device = "gpu" if inputs and inputs[0].device in ("gpu", "mixed") else "cpu"
    devices = ("cpu", "mixed") if kind.startswith("decoders.") else ("cpu", "gpu")
    if device not in devices:
        raise GraphError(f"device of fn.{kind} must be one of {', '.join(devices)}, got {device!r}")
    operator = Operator(
        kind=kind,
        name=graph.unique_name(kind, name),
        device=device,
        inputs=tuple(inputs),
        arguments=dict(arguments or {}),
        evaluate=evaluate,
        random_index=graph.random_operators if draws else None,
        site=definition_site(),
        settings=settings,
        keeps_extents=keeps_extents,
    )
    for node in operator.dependencies:
        if node.operator not in graph.operators:
            raise GraphError(f"{node!r} belongs to another pipeline than fn.{kind} at {operator.site}")
    graph.random_operators += draws
    graph.operators.append(operator)
    return operator
