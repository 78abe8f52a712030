"""The graph that a pipeline function draws: operators, and the nodes between them."""

from __future__ import annotations

import dataclasses
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import GraphError

__all__ = ["DataNode", "Operator", "definition_site"]

# Frames of the package itself do not tell the user where an operator was written.
_PACKAGE = __name__.rsplit(".", 2)[0]


class DataNode:
    """An edge of a pipeline: one output of an operator, later one batch after the other.

    Attributes:
        name: unique in its pipeline.
        device: "cpu", "mixed" or "gpu": where the operator that makes it was placed.
    """

    def __init__(self, operator: Operator, index: int, name: str, device: str):
        self.operator = operator
        self.index = index
        self.name = name
        self.device = device

    def __repr__(self) -> str:
        return f'DataNode(name="{self.name}", device="{self.device}")'

    def __bool__(self) -> bool:
        raise TypeError(
            f"{self!r} has no value while the pipeline is being defined, so it cannot decide an `if`. Choose with "
            "arithmetic on the data, or decide in the source."
        )

    def __iter__(self) -> Any:
        raise TypeError(f"{self!r} is one output and cannot be unpacked; give the operator num_outputs=")


@dataclasses.dataclass(eq=False)
class Operator:
    """One call of an `fn` function.

    Attributes:
        kind: the function's name, e.g. "decoders.image".
        name: unique in its pipeline.
        inputs: nodes it works on.
        arguments: constants, or nodes that give one value a sample.
        evaluate: `(context, inputs, arguments) -> value`, traced by JAX; None for sources.
        random_index: position among the pipeline's random operators; None where nothing is drawn.
        site: where the user wrote it, "file:line".
        settings: anything else that the compiler needs to know.
    """

    kind: str
    name: str
    device: str
    inputs: Sequence[DataNode]
    arguments: Mapping[str, Any]
    evaluate: Callable[..., Any] | None
    random_index: int | None = None
    site: str = ""
    settings: Any = None
    outputs: list[DataNode] = dataclasses.field(default_factory=list)

    def node(self, index: int | None = None) -> DataNode:
        """Adds an output: the only one, or number `index` of several."""
        name = self.name if index is None else f"{self.name}[{index}]"
        node = DataNode(self, index or 0, name, self.device)
        self.outputs.append(node)
        return node

    @property
    def dependencies(self) -> list[DataNode]:
        """Every node that must exist before this operator can run."""
        return [*self.inputs, *(v for v in self.arguments.values() if isinstance(v, DataNode))]


def definition_site() -> str:
    """'file:line' of the innermost caller outside this package."""
    for frame in reversed(traceback.extract_stack()):
        if f"/{_PACKAGE}/" not in frame.filename:
            return f"{frame.filename}:{frame.lineno}"
    return "unknown"


def check_nodes(kind: str, inputs: Sequence[Any]) -> None:
    """Raises GraphError where an input of an operator is no DataNode."""
    for value in inputs:
        if not isinstance(value, DataNode):
            hint = "; unpack the list that num_outputs= gives" if isinstance(value, list) else ""
            raise GraphError(f"fn.{kind} works on DataNodes, got {type(value).__name__}{hint}")
