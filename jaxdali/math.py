"""Functions of nodes, element by element; DALI's `math`. Of integers the result is FLOAT, but for `abs`, `min`, `max`,
`clamp` and `pow`, which keep them. Importing this loads no jax.
"""

from __future__ import annotations

from typing import Any

from .pipeline.arithmetic import apply
from .pipeline.node import DataNode

__all__ = [
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "clamp",
    "cos",
    "cosh",
    "exp",
    "fabs",
    "floor",
    "fpow",
    "log",
    "log2",
    "log10",
    "max",
    "min",
    "pow",
    "rsqrt",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
]


def abs(x: DataNode) -> DataNode:
    """Absolute value, of the same type; the smallest integer of a type stays as it is."""
    return apply("abs", x)


def acos(x: DataNode) -> DataNode:
    """Arc cosine, in radians."""
    return apply("acos", x)


def acosh(x: DataNode) -> DataNode:
    """Inverse hyperbolic cosine; NaN below 1."""
    return apply("acosh", x)


def asin(x: DataNode) -> DataNode:
    """Arc sine, in radians."""
    return apply("asin", x)


def asinh(x: DataNode) -> DataNode:
    """Inverse hyperbolic sine."""
    return apply("asinh", x)


def atan(x: DataNode) -> DataNode:
    """Arc tangent, in radians."""
    return apply("atan", x)


def atan2(y: Any, x: Any) -> DataNode:
    """Arc tangent of `y / x` in the right quadrant, in radians. One of them may be a constant."""
    return apply("atan2", y, x)


def atanh(x: DataNode) -> DataNode:
    """Inverse hyperbolic tangent."""
    return apply("atanh", x)


def cbrt(x: DataNode) -> DataNode:
    """Cube root."""
    return apply("cbrt", x)


def ceil(x: DataNode) -> DataNode:
    """The smallest whole number that is not below x, as a float."""
    return apply("ceil", x)


def clamp(value: Any, low: Any, high: Any) -> DataNode:
    """`min(max(value, low), high)`, of the type that all three have in common. Two of them may be constants."""
    return apply("clamp", value, low, high)


def cos(x: DataNode) -> DataNode:
    """Cosine of radians."""
    return apply("cos", x)


def cosh(x: DataNode) -> DataNode:
    """Hyperbolic cosine."""
    return apply("cosh", x)


def exp(x: DataNode) -> DataNode:
    """`e` to the power of x."""
    return apply("exp", x)


def fabs(x: DataNode) -> DataNode:
    """Absolute value, as a float."""
    return apply("fabs", x)


def floor(x: DataNode) -> DataNode:
    """The largest whole number that is not above x, as a float."""
    return apply("floor", x)


def fpow(base: Any, exponent: Any) -> DataNode:
    """`base ** exponent` as a float. One of them may be a constant."""
    return apply("fpow", base, exponent)


def log(x: DataNode) -> DataNode:
    """Natural logarithm."""
    return apply("log", x)


def log10(x: DataNode) -> DataNode:
    """Logarithm with base 10."""
    return apply("log10", x)


def log2(x: DataNode) -> DataNode:
    """Logarithm with base 2."""
    return apply("log2", x)


def max(a: Any, b: Any) -> DataNode:
    """The larger one; `b` where they do not compare (NaN). One of them may be a constant."""
    return apply("max", a, b)


def min(a: Any, b: Any) -> DataNode:
    """The smaller one; `b` where they do not compare (NaN). One of them may be a constant."""
    return apply("min", a, b)


def pow(base: Any, exponent: Any) -> DataNode:
    """`base ** exponent`. One of them may be a constant. Of integers an integer, modulo the range of its type, and 0 for
    negative exponents.
    """
    return apply("pow", base, exponent)


def rsqrt(x: DataNode) -> DataNode:
    """`1 / sqrt(x)`; infinite at 0."""
    return apply("rsqrt", x)


def sin(x: DataNode) -> DataNode:
    """Sine of radians."""
    return apply("sin", x)


def sinh(x: DataNode) -> DataNode:
    """Hyperbolic sine."""
    return apply("sinh", x)


def sqrt(x: DataNode) -> DataNode:
    """Square root; NaN of negative numbers."""
    return apply("sqrt", x)


def tan(x: DataNode) -> DataNode:
    """Tangent of radians."""
    return apply("tan", x)


def tanh(x: DataNode) -> DataNode:
    """Hyperbolic tangent."""
    return apply("tanh", x)
