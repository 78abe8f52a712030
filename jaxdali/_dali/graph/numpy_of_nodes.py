"""What NumPy asks of a node: arithmetic with arrays is the node's own; everything else is an error that names what
to write.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from jaxdali.errors import GraphTypeError

__all__ = ["call_function", "call_ufunc", "refuse_array", "refuse_attribute", "refuse_number"]

# By NumPy's name: the methods of a node on the left, and on the right.
_OPERATORS = {
    **{name: (f"__{own}__", f"__r{own}__") for name, own in (("add", "add"), ("subtract", "sub"), ("multiply", "mul"))},
    **{name: (f"__{own}__", f"__r{own}__") for name, own in (("divide", "truediv"), ("floor_divide", "floordiv"))},
    **{name: (f"__{own}__", f"__r{own}__") for name, own in (("remainder", "mod"), ("power", "pow"))},
    **{f"bitwise_{own}": (f"__{own}__", f"__r{own}__") for own in ("and", "or", "xor")},
    **{name: (f"__{own}__", f"__r{own}__") for name, own in (("left_shift", "lshift"), ("right_shift", "rshift"))},
    **{"less": ("__lt__", "__gt__"), "less_equal": ("__le__", "__ge__"), "greater": ("__gt__", "__lt__")},
    **{"greater_equal": ("__ge__", "__le__"), "equal": ("__eq__", "__eq__"), "not_equal": ("__ne__", "__ne__")},
}
# NumPy's names of functions of jaxdali.math, where they differ.
_OF_MATH = {
    **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")},
    **{"absolute": "abs", "minimum": "min", "maximum": "max", "float_power": "fpow", "clip": "clamp"},
    **{
        name: name
        for name in ("sqrt", "cbrt", "exp", "log", "log2", "log10", "sin", "cos", "tan", "sinh", "cosh", "tanh")
    },
    **{name: name for name in ("ceil", "floor", "fabs")},
}
_FUNCTIONS = {
    **dict.fromkeys(("mean", "average"), "fn.reductions.mean(node)"),
    "sum": "fn.reductions.sum(node)",
    **dict.fromkeys(("min", "amin"), "fn.reductions.min(node)"),
    **dict.fromkeys(("max", "amax"), "fn.reductions.max(node)"),
    "std": "fn.reductions.std_dev(node, mean)",
    "var": "fn.reductions.variance(node, mean)",
    "concatenate": "fn.cat(a, b, axis=)",
    **dict.fromkeys(("stack", "vstack", "hstack"), "fn.stack(a, b, axis=)"),
    "transpose": "fn.transpose(node, perm=)",
    "reshape": "fn.reshape(node, shape=)",
    "squeeze": "fn.squeeze(node, axes=)",
    "expand_dims": "fn.expand_dims(node, axes=)",
    "pad": "fn.pad(node, ...)",
    **dict.fromkeys(("flip", "fliplr"), "fn.flip(node)"),
    "clip": "jaxdali.math.clamp(node, low, high)",
    "where": "c * a + (1 - c) * b, with a node c that is 0 or 1",
}
# What a node is to functions that ask only for its kind: one object, no array.
_KINDS: dict[str, Any] = {"ndim": 0, "shape": (), "size": 1}
# Attributes and methods of arrays.
_ATTRIBUTES = {
    **{name: text for name, text in _FUNCTIONS.items() if name not in ("concatenate", "stack", "vstack", "hstack")},
    **dict.fromkeys(("astype", "to", "float", "type"), "fn.cast(node, dtype=types.FLOAT)"),
    **dict.fromkeys(("T", "permute"), "fn.transpose(node, perm=)"),
    **dict.fromkeys(("ndim", "size", "dtype"), "what node.shape() gives, a node; types are those of DALI's operators"),
    **dict.fromkeys(("numpy", "item", "tolist", "as_array", "at"), "pipe.run(), whose outputs have numbers"),
    **dict.fromkeys(
        ("crop", "resize", "rotate", "normalize"), "fn.crop, fn.resize, fn.rotate and fn.normalize of the node"
    ),
}
_WHY = "a node stands for one batch after the other, and has no numbers while the pipeline is defined"
_ELSE = "see jaxdali.fn and jaxdali.math, or compute it in fn.python_function"


def call_ufunc(node: Any, name: str, method: str, inputs: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Returns what NumPy's ufunc makes of a node, for those that are operators of Python.

    Raises:
        GraphTypeError: it is another one.
    """
    # `array *= node` gives the array as out=, and takes what is returned in its place.
    if name in _OPERATORS and method == "__call__" and len(inputs) == 2 and options.keys() <= {"out"}:
        left, right = inputs
        own, reflected = _OPERATORS[name]
        return getattr(left, own)(right) if isinstance(left, type(node)) else getattr(right, reflected)(left)
    meant = f"write jaxdali.math.{_OF_MATH[name]}(node)" if name in _OF_MATH else _ELSE
    raise GraphTypeError(f"np.{name} takes no {node!r}: {_WHY}; {meant}")


def call_function(
    node: object, function: Callable[..., Any], arguments: Sequence[Any], options: Mapping[str, Any]
) -> Any:
    """Returns what a function of NumPy makes of a node, if it asks only what kind of object it is.

    Raises:
        GraphTypeError: it wants its numbers.
    """
    name = function.__name__
    if name in _FUNCTIONS:
        raise GraphTypeError(f"np.{name} takes no {node!r}: {_WHY}; write {_FUNCTIONS[name]}")
    if name in _KINDS and arguments and arguments[0] is node:
        return _KINDS[name]
    return function._implementation(*arguments, **options)  # type: ignore[attr-defined]


def refuse_number(node: object, kind: str) -> NoReturn:
    """Raises a GraphTypeError for `float(node)` and the like."""
    raise GraphTypeError(
        f"{kind}({node!r}) is not known: {_WHY}. Operators take nodes for most arguments, which then differ from sample to "
        "sample; fn.cast converts types"
    )


def refuse_array(node: object) -> NoReturn:
    """Raises a GraphTypeError where NumPy or JAX would make an array of a node."""
    raise GraphTypeError(
        f"{node!r} is no array: {_WHY}. Calculate with the node itself, and with jaxdali.fn and jaxdali.math; NumPy gets "
        "arrays in fn.python_function, or of what pipe.run() returns"
    )


def refuse_attribute(node: object, name: str) -> NoReturn:
    """Raises an AttributeError for a name that a node does not have."""
    meant = f"; write {_ATTRIBUTES[name]}" if name in _ATTRIBUTES else ""
    raise AttributeError(f"{type(node).__name__!r} object has no attribute {name!r}{meant}", name=name, obj=node)
