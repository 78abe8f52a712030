"""The graph that a pipeline function draws: operators, and the nodes between them."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import GraphError
from ..types import INT64, DALIDataType

__all__ = ["DataNode", "Operator", "definition_site", "spoken"]

# Frames of the package itself do not tell the user where an operator was written. Its folder, not its name: users have
# folders of that name too.
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


_Binary = Callable[["DataNode", Any], "DataNode"]


def _apply(kind: str, *operands: Any) -> DataNode:
    from .arithmetic import apply  # which is made of nodes

    return apply(kind, *operands)


def _binary(kind: str) -> tuple[_Binary, _Binary]:
    """The methods for a node on the left, and on the right."""
    return lambda self, other: _apply(kind, self, other), lambda self, other: _apply(kind, other, self)


def _unary(kind: str) -> Callable[[DataNode], DataNode]:
    return lambda self: _apply(kind, self)


class DataNode:
    """An edge of a pipeline: one output of an operator, later one batch after the other.

    Nodes are computed with: `+ - * / // % **`, `& | ^ ~ << >>`, comparisons, `abs`, and the functions of `jaxdali.math`,
    element by element, with numbers, arrays and other nodes, whose samples broadcast as in NumPy. The types of the results
    are DALI's: Python's integers are INT32 and its floats FLOAT; of two types the result has the one that holds both, at
    most 64 bits; `/` gives floats. Integers wrap around; `//` and `%` cut off towards zero as C does, and a zero divisor is
    an error; `//` of floats is `/`.

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

    def shape(self, *, dtype: DALIDataType = INT64) -> DataNode:
        """A node with the shape of each sample, `[ndim]`. Without x64, where JAX has no 64-bit types, INT64 is INT32."""
        from .arithmetic import shape_node

        return shape_node(self, dtype)

    def __getitem__(self, key: Any) -> DataNode:
        """Part of each sample: integers (also negative), slices with steps, `...`, `jaxdali.newaxis`; indices may be nodes
        with one integer a sample. Slices end where the sample ends; other indices outside of it are an error.
        """
        from .subscript import subscript

        return subscript(self, key)

    def __pos__(self) -> DataNode:
        return self

    # NumPy's arrays let nodes on their right compute.
    __array_ufunc__ = None
    # An edge is itself only, whatever `==` draws.
    __hash__ = object.__hash__

    __add__, __radd__ = _binary("add")
    __sub__, __rsub__ = _binary("sub")
    __mul__, __rmul__ = _binary("mul")
    __truediv__, __rtruediv__ = _binary("fdiv")
    __floordiv__, __rfloordiv__ = _binary("div")
    __mod__, __rmod__ = _binary("mod")
    __pow__, __rpow__ = _binary("pow")
    __and__, __rand__ = _binary("bitand")
    __or__, __ror__ = _binary("bitor")
    __xor__, __rxor__ = _binary("bitxor")
    __lshift__, __rlshift__ = _binary("lshift")
    __rshift__, __rrshift__ = _binary("rshift")
    __lt__ = _binary("lt")[0]
    __le__ = _binary("leq")[0]
    __gt__ = _binary("gt")[0]
    __ge__ = _binary("geq")[0]
    __eq__ = _binary("eq")[0]  # type: ignore[assignment]
    __ne__ = _binary("neq")[0]  # type: ignore[assignment]
    __neg__, __invert__, __abs__ = _unary("minus"), _unary("bitnot"), _unary("abs")


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


_SYMBOLS = {
    **{"add": "+", "sub": "-", "mul": "*", "fdiv": "/", "div": "//", "mod": "%", "pow": "**", "minus": "unary -"},
    **{"bitand": "&", "bitor": "|", "bitxor": "^", "bitnot": "~", "lshift": "<<", "rshift": ">>"},
    **{"eq": "==", "neq": "!=", "lt": "<", "leq": "<=", "gt": ">", "geq": ">="},
}


def spoken(kind: str) -> str:
    """An operator's kind as the user wrote it: "fn.resize", "math.sqrt", "operator `+`"."""
    prefix, _, name = kind.partition(".")
    if prefix == "math":
        return f"operator `{_SYMBOLS[name]}`" if name in _SYMBOLS else kind
    return {"subscript": "the subscript", "constant": "the constant", "shape": "shape()"}.get(kind, f"fn.{kind}")


def check_nodes(kind: str, inputs: Sequence[Any]) -> None:
    """Raises GraphError where an input of an operator is no DataNode."""
    for value in inputs:
        if not isinstance(value, DataNode):
            hint = "; unpack the list that num_outputs= gives" if isinstance(value, list) else ""
            raise GraphError(f"{spoken(kind)} works on DataNodes, got {type(value).__name__}{hint}")
