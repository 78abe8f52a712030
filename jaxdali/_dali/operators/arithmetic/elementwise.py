"""Computes arithmetic between nodes with JAX. Integer results are DALI's to the bit.

This file loads jax; it is imported when a device function is traced.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxdali._device.image.exact_arithmetic import quotient, rounded
from jaxdali.errors import GraphError
from .promotion import common_type, result_type

__all__ = ["compute"]

_BOOL = np.dtype(np.bool_)


def compute(kind: str, *operands: Any) -> jax.Array:
    """Applies an operation to arrays whose shapes broadcast.

    Args:
        kind: DALI's name of the operation, such as "add" for `+`.

    Raises:
        GraphError: the operation does not take such types, or JAX does not have the type of its result.
    """
    dtypes = [operand.dtype for operand in operands]
    target = result_type(kind, *dtypes)
    if kind in _COMPARISONS:
        return _compare(kind, *operands)
    if jax.dtypes.canonicalize_dtype(target) != target and target.name not in [dtype.name for dtype in dtypes]:
        names = " and ".join(dtype.name for dtype in dtypes)
        raise GraphError(
            f"from {names} DALI makes {target}, which JAX has only with jax_enable_x64; set it, or give the operands "
            "the same type, e.g. types.Constant(1, dtype=types.UINT32)"
        )
    # Floats of 16 bits are computed in 32.
    working = np.dtype(np.float32) if target == np.float16 else target
    values = [_converted(operand, working) for operand in operands]
    if kind == "mul" and working.kind == "f" and _BOOL in dtypes:
        # Where the number is NaN or infinite, the result is not 0, which XLA would return.
        number, flag = (values[0], values[1]) if dtypes[1] == _BOOL else (values[1], values[0])
        return jnp.where(flag != 0, number, number * 0)
    function = _FLOAT_OPERATIONS if working.kind == "f" else _INTEGER_OPERATIONS
    if working == np.bool_:
        return _boolean(kind, *values)
    result = function[kind](*values)
    if target == np.float16:
        # Without it, XLA drops the conversions between two operations.
        return lax.reduce_precision(result, 5, 10).astype(jnp.float16)
    return result


def _converted(value: object, target: np.dtype) -> jax.Array:
    return jnp.asarray(value).astype(target)


def _boolean(kind: str, *values: Any) -> jax.Array:
    if kind == "bitnot":
        return ~values[0]
    if kind in ("lshift", "rshift"):
        # As in C++: shifts the integers 0 and 1; any result other than 0 is True.
        return _INTEGER_OPERATIONS[kind](*(value.astype(jnp.int32) for value in values)) != 0
    return {"mul": jnp.logical_and, "bitand": jnp.logical_and, "bitor": jnp.logical_or, "bitxor": jnp.logical_xor}[
        kind
    ](*values)


# COMPARISONS

_COMPARISONS: dict[str, Callable[..., Any]] = {
    **{"eq": lax.eq, "neq": lax.ne, "lt": lax.lt, "leq": lax.le, "gt": lax.gt, "geq": lax.ge},
}


def _compare(kind: str, a: object, b: object) -> jax.Array:
    a, b = jnp.asarray(a), jnp.asarray(b)
    function = _COMPARISONS[kind]
    common = common_type(a.dtype, b.dtype)
    if {a.dtype.kind, b.dtype.kind} == {"i", "u"}:
        # Exact for all sizes: a negative number is less than every unsigned one.
        wide = np.dtype(f"u{max(a.dtype.itemsize, b.dtype.itemsize)}")
        below, above = ((jnp.zeros_like(x) > x) if x.dtype.kind == "i" else jnp.zeros_like(x, bool) for x in (a, b))
        order = below.astype(jnp.int8), above.astype(jnp.int8)
        a, b = jnp.broadcast_arrays(a.astype(wide), b.astype(wide))
        return jnp.where(order[0] == order[1], function(a, b), function(*jnp.broadcast_arrays(-order[0], -order[1])))
    return function(*jnp.broadcast_arrays(a.astype(common), b.astype(common)))


# INTEGERS


def _power(base: Any, exponent: Any) -> Any:
    """Computes powers by squaring, modulo the type's range; 0 for negative exponents."""
    base, exponent = jnp.broadcast_arrays(base, exponent)
    bits = exponent.dtype.itemsize * 8 - (exponent.dtype.kind == "i")
    one, zero = jnp.ones_like(base), jnp.zeros_like(base)
    negative = exponent < zero

    def step(_: object, state: Any) -> Any:
        result, square, left = state
        return jnp.where(left & one, result * square, result), square * square, lax.shift_right_logical(left, one)

    result, _, _ = lax.fori_loop(0, bits, step, (one, base, jnp.where(negative, zero, exponent)))
    return jnp.where(negative, zero, result)


def _shifted(function: Callable[..., object]) -> Callable[..., Any]:
    return lambda a, b: function(*jnp.broadcast_arrays(a, b))


def _divided(function: Callable[..., object]) -> Callable[..., Any]:
    # Division by zero is undefined in XLA: it is reported, and the divisor replaced by 1.
    return lambda a, b: function(*jnp.broadcast_arrays(a, jnp.where(b == 0, jnp.ones_like(b), b)))


def _right(a: Any, b: Any) -> Any:
    return (lax.shift_right_logical if a.dtype.kind == "u" else lax.shift_right_arithmetic)(a, b)


def _clamp(value: Any, low: Any, high: Any) -> Any:
    held = jnp.where(value < low, low, value)
    return jnp.where(held > high, high, held)


_INTEGER_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": _divided(lax.div),
    "mod": _divided(lax.rem),
    "pow": _power,
    "min": lambda a, b: jnp.where(a < b, a, b),
    "max": lambda a, b: jnp.where(a > b, a, b),
    "clamp": _clamp,
    "bitand": lambda a, b: a & b,
    "bitor": lambda a, b: a | b,
    "bitxor": lambda a, b: a ^ b,
    "bitnot": lambda a: ~a,
    "lshift": _shifted(lax.shift_left),
    "rshift": _shifted(_right),
    "minus": lambda a: -a,
    "abs": lambda a: a if a.dtype.kind == "u" else jnp.abs(a),
}

# FLOATS


def _product(a: Any, b: Any) -> Any:
    """Multiplies, and rounds the product, also where it is infinite, before its next use, which prevents a fused
    multiply-add.
    """
    product = a * b
    if product.dtype != jnp.float32:
        return product
    return jnp.where(product == -jnp.inf, product, rounded(product))


def _quotient(a: Any, b: Any) -> Any:
    a, b = jnp.broadcast_arrays(a, b)
    if a.dtype != jnp.float32:
        return _plain_quotient(a, b)
    # A CPU divides exactly: one quotient is enough there, which matters for large arrays.
    return lax.platform_dependent(a, b, cpu=_plain_quotient, default=_corrected_quotient)


def _plain_quotient(a: Any, b: Any) -> Any:
    # For a plain `b`, XLA would multiply with the reciprocal, which rounds twice.
    return a / jnp.where(jnp.isnan(a), a, b)


def _corrected_quotient(a: Any, b: Any) -> Any:
    plain = _plain_quotient(a, b)
    # The correction only works for normal numbers.
    return jnp.where(abs(plain) < np.finfo(np.float32).tiny, plain, quotient(a, b))


def _precisely(function: Callable[..., Any]) -> Callable[..., Any]:
    """Computes a function of float32 in float64, and rounds once. XLA's own functions are off by up to 24 units in the
    last place, and differ between platforms.
    """

    def precise(*values: Any) -> Any:
        if values[0].dtype != jnp.float32:
            return function(*values)
        with jax.enable_x64(True):
            wide = [lax.convert_element_type(value, np.float64) for value in values]
            return lax.convert_element_type(function(*wide), np.float32)

    return precise


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "pow": jnp.power,
    "fpow": jnp.power,
    "atan2": jnp.arctan2,
    "cbrt": jnp.cbrt,
    "exp": jnp.exp,
    "log": jnp.log,
    "log2": jnp.log2,
    "log10": jnp.log10,
    "sin": jnp.sin,
    "cos": jnp.cos,
    "tan": jnp.tan,
    "asin": jnp.arcsin,
    "acos": jnp.arccos,
    "atan": jnp.arctan,
    "sinh": jnp.sinh,
    "cosh": jnp.cosh,
    "tanh": jnp.tanh,
    "asinh": jnp.arcsinh,
    "acosh": jnp.arccosh,
    "atanh": jnp.arctanh,
}

_FLOAT_OPERATIONS: dict[str, Callable[..., Any]] = {
    **{kind: _INTEGER_OPERATIONS[kind] for kind in ("add", "sub", "min", "max", "clamp", "minus", "abs")},
    "mul": _product,
    "fdiv": _quotient,
    "div": _quotient,  # DALI's `//` of floats is not rounded
    "mod": lambda a, b: lax.rem(*jnp.broadcast_arrays(a, b)),
    "fabs": jnp.abs,
    "floor": jnp.floor,
    "ceil": jnp.ceil,
    "sqrt": jnp.sqrt,
    "rsqrt": lambda a: _quotient(jnp.ones_like(a), jnp.sqrt(a)),
    **{kind: _precisely(function) for kind, function in _FUNCTIONS.items()},
}
