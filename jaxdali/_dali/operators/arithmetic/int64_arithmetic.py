"""Arithmetic with 64-bit integers where JAX has 32 bits: exact, or an error if a number does not fit.

This file loads jax; it is imported when a device function is traced.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxdali.errors import GraphError
from ..int64_values import require_held
from ..values import Context
from .elementwise import compute

__all__ = ["compute_narrowed"]

# Operations whose results fit whenever their operands do.
_SAFE = ("mod", "min", "max", "clamp", "bitand", "bitor", "bitxor", "rshift")


def compute_narrowed(context: Context, kind: str, operands: list[Any], narrow: np.dtype) -> tuple[jax.Array, jax.Array]:
    """Applies an operation to integers in 32 bits that stand for 64-bit ones, or whose result does.

    Args:
        kind: DALI's name of the operation, such as "add" for `+`.
        narrow: the 32-bit type to compute in.

    Returns:
        The result, and where it is right: elsewhere the number needs more than 32 bits.

    Raises:
        GraphError: results of the operation would seldom fit.
    """
    shape = np.broadcast_shapes((context.samples,), *(operand.shape[:1] for operand in operands))
    for operand in operands:
        require_held(context, jnp.broadcast_to(operand, (*shape, *operand.shape[1:])), narrow)
    values = jnp.broadcast_arrays(*(jnp.asarray(operand).astype(narrow) for operand in operands))
    result = compute(kind, *values)
    return result, _is_right(kind, values, result, np.iinfo(np.dtype(narrow)).min)


def _is_right(kind: str, values: list[jax.Array], result: jax.Array, least: int) -> jax.Array:
    zero = jnp.zeros_like(result)
    signed = least < 0
    a, b = values[0], values[-1]
    if kind in _SAFE or (kind == "bitnot" and signed):
        return jnp.ones(result.shape, bool)
    if kind in ("minus", "abs"):
        return a != least if signed else (a == zero if kind == "minus" else jnp.ones(result.shape, bool))
    if kind == "add":
        return ((a ^ result) & (b ^ result)) >= zero if signed else result >= a
    if kind == "sub":
        return ((a ^ b) & (a ^ result)) >= zero if signed else a >= b
    if kind == "div":
        return ~((a == least) & (b == -1)) if signed else jnp.ones(result.shape, bool)
    if kind == "mul":
        back = lax.div(result, jnp.where(a == zero, jnp.ones_like(a), a))
        right = (a == zero) | (back == b)
        return right & ~((a == -1) & (b == least)) if signed else right
    if kind == "lshift":
        bits = 8 * result.dtype.itemsize
        held = jnp.clip(b, 0, bits - 1)
        shift = lax.shift_right_arithmetic if signed else lax.shift_right_logical
        return (b >= zero) & (((b < bits) & (shift(a << held, held) == a)) | (a == zero))
    if kind == "pow":
        # A result that wrapped around differs by 2**32 or more from what it should be.
        about = jnp.power(a.astype(jnp.float32), b.astype(jnp.float32))
        near = jnp.abs(result.astype(jnp.float32) - about) <= jnp.abs(about) * np.float32(2**-10)
        return near | ((b < zero) if signed else False)
    raise GraphError(
        "from these types DALI makes integers of 64 bits, which JAX has only with jax_enable_x64; set it, or cast the "
        f"operands of {kind}, e.g. to types.INT32"
    )
