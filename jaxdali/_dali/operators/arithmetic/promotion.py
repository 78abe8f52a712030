"""The result types of arithmetic between nodes: DALI's rules, which are neither JAX's nor NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali.errors import GraphError

__all__ = ["common_type", "result_type"]

_Dtype = np.dtype
_FLOAT = np.dtype(np.float32)
_BOOL = np.dtype(np.bool_)

_BITWISE = {"bitand": "&", "bitor": "|", "bitxor": "^", "bitnot": "~", "lshift": "<<", "rshift": ">>"}
_COMPARISONS = ("eq", "neq", "lt", "leq", "gt", "geq")
# Operations that turn integers into FLOAT.
_FLOATING = ("fdiv", "atan2", "fpow")
_KEEPS_INTEGERS = ("add", "sub", "mul", "div", "mod", "pow", "min", "max", "clamp", "minus", "abs")
_SYMBOLS = {
    **{"add": "+", "sub": "-", "mul": "*", "fdiv": "/", "div": "//", "mod": "%", "pow": "**", "minus": "-"},
    **_BITWISE,
}


def result_type(kind: str, *operands: Any) -> _Dtype:
    """Returns the type of the result according to DALI; it may have 64 bits even if JAX has no such types.

    Args:
        kind: DALI's name of the operation, such as "add" for `+`.
        operands: their NumPy types.

    Raises:
        GraphError: the operation does not take such types.
    """
    dtypes = [np.dtype(operand) for operand in operands]
    word, plural = _SYMBOLS.get(kind, kind), "s" if len(dtypes) > 1 else ""
    common = common_type(*dtypes)
    if kind in _BITWISE:
        if common.kind == "f":
            raise GraphError(
                f"Input{plural} to bitwise operator `{word}` must be of integral type, got {_names(dtypes)}"
            )
        return common
    if kind in _COMPARISONS:
        return _BOOL
    if common == _BOOL and kind != "mul":
        raise GraphError(
            f"Input{plural} to arithmetic operator `{word}` cannot be boolean{plural}. Consider bitwise operators `|`, `&`, "
            "`^`, `~`, or a numeric type as one of the inputs"
        )
    if common.kind == "f" or kind in _KEEPS_INTEGERS:
        return common
    return _FLOAT  # for integers, and functions of DALI's `math`


def common_type(*dtypes: Any) -> _Dtype:
    """Returns the type in which values of several types are compared and computed."""
    first, *others = (np.dtype(dtype) for dtype in dtypes)
    for other in others:
        first = _promoted(first, other)
    return first


def _promoted(a: _Dtype, b: _Dtype) -> _Dtype:
    if a == b:
        return a
    floats = [dtype for dtype in (a, b) if dtype.kind == "f"]
    if floats:
        return max(floats, key=lambda dtype: dtype.itemsize)
    if a == _BOOL or b == _BOOL:
        return b if a == _BOOL else a
    if a.kind == b.kind:
        return max(a, b, key=lambda dtype: dtype.itemsize)
    signed, unsigned = (a, b) if a.kind == "i" else (b, a)
    # The signed type that holds both, or the largest one.
    return np.dtype(f"i{max(signed.itemsize, min(2 * unsigned.itemsize, 8))}")


def _names(dtypes: list[_Dtype]) -> str:
    return " and ".join(dtype.name for dtype in dtypes)
