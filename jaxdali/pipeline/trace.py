"""Which pipeline the `fn` functions are drawing into, and what they have drawn."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import GraphError
from ..types import Constant
from .node import DataNode, Operator, check_nodes, definition_site, spoken

__all__ = [
    "Graph",
    "add_operator",
    "current_graph",
    "current_owner",
    "drawing",
    "drawn_graph",
    "pop_drawing",
    "push_drawing",
]

_stack = threading.local()


class Graph:
    """Operators in the order in which they were written."""

    def __init__(self) -> None:
        self.operators: list[Operator] = []
        self.outputs: list[DataNode] | None = None
        self.sinks: list[DataNode] = []
        self.random_operators = 0
        # How it was drawn, see recording.py.
        self.calls: list[Any] = []
        self.is_recording = False
        # Which one it is, see identity.py; known once it is built.
        self.identity: Any = None
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
            raise GraphError(f"the name of {spoken(kind)} must be text, got {name!r}")
        if name in self._names:
            raise GraphError(f"the name {name!r} is used twice in this pipeline; names must be unique")
        self._names.add(name)
        return name

    def set_outputs(self, nodes: Sequence[DataNode]) -> None:
        """Declares what `run` returns.

        Raises:
            GraphError: none, or a node of another graph.
        """
        if not nodes:
            raise GraphError("the pipeline has no outputs; return at least one DataNode")
        for position, node in enumerate(nodes):
            if node.operator not in self.operators:
                raise GraphError(f"output {position} ({node!r}) belongs to another pipeline")
        self.outputs = list(nodes)

    def add_sink(self, node: DataNode) -> None:
        """Has a node computed that no output needs.

        Raises:
            GraphError: it is no node of this graph.
        """
        if not isinstance(node, DataNode) or node.operator not in self.operators:
            raise GraphError(f"add_sink wants a DataNode of this pipeline, got {node!r}")
        self.sinks.append(node)


@contextmanager
def drawing(graph: Graph, owner: Any = None) -> Iterator[Graph]:
    """Makes `graph` the one that `fn` functions of this thread draw into.

    Args:
        owner: what `current_owner` says meanwhile.
    """
    push_drawing(graph, owner)
    try:
        yield graph
    finally:
        pop_drawing()


def push_drawing(graph: Graph, owner: Any) -> None:
    """Begins to draw, until `pop_drawing`."""
    if not hasattr(_stack, "graphs"):
        _stack.graphs = []
    _stack.graphs.append((graph, owner))


def pop_drawing() -> None:
    """Undoes the last `push_drawing` of this thread.

    Raises:
        GraphError: there is none.
    """
    if not getattr(_stack, "graphs", []):
        raise GraphError("no pipeline is being drawn into; pop_current must follow push_current")
    _stack.graphs.pop()


def current_owner() -> Any:
    """Whose graph is being drawn; None: nobody's."""
    graphs = getattr(_stack, "graphs", [])
    return graphs[-1][1] if graphs else None


def drawn_graph() -> Graph | None:
    """The graph being drawn; None: there is none."""
    graphs = getattr(_stack, "graphs", [])
    return graphs[-1][0] if graphs else None


def current_graph(kind: str) -> Graph:
    """The graph being drawn.

    Raises:
        GraphError: there is none.
    """
    graph = drawn_graph()
    if graph is None:
        raise GraphError(
            f"{spoken(kind)} was called outside of a pipeline. Call it in a function decorated with @pipeline_def; "
            "for use in your own jit there are the functions of jaxdali.image and jaxdali.random."
        )
    return graph


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
        raise GraphError(f"device of {spoken(kind)} must be one of {', '.join(devices)}, got {device!r}")
    operator = Operator(
        kind=kind,
        name=graph.unique_name(kind, name),
        device=device,
        inputs=tuple(inputs),
        arguments={
            name: value.value if isinstance(value, Constant) else value for name, value in (arguments or {}).items()
        },
        evaluate=evaluate,
        random_index=graph.random_operators if draws else None,
        site=definition_site(),
        settings=settings,
        keeps_extents=keeps_extents,
    )
    for node in operator.dependencies:
        if node.operator not in graph.operators:
            raise GraphError(f"{node!r} belongs to another pipeline than {spoken(kind)} at {operator.site}")
    graph.random_operators += draws
    graph.operators.append(operator)
    return operator
