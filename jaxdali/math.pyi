from typing import Any

from .pipeline import DataNode

def abs(input: DataNode) -> DataNode:
    """Absolute value, of the same type; the smallest integer of a type stays as it is."""
    ...

def acos(input: DataNode) -> DataNode:
    """Arc cosine, in radians."""
    ...

def acosh(input: DataNode) -> DataNode:
    """Inverse hyperbolic cosine; NaN below 1."""
    ...

def asin(input: DataNode) -> DataNode:
    """Arc sine, in radians."""
    ...

def asinh(input: DataNode) -> DataNode:
    """Inverse hyperbolic sine."""
    ...

def atan(input: DataNode) -> DataNode:
    """Arc tangent, in radians."""
    ...

def atan2(x: Any, y: Any) -> DataNode:
    """Arc tangent of `x / y` in the right quadrant, in radians. One of them may be a constant."""
    ...

def atanh(input: DataNode) -> DataNode:
    """Inverse hyperbolic tangent."""
    ...

def cbrt(input: DataNode) -> DataNode:
    """Cube root."""
    ...

def ceil(input: DataNode) -> DataNode:
    """The smallest whole number that is not below it, as a float."""
    ...

def clamp(value: Any, lo: Any, hi: Any) -> DataNode:
    """`min(max(value, lo), hi)`, of the type that all three have in common. Two of them may be constants."""
    ...

def cos(input: DataNode) -> DataNode:
    """Cosine of radians."""
    ...

def cosh(input: DataNode) -> DataNode:
    """Hyperbolic cosine."""
    ...

def exp(input: DataNode) -> DataNode:
    """`e` to the power of it."""
    ...

def fabs(input: DataNode) -> DataNode:
    """Absolute value, as a float."""
    ...

def floor(input: DataNode) -> DataNode:
    """The largest whole number that is not above it, as a float."""
    ...

def fpow(base: Any, exponent: Any) -> DataNode:
    """`base ** exponent` as a float. One of them may be a constant."""
    ...

def log(input: DataNode) -> DataNode:
    """Natural logarithm."""
    ...

def log10(input: DataNode) -> DataNode:
    """Logarithm with base 10."""
    ...

def log2(input: DataNode) -> DataNode:
    """Logarithm with base 2."""
    ...

def max(left: Any, right: Any) -> DataNode:
    """The larger one; `right` where they do not compare (NaN). One of them may be a constant."""
    ...

def min(left: Any, right: Any) -> DataNode:
    """The smaller one; `right` where they do not compare (NaN). One of them may be a constant."""
    ...

def pow(base: Any, exponent: Any) -> DataNode:
    """`base ** exponent`. One of them may be a constant. Of integers an integer, modulo the range of its type, and 0
    for negative exponents.
    """
    ...

def rsqrt(input: DataNode) -> DataNode:
    """`1 / sqrt(input)`; infinite at 0."""
    ...

def sin(input: DataNode) -> DataNode:
    """Sine of radians."""
    ...

def sinh(input: DataNode) -> DataNode:
    """Hyperbolic sine."""
    ...

def sqrt(input: DataNode) -> DataNode:
    """Square root; NaN of negative numbers."""
    ...

def tan(input: DataNode) -> DataNode:
    """Tangent of radians."""
    ...

def tanh(input: DataNode) -> DataNode:
    """Hyperbolic tangent."""
    ...
