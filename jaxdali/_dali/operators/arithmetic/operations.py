"""Arithmetic between nodes: operators with DALI's types, shapes and numbers."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.constants import Constant, ScalarConstant
from jaxdali._base.dtypes import from_numpy_type
from jaxdali.errors import ConfigError, ConfigTypeError, GraphError
from ...graph.call import Call, DataNode, Params
from ...graph.declarations import declare
from ...graph.scope import new_call
from ...graph.unset import Unset
from ..argument_kinds import Kind
from ..constant import constant_array, constant_node
from ..declaration import Operator, Static
from ..extent_bounds import most_of_result
from ..float64 import is_narrowed, warn_of_narrowing
from ..int64_values import narrow_integers, wide_type
from ..values import BatchValue, Context

__all__ = ["FUNCTIONS", "OPERATIONS", "SYMBOLS", "Operation"]

_UNARY = ("minus", "bitnot")
_MOST_AXES = 32

# How operations are written, by DALI's names.
SYMBOLS = {
    **{"add": "+", "sub": "-", "mul": "*", "fdiv": "/", "div": "//", "mod": "%", "pow": "**", "minus": "unary -"},
    **{"bitand": "&", "bitor": "|", "bitxor": "^", "bitnot": "~", "lshift": "<<", "rshift": ">>"},
    **{"eq": "==", "neq": "!=", "lt": "<", "leq": "<=", "gt": ">", "geq": ">="},
}
# The functions of `jaxdali.math`: their operands, and their documentation.
FUNCTIONS: dict[str, tuple[tuple[str, ...], str]] = {
    "abs": (("input",), "Absolute value, of the same type; the smallest integer of a type stays as it is."),
    "acos": (("input",), "Arc cosine, in radians."),
    "acosh": (("input",), "Inverse hyperbolic cosine; NaN below 1."),
    "asin": (("input",), "Arc sine, in radians."),
    "asinh": (("input",), "Inverse hyperbolic sine."),
    "atan": (("input",), "Arc tangent, in radians."),
    "atan2": (("x", "y"), "Arc tangent of `x / y` in the right quadrant, in radians. One of them may be a constant."),
    "atanh": (("input",), "Inverse hyperbolic tangent."),
    "cbrt": (("input",), "Cube root."),
    "ceil": (("input",), "The smallest whole number that is not below it, as a float."),
    "clamp": (
        ("value", "lo", "hi"),
        "`min(max(value, lo), hi)`, of the type that all three have in common. Two of them may be constants.",
    ),
    "cos": (("input",), "Cosine of radians."),
    "cosh": (("input",), "Hyperbolic cosine."),
    "exp": (("input",), "`e` to the power of it."),
    "fabs": (("input",), "Absolute value, as a float."),
    "floor": (("input",), "The largest whole number that is not above it, as a float."),
    "fpow": (("base", "exponent"), "`base ** exponent` as a float. One of them may be a constant."),
    "log": (("input",), "Natural logarithm."),
    "log10": (("input",), "Logarithm with base 10."),
    "log2": (("input",), "Logarithm with base 2."),
    "max": (
        ("left", "right"),
        "The larger one; `right` where they do not compare (NaN). One of them may be a constant.",
    ),
    "min": (
        ("left", "right"),
        "The smaller one; `right` where they do not compare (NaN). One of them may be a constant.",
    ),
    "pow": (
        ("base", "exponent"),
        "`base ** exponent`. One of them may be a constant. Of integers an integer, modulo the range of its type, and 0 for "
        "negative exponents.",
    ),
    "rsqrt": (("input",), "`1 / sqrt(input)`; infinite at 0."),
    "sin": (("input",), "Sine of radians."),
    "sinh": (("input",), "Hyperbolic sine."),
    "sqrt": (("input",), "Square root; NaN of negative numbers."),
    "tan": (("input",), "Tangent of radians."),
    "tanh": (("input",), "Hyperbolic tangent."),
}


def _operands(word: str, value: object) -> tuple[np.ndarray | None, ...]:
    if not isinstance(value, tuple | list):
        raise ConfigError(f"{word} must be a tuple of arrays, got {value!r:.80}")
    return tuple(None if entry is None else _array(word, entry) for entry in value)


def _array(word: str, value: Any) -> np.ndarray:
    array = np.asarray(value)
    from_numpy_type(array.dtype.newbyteorder("="))
    if array.ndim > _MOST_AXES or not array.dtype.isnative:
        raise ConfigError(
            f"{word} must be arrays of this machine's bytes, of at most {_MOST_AXES} axes, got {value!r:.80}"
        )
    return array


class Operation(Operator):
    """An operation between nodes and constants, element by element.

    The parameter `constants` has one entry per operand: an array for a constant, None for a node. The nodes are the
    inputs, in order.
    """

    @property
    def kind(self) -> str:
        """DALI's name of the operation, such as "add" for `+`."""
        return self.name.removeprefix("math.")

    def add_to_graph(self, operands: Sequence[Any], named: Params) -> DataNode:
        """Makes a node for the result.

        Args:
            operands: nodes; numbers, arrays, lists of numbers, `types.Constant`. At least one node, or constant that is
                not a single number.
            named: the operands that were given by name.

        Raises:
            ConfigTypeError: an operand is something else.
            ConfigError: a number does not fit its type.
        """
        names, _ = FUNCTIONS.get(self.kind, (("a", "b"), ""))
        later = [name for name in names[len(operands) :] if name in named]
        operands = [*operands, *(named[name] for name in later)]
        if len(later) < len(named) or (self.kind in FUNCTIONS and len(operands) != len(names)):
            raise ConfigTypeError(f"{self.display_name} takes {', '.join(names)}; got {[*operands, *named]!r:.80}")
        if not any(isinstance(operand, DataNode) for operand in operands):
            operands = _with_nodes(operands)
        if not any(isinstance(operand, DataNode) for operand in operands):
            raise ConfigTypeError(
                f"{self.display_name} expects at least one DataNode among its operands, or a types.Constant that is not a "
                "single "
                "number: give it a device="
            )
        inputs: list[DataNode] = []
        constants: list[np.ndarray | None] = []
        for operand in operands:
            if isinstance(operand, Constant) and (operand.layout or operand.device):
                operand = constant_node(operand)
            if isinstance(operand, DataNode):
                inputs.append(operand)
                constants.append(None)
            else:
                constants.append(self._constant(operand))
        call = new_call(self, {"constants": tuple(constants)}, inputs, device=self._near(inputs))
        return call.outputs[0]

    def from_saved(self, inputs: Any, params: Any, hints: Any, device: str) -> Call:
        """See `Operator`."""
        nodes = list(inputs)
        if params.keys() != {"constants"} or hints:
            raise ConfigError(
                f"{self.display_name} has the parameter constants, got {sorted(params)} and {sorted(hints)}"
            )
        constants = _operands(self.word("constants"), params["constants"])
        names, _ = FUNCTIONS.get(self.kind, (("a", "b"), ""))
        wanted = 1 if self.kind in _UNARY else len(names)
        if not nodes or sum(constant is None for constant in constants) != len(nodes) or len(constants) != wanted:
            raise ConfigError(
                f"{self.display_name} expects {wanted} operand(s), a node for each that is not a constant, got {len(nodes)} "
                f"node(s) and {constants!r:.80}"
            )
        call = Call(operator=self, params={"constants": constants}, inputs=tuple(nodes), device=self._near(nodes))
        call.add_outputs(None)
        return call

    def _near(self, inputs: list[DataNode]) -> str:
        return "gpu" if any(node.device in ("gpu", "mixed") for node in inputs) else "cpu"

    def _constant(self, operand: object) -> np.ndarray:
        if isinstance(operand, Constant) and operand.kind is None:
            return operand.value
        if isinstance(operand, Unset):
            raise GraphError(f"{self.display_name} got something that is not an operand: {operand!r}")
        try:
            if isinstance(operand, Constant | enum.Enum):
                raise ConfigError(f"{operand!r} is not a number")
            return Constant(operand).value
        except ConfigError as error:
            if isinstance(operand, int | float) and not isinstance(operand, enum.Enum):
                raise
            raise ConfigTypeError(
                f"Argument to arithmetic operation not supported. {self.display_name} got {type(operand).__name__}, "
                "expected a DataNode, a number, an array, a list of numbers or a types.Constant"
            ) from error


def _with_nodes(operands: Sequence[object]) -> list[object]:
    """Returns operands with nodes in place of constants that are not a single number."""
    return [
        constant_node(one)
        if isinstance(one, Constant) and one.kind is None and not isinstance(one, ScalarConstant)
        else one
        for one in operands
    ]


def _compute(context: Context, *values: BatchValue, constants: Any) -> BatchValue:
    import jax.numpy as jnp

    from .broadcasting import aligned, common_layout, inside
    from .elementwise import compute
    from .int64_arithmetic import compute_narrowed

    operation: Any = context.call.operator
    where = f"{operation.display_name} at {context.call.site}"
    rest = iter(values)
    operands = [next(rest) if array is None else _constant_value(array) for array in constants]
    layout = common_layout(operands, operation.display_name)
    arrays, shapes = aligned(context, operands, where)

    def require(right: Any, otherwise: str) -> None:
        right = right if shapes is None else right | ~inside(right, shapes)
        holds = jnp.broadcast_to(right.all(axis=tuple(range(1, right.ndim))), (context.samples,))
        context.require(holds, otherwise)

    wide, narrow = _wide_result(operation.kind, operands)
    if is_narrowed(wide):
        warn_of_narrowing(context.call)
    if narrow is None:
        result = compute(operation.kind, *arrays)
    else:
        result, right = compute_narrowed(context, operation.kind, arrays, narrow)
        require(right, f"a result needs more than the 32 bits that JAX has without jax_enable_x64, in {where}")
    if operation.kind in ("div", "mod") and result.dtype.kind != "f":
        require(arrays[1] != 0, f"Integer division by zero, in {where}")
    return BatchValue(result, shapes, layout, wide).bounded(most_of_result(operation.kind, operands, constants))


def _constant_value(array: np.ndarray) -> BatchValue:
    return BatchValue(constant_array(array)[None], wide=wide_type(array.dtype))


def _wide_result(kind: str, operands: Sequence[BatchValue]) -> tuple[np.dtype | None, np.dtype | None]:
    """Returns the 64-bit type that DALI gives the result, None if JAX has its type; and the type in which JAX computes
    integers of 64 bits, else None.
    """
    from .promotion import result_type

    if all(operand.wide is None for operand in operands):
        return None, None
    target = result_type(kind, *(operand.wide or operand.data.dtype for operand in operands))
    return wide_type(target), narrow_integers(target)


def _operation(kind: str) -> Any:
    return declare(
        Operation(
            name=f"math.{kind}",
            namespace="",
            display=f"operator `{SYMBOLS[kind]}`" if kind in SYMBOLS else "",
            doc=FUNCTIONS[kind][1] if kind in FUNCTIONS else f"`{SYMBOLS[kind]}` between nodes.",
            params=[Static("constants", Kind("Sequence[np.ndarray | None]", _operands), None, "those of the operands")],
            compute=_compute,
        )
    )


OPERATIONS = {kind: _operation(kind) for kind in dict.fromkeys([*SYMBOLS, *FUNCTIONS])}
