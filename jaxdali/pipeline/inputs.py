"""External sources that are fed: which node is meant, and what it is handed."""

from __future__ import annotations

from typing import Any

from ..errors import ConfigError, NoInputError
from ..source.fed import FedSource
from .node import DataNode
from .source_spec import SourceSpec
from .trace import Graph

__all__ = ["feed_input", "find_input"]


def find_input(graph: Graph, node: str | DataNode) -> SourceSpec:
    """The external source of a node, or of its name.

    Raises:
        NoInputError: there is none that can be fed.
    """
    specs = {op.name: op.settings for op in graph.operators if isinstance(op.settings, SourceSpec)}
    fed = [name for name, spec in specs.items() if isinstance(spec.source, FedSource)]
    name = node.operator.name if isinstance(node, DataNode) else node
    own = not isinstance(node, DataNode) or node.operator in graph.operators
    if own and name in specs and name not in fed:
        raise NoInputError(f"Cannot use `feed_input` on the external source {name!r}: it has a source of its own")
    if not own or name not in fed:
        raise NoInputError(f"Could not find an input operator with name {name!r}; those that can be fed are {fed}")
    return specs[name]


def feed_input(graph: Graph, node: str | DataNode, data: Any, layout: str | None, batch_size: int) -> None:
    """Hands a batch to the external source of a node.

    Raises:
        NoInputError: there is none that can be fed.
        ConfigError: another layout than it declares.
        SourceDataError: no batch.
    """
    spec = find_input(graph, node)
    declared = spec.layout[0] or ""
    if layout is not None and layout != declared:
        raise ConfigError(
            f"feed_input got layout={layout!r}, but the external source declares {declared!r}; give it layout="
        )
    spec.source.feed(data, batch_size)
