"""What a pipeline looks like to a person: its options, its state, and its graph."""

from __future__ import annotations

from ..graph.call import Call
from .definition import Definition, known_graph

__all__ = ["pipeline_as_text"]

_MOST_CALLS = 40


def pipeline_as_text(kind: str, seed: int, definition: Definition) -> str:
    """Returns the repr of a pipeline: a line for it, one for each operator, and one for what it returns.

    Args:
        kind: its class.
    """
    calls, outputs = known_graph(definition)
    lines = [f"{kind}(batch_size={definition.batch_size}, seed={seed}, {definition.state.value})"]
    lines += [f"  {_call_as_text(call)}" for call in calls[:_MOST_CALLS]]
    if len(calls) > _MOST_CALLS:
        lines.append(f"  ... and {len(calls) - _MOST_CALLS} more operators")
    if outputs:
        lines.append(f"  return {', '.join(node.name for node in outputs)}")
    return "\n".join(lines)


def _call_as_text(call: Call) -> str:
    results = ", ".join(dict.fromkeys(node.name for node in call.outputs)) or call.label
    device = "" if call.device == "cpu" else f', device="{call.device}"'
    inputs = ", ".join(node.name for node in call.operands)
    return f"{results} = {call.operator.display_name}({inputs}{device})".replace("(, ", "(")
