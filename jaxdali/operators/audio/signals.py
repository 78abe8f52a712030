"""Checks and unpacks the inputs of operators on signals and spectra."""

from __future__ import annotations

from typing import Any

from ...errors import GraphError
from ..declaration import Input
from ..values import BatchValue, Context

__all__ = ["SIGNALS", "SPECTRA", "check_floats", "lengths_of", "signals_of"]

SIGNALS = Input("data", "signals, FLOAT [samples]", takes="signals")
SPECTRA = Input("data", 'numbers, FLOAT, such as spectra, layout "ft" or "tf"', takes="spectra")


def check_floats(context: Context, value: BatchValue) -> None:
    """Raises GraphError unless the numbers are 32-bit floats."""
    if value.data.dtype != "float32":
        raise GraphError(
            f"{context.call.operator.spoken} expects FLOAT, got {value.data.dtype}; convert it with fn.cast(..., "
            "dtype=types.FLOAT)"
        )


def signals_of(context: Context, value: BatchValue) -> BatchValue:
    """Returns signals of one axis; removes another axis of extent 1.

    Raises:
        GraphError: they have more axes.
    """
    rank = value.data.ndim - 1
    if rank == 1:
        return value
    along = [axis for axis in range(rank) if value.data.shape[axis + 1] != 1] or [0]
    if rank == 2 and len(along) == 1:
        shapes: Any = None if value.shapes is None else value.shapes[:, along[0] : along[0] + 1]
        return BatchValue(value.data.reshape(len(value.data), -1), shapes, "", value.wide)
    raise GraphError(
        f"{context.call.operator.spoken} expects signals of one channel, [samples], got samples {value.data.shape[1:]}; "
        "take a channel first, as in signals[:, 0]"
    )


def lengths_of(value: BatchValue) -> Any:
    """Returns `int32[N]`, the lengths of signals of one axis; None if all fill their rows."""
    return None if value.shapes is None else value.shapes[:, 0]
