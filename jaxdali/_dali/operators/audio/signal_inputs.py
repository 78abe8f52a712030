"""Checks and unpacks the inputs of operators on signals and spectra."""

from __future__ import annotations

import math
from typing import Any

from jaxdali.errors import GraphError
from ..declaration import Input
from ..values import BatchValue, Context

__all__ = ["SIGNALS", "SPECTRA", "check_floats", "flat", "lengths_of", "signals_of"]

SIGNALS = Input("data", "signals, FLOAT [samples]", takes="signals")
SPECTRA = Input("data", 'numbers, FLOAT, such as spectra, layout "ft" or "tf"', takes="spectra")


def check_floats(context: Context, value: BatchValue) -> None:
    """Raises GraphError unless the numbers are 32-bit floats."""
    if value.data.dtype != "float32":
        raise GraphError(
            f"{context.call.operator.display_name} expects FLOAT, got {value.data.dtype}; convert it with fn.cast(..., "
            "dtype=types.FLOAT)"
        )


def signals_of(context: Context, value: BatchValue) -> BatchValue:
    """Returns signals of one axis, without the axes of extent 1 that they have besides. Which these are may differ between
    samples.

    Raises:
        GraphError: several axes have another extent.
    """
    said = f"{context.call.operator.display_name} expects signals of one channel, [samples], but several axes of these have"
    said, extents = f"{said} another extent than 1; take a channel first, as in signals[:, 0]", value.data.shape[1:]
    if value.shapes is not None and len(extents) > 1:
        context.require((value.shapes != 1).sum(axis=1) <= 1, said)
    elif sum(extent != 1 for extent in extents) > 1:
        raise GraphError(f"{said}, got samples {extents}")
    return flat(value)


def flat(value: BatchValue) -> BatchValue:
    """Returns samples as arrays of one axis, in C order."""
    from jaxdali._device.numeric.ragged import reshape_ragged

    if value.data.ndim == 2:
        return value
    length = math.prod(value.data.shape[1:])
    if value.shapes is None:
        return BatchValue(value.data.reshape(len(value.data), length), None, "", value.wide)
    own = value.shapes.prod(axis=1, keepdims=True)
    return BatchValue(reshape_ragged(value.data, value.shapes, (length,), own), own, "", value.wide)


def lengths_of(value: BatchValue) -> Any:
    """Returns `int32[N]`, the lengths of signals of one axis; None if all fill their rows."""
    return None if value.shapes is None else value.shapes[:, 0]
