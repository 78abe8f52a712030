"""The graph that a pipeline function draws: operators, and the nodes between them."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import GraphError

__all__ = ["DataNode", "Operator", "definition_site"]

# Frames of the package itself do not tell the user where an operator was written. Its folder, not its name: users have
# folders of that name too.
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


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

    def gpu(self) -> DataNode:
        """Itself: outputs appear on the pipeline's device, and the device function takes what it needs from the host."""
        return self

    def __repr__(self) -> str:
        return f'DataNode(name="{self.name}", device="{self.device}")'

    def __bool__(self) -> bool:
        raise TypeError(
            f"{self!r} has no value while the pipeline is being defined, so it cannot decide an `if`. Decide in the "
            "source, or in your own jitted function."
        )

    def __iter__(self) -> Any:
        raise TypeError(f"{self!r} is one output and cannot be unpacked; give the operator num_outputs=")

    def _compute(self, *_: Any) -> Any:
        raise TypeError(
            f"{self!r} cannot be computed with, compared or indexed: operators are the functions of jaxdali.fn, and what "
            "they lack belongs into the source or into your own jitted function"
        )

    # Without these, `node == 3` would be False, and silently choose a branch.
    def __eq__(self, other: object) -> bool:
        return other is self or self._compute()

    __hash__ = object.__hash__
    __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = __neg__ = _compute
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _compute
    __floordiv__ = __rfloordiv__ = __mod__ = __pow__ = __and__ = __or__ = __xor__ = __invert__ = _compute


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
        keeps_extents: samples of the output are as large as those of the first input, which may differ.
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
    keeps_extents: bool = False
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
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def check_nodes(kind: str, inputs: Sequence[Any]) -> None:
    """Raises GraphError where an input of an operator is no DataNode."""
    for value in inputs:
        if not isinstance(value, DataNode):
            hint = "; unpack the list that num_outputs= gives" if isinstance(value, list) else ""
            raise GraphError(f"fn.{kind} works on DataNodes, got {type(value).__name__}{hint}")
