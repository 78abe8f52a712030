"""Writes a graph in Graphviz's language."""

from __future__ import annotations

from .call import DataNode
from .graph import Graph

__all__ = ["graph_as_dot"]

_COLORS = {"cpu": "blue", "mixed": "cyan", "gpu": "#76b900"}


def graph_as_dot(graph: Graph, show_tensors: bool = False, use_colors: bool = False) -> str:
    """Returns the graph in Graphviz's language: a node per call, and an arrow from each call to the calls that need its
    outputs, as inputs or arguments.

    Args:
        show_tensors: also draw a box for each output of a call, between the call and those that need it.
        use_colors: colour calls by device.
    """
    lines = ["digraph pipeline {"]
    for call in graph.calls:
        color = f" [color={_quoted(_COLORS[call.device])}]" if use_colors else ""
        lines.append(f"  {_quoted(call.label)}{color};")
        if show_tensors:
            for node in call.outputs:
                lines.append(f"  {_tensor(node)} [shape=box];")
                lines.append(f"  {_quoted(call.label)} -> {_tensor(node)} [label={node.index}];")
    for call in graph.calls:
        needed = {(node if show_tensors else node.call): node for node in call.dependencies}
        lines += [
            f"  {_tensor(node) if show_tensors else _quoted(node.call.label)} -> {_quoted(call.label)};"
            for node in needed.values()
        ]
    return "\n".join([*lines, "}", ""])


def _tensor(node: DataNode) -> str:
    return _quoted(f"{node.call.label}[{node.index}]")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
