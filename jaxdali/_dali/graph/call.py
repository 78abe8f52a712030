"""Calls of operators, and the nodes between them."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from jaxdali._base.constants import Constant, compute_constants_with
from jaxdali._base.dtypes import INT64, DALIDataType
from jaxdali.errors import ConfigTypeError
from .class_names import class_name
from .declarations import Declared, operator_named
from .methods import only_called
from .numpy_of_nodes import call_function, call_ufunc, refuse_array, refuse_attribute, refuse_number

__all__ = ["Call", "DataNode", "MutableParams", "Params", "map_nodes", "nodes_in"]

# Parameters by name. An operator's declaration says what each may hold.
Params = Mapping[str, Any]
MutableParams = dict[str, Any]

_orders = itertools.count()


@dataclasses.dataclass(eq=False, kw_only=True)
class Call:
    """One call of an operator, as data: it can be run, saved and compared.

    Attributes:
        operator: its declaration.
        params: the values of all arguments that may change the result, checked and normalized. They may contain nodes,
            also inside tuples and slices; a node stands for its value for the sample.
        inputs: the nodes that it works on.
        hints: arguments that change no result.
        device: "cpu", "mixed" or "gpu".
        name: given by the user (`named`), or unique among the calls of its scope; None if it has no name yet.
        preserve: compute it even if no output depends on it.
        source: for a call that produces data, what its parameters describe; it has `copied(owner)`, for a graph.
        site: where the user wrote it, "file:line".
        scope: the `Scope` that it was made in; None if there was none.
        first: with several sets of inputs, the call for the first set, which has the same operator and whose draws this
            one shares.
        number: its position among the random calls of its scope; None if it is not random or has no scope.
        branch: the branches that it was written in, from the outside in: pairs of a node and the truth value that it
            must have. Only the results of samples that take all these branches are used.
        order: the number of calls that were made before it in this process.
        outputs: its nodes.
    """

    operator: Declared
    params: Params
    inputs: Sequence[DataNode] = ()
    hints: Params = dataclasses.field(default_factory=dict)
    device: str = "cpu"
    name: str | None = None
    named: bool = False
    preserve: bool = False
    source: Any = None
    site: str = ""
    scope: Any = None
    first: Call | None = None
    number: int | None = None
    branch: Sequence[tuple[DataNode, bool]] = ()
    order: int = dataclasses.field(default_factory=_orders.__next__)
    outputs: Sequence[DataNode] = ()

    def add_outputs(self, count: int | None) -> None:
        """Makes its nodes: one if `count` is None, else `count` numbered ones."""
        self.outputs = [DataNode(self, index, count is not None) for index in range(1 if count is None else count)]

    @property
    def operands(self) -> list[DataNode]:
        """All nodes that must have values before it can run."""
        return [*self.inputs, *nodes_in(self.params)]

    @property
    def dependencies(self) -> list[DataNode]:
        """All nodes that its graph must contain: its operands and the conditions of its branches."""
        return [*self.operands, *(node for node, _ in self.branch)]

    @property
    def label(self) -> str:
        """Its name, or a stand-in until a graph names it."""
        return self.name if self.name is not None else automatic_name(self.operator, f"outside_{self.order}")

    @property
    def description(self) -> str:
        """For errors: its operator, name and site."""
        return f"{self.operator.display_name} ({self.label}), defined at {self.site}"


def automatic_name(operator: Declared, number: int | str) -> str:
    """Returns a name in DALI's style: "__Uniform_3"."""
    return f"__{class_name(operator.name.split('.')[-1])}_{number}"


def nodes_in(value: object) -> Iterator[DataNode]:
    """Yields the nodes in a parameter, or in a collection of parameters."""
    if isinstance(value, DataNode):
        yield value
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from nodes_in(entry)
    elif isinstance(value, tuple | list):
        for entry in value:
            yield from nodes_in(entry)
    elif isinstance(value, slice):
        yield from nodes_in((value.start, value.stop, value.step))


def map_nodes(value: object, function: Callable[[DataNode], object]) -> Any:
    """Returns a parameter with each node replaced by what `function` returns for it."""
    if isinstance(value, DataNode):
        return function(value)
    if isinstance(value, tuple | list):
        return type(value)(map_nodes(entry, function) for entry in value)
    if isinstance(value, slice):
        return slice(*(map_nodes(end, function) for end in (value.start, value.stop, value.step)))
    return value


_Binary = Callable[["DataNode", Any], "DataNode"]


def _binary(kind: str) -> tuple[_Binary, _Binary]:
    """Returns two methods: for a node on the left, and for one on the right."""
    name = f"math.{kind}"

    def reflected(self: Any, other: object) -> Any:
        # DALI gets a number of NumPy on the left as Python's number, because NumPy converts it.
        return operator_named(name)(other.item() if isinstance(other, np.generic) else other, self)

    return lambda self, other: operator_named(name)(self, other), reflected


def _unary(kind: str) -> Callable[[DataNode], DataNode]:
    return lambda self: operator_named(f"math.{kind}")(self)


class DataNode:
    """One output of an operator call: a placeholder for one batch after the other.

    Nodes take part in arithmetic: `+ - * / // % **`, `& | ^ ~ << >>`, comparisons, `abs`, and the functions of
    `jaxdali.math`. These work element by element, with numbers, arrays and other nodes, whose samples broadcast as in
    NumPy. The types of the results are DALI's: Python's integers are INT32 and its floats FLOAT; two types give the one
    that holds both, at most 64 bits; `/` gives floats. Integers wrap around; `//` and `%` truncate towards zero as in
    C, and a zero divisor is an error; `//` of floats is `/`.

    A node may be made anywhere, and may belong to several pipelines: each finds its graph from its outputs.

    Attributes:
        call: the call that makes it.
        index: its position among the outputs of the call.
        numbered: whether the call has several outputs.
        measured: set in a plan if the host reads the node's numbers before it calls the program that needs them: their
            upper limits in the current batch, as `operators.extents.Measured`. None if the host does not read them.
    """

    measured: Any = None

    def __init__(self, call: Call, index: int = 0, numbered: bool = False):
        self.call = call
        self.index = index
        self.numbered = numbered

    @property
    def name(self) -> str:
        """Unique in its pipeline, once the pipeline has found its graph."""
        if self.call.operator.transparent:
            return self.call.inputs[0].name
        return f"{self.call.label}[{self.index}]" if self.numbered else self.call.label

    @property
    def device(self) -> str:
        """Where the call that makes it was placed: "cpu", "mixed" or "gpu"."""
        return self.call.device

    def gpu(self) -> DataNode:
        """Returns the node itself. Outputs appear on the pipeline's device, and the device function takes what it needs
        from the host.
        """
        return self

    def cpu(self) -> DataNode:
        """Returns the node itself. Data that the host needs, for example for `fn.python_function`, are copied there."""
        return self

    def __repr__(self) -> str:
        return f'DataNode(name="{self.name}", device="{self.device}")'

    def __bool__(self) -> bool:
        from .branch_constructs import describe_branch, describe_wish  # loaded here because only this error needs it

        raise ConfigTypeError(
            f"{describe_branch()} asks whether {self!r} is true, which has no value while the pipeline is being "
            "defined. Under @pipeline_def(enable_conditionals=True) `if`, `and`, `or` and `not` take nodes, in "
            f"{describe_wish()}. Or compute both and select one "
            "with a node that is 0 or 1: `c * a + (1 - c) * b`, with `c ^ True` for `not c` of BOOL, `&` for `and`, "
            "`|` for `or`; or decide in the source"
        )

    # A node is one output: programs ask isinstance(x, Iterable) to tell it from several. A method that raises would make
    # that true, and without any, Python would ask for node[0], node[1] and so on without end. So Python's error is left,
    # and gets a note (`node_notes.advise`).
    __iter__: Any = None

    @only_called
    def shape(self, *, dtype: DALIDataType | None = None, device: str = "cpu") -> DataNode:
        """Returns a node with the shape of each sample, `[ndim]`, INT64 by default; see `fn.cast` for how 64-bit types
        are computed.
        """
        return operator_named("shape")(self, dtype=INT64 if dtype is None else dtype, device=device)

    def source_info(self, *, device: str = "cpu") -> DataNode:
        """`fn.get_property` with the key "source_info"."""
        return operator_named("get_property")(self, key="source_info", device=device)

    def __getitem__(self, key: Any) -> DataNode:
        """Returns part of each sample. The key has integers (also negative), slices with steps, `...` and
        `jaxdali.newaxis`; indices may be nodes with one integer per sample. Slices end where the sample ends; other
        indices outside the sample are an error.
        """
        return operator_named("subscript")(self, key=key if isinstance(key, tuple) else (key,))

    def __pos__(self) -> DataNode:
        return self

    # A node belongs to one graph; a copy would not be an output of its call.
    def __copy__(self) -> DataNode:
        return self

    def __deepcopy__(self, _memo: object) -> DataNode:
        return self

    def __reduce__(self) -> Any:
        raise TypeError(f"{self!r} is part of a graph and cannot be pickled; save the pipeline with Pipeline.serialize")

    def __array__(self, dtype: object = None, copy: object = None) -> NoReturn:  # else an array with one object in it
        refuse_array(self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return call_ufunc(self, ufunc.__name__, method, inputs, options)

    def __array_function__(self, function: Any, _types: Any, arguments: Any, options: Any) -> Any:
        return call_function(self, function, arguments, options)

    def __float__(self) -> NoReturn:
        refuse_number(self, "float")

    def __int__(self) -> NoReturn:
        refuse_number(self, "int")

    def __getattr__(self, name: str) -> NoReturn:
        refuse_attribute(self, name)

    # A node is hashed by identity, because `==` makes a new node.
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

    # Defined last, because it hides Python's own `property`, which decorates methods above.
    def property(self, key: str, *, device: str = "cpu") -> DataNode:
        """`fn.get_property`."""
        return operator_named("get_property")(self, key=key, device=device)


def _of_node(constant: Constant, method: str, operands: tuple[object, ...]) -> Any:
    if any(isinstance(operand, DataNode) for operand in operands):
        return NotImplemented  # so that Python asks the node
    return getattr(_make_node(constant), method)(*operands)


def _make_node(constant: Constant, **arguments: object) -> Any:
    given = {"value": constant.value, "layout": constant.layout, "device": constant.device, **arguments}
    return operator_named("constant")(**given)


compute_constants_with(_of_node, _make_node)
