from typing import Any

from .graph.call import DataNode

def abs(x: DataNode) -> DataNode:
    """Absolute value, of the same type; the smallest integer of a type stays as it is."""
    ...

def acos(x: DataNode) -> DataNode:
    """Arc cosine, in radians."""
    ...

def acosh(x: DataNode) -> DataNode:
    """Inverse hyperbolic cosine; NaN below 1."""
    ...

def asin(x: DataNode) -> DataNode:
    """Arc sine, in radians."""
    ...

def asinh(x: DataNode) -> DataNode:
    """Inverse hyperbolic sine."""
    ...

def atan(x: DataNode) -> DataNode:
    """Arc tangent, in radians."""
    ...

def atan2(y: Any, x: Any) -> DataNode:
    """Arc tangent of `y / x` in the right quadrant, in radians. One of them may be a constant."""
    ...

def atanh(x: DataNode) -> DataNode:
    """Inverse hyperbolic tangent."""
    ...

def cbrt(x: DataNode) -> DataNode:
    """Cube root."""
    ...

def ceil(x: DataNode) -> DataNode:
    """The smallest whole number that is not below x, as a float."""
    ...

def clamp(value: Any, low: Any, high: Any) -> DataNode:
    """`min(max(value, low), high)`, of the type that all three have in common. Two of them may be constants."""
    ...

def cos(x: DataNode) -> DataNode:
    """Cosine of radians."""
    ...

def cosh(x: DataNode) -> DataNode:
    """Hyperbolic cosine."""
    ...

def exp(x: DataNode) -> DataNode:
    """`e` to the power of x."""
    ...

def fabs(x: DataNode) -> DataNode:
    """Absolute value, as a float."""
    ...

def floor(x: DataNode) -> DataNode:
    """The largest whole number that is not above x, as a float."""
    ...

def fpow(base: Any, exponent: Any) -> DataNode:
    """`base ** exponent` as a float. One of them may be a constant."""
    ...

def log(x: DataNode) -> DataNode:
    """Natural logarithm."""
    ...

def log10(x: DataNode) -> DataNode:
    """Logarithm with base 10."""
    ...

def log2(x: DataNode) -> DataNode:
    """Logarithm with base 2."""
    ...

def max(a: Any, b: Any) -> DataNode:
    """The larger one; `b` where they do not compare (NaN). One of them may be a constant."""
    ...

def min(a: Any, b: Any) -> DataNode:
    """The smaller one; `b` where they do not compare (NaN). One of them may be a constant."""
    ...

def pow(base: Any, exponent: Any) -> DataNode:
    """`base ** exponent`. One of them may be a constant. Of integers an integer, modulo the range of its type, and 0
    for negative exponents.
    """
    ...

def rsqrt(x: DataNode) -> DataNode:
    """`1 / sqrt(x)`; infinite at 0."""
    ...

def sin(x: DataNode) -> DataNode:
    """Sine of radians."""
    ...

def sinh(x: DataNode) -> DataNode:
    """Hyperbolic sine."""
    ...

def sqrt(x: DataNode) -> DataNode:
    """Square root; NaN of negative numbers."""
    ...

def tan(x: DataNode) -> DataNode:
    """Tangent of radians."""
    ...

def tanh(x: DataNode) -> DataNode:
    """Hyperbolic tangent."""
    ...
