"""Numbers in decibels, and signals without their low frequencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import types
from ...errors import ConfigError, GraphError
from ...graph.call import DataNode
from ..declaration import PerSample, Static, operator
from ..int64 import narrow_integers, require_held
from ..kinds import DTYPE, NUMBER, choice, numpy_dtype
from ..values import BatchValue, Context
from .signals import SIGNALS, SPECTRA, check_floats, lengths_of

__all__ = ["preemphasis_filter", "to_decibels"]


def _check(spoken: str, _inputs: Sequence[DataNode], params: Mapping[str, Any], _device: Any) -> None:
    if not params["multiplier"] or params["reference"] < 0:
        raise ConfigError(
            f"{spoken}: multiplier={params['multiplier']:g} and reference={params['reference']:g}; expected a multiplier "
            "other than 0, and a reference of 0 (the sample's largest number) or more"
        )


@operator(
    "to_decibels",
    inputs=[SPECTRA],
    params=[
        Static("multiplier", NUMBER, 10.0, "of the logarithm: 10 of powers, 20 of amplitudes"),
        Static("reference", NUMBER, 0.0, "what is 0 dB; 0: the largest number of each sample"),
        Static("cutoff_db", NUMBER, -200.0, "the least result"),
    ],
    check=_check,
    keeps_extents=True,
)
def to_decibels(
    context: Context, value: BatchValue, *, multiplier: float, reference: float, cutoff_db: float
) -> BatchValue:
    """`multiplier * log10(data / reference)`, and no less than `cutoff_db`; DALI's `fn.to_decibels`."""
    from ...audio import decibels
    from ...numeric.ragged import outside_filled

    check_floats(context, value)
    found = decibels(value.data, multiplier, reference or None, cutoff_db)
    return BatchValue(outside_filled(found, value.shapes), value.shapes, value.layout)


@operator(
    "preemphasis_filter",
    inputs=[SIGNALS],
    params=[
        PerSample("preemph_coeff", 0.97, "that the number before is multiplied by"),
        Static(
            "border",
            choice("zero", "clamp", "reflect"),
            "clamp",
            "before the first number is 0, itself, or the second",
        ),
        Static(
            "dtype", DTYPE, types.FLOAT, "of the output. Halves are rounded away from zero, what is too much saturates"
        ),
    ],
    keeps_extents=True,
)
def preemphasis_filter(
    context: Context, value: BatchValue, *, preemph_coeff: Any, border: str, dtype: Any
) -> BatchValue:
    """Subtracts from each number of a signal a part of the one before; DALI's `fn.preemphasis_filter`."""
    import jax.numpy as jnp

    from ...audio import preemphasis
    from ...image import round_to_dtype

    if value.data.ndim != 2:
        raise GraphError(
            f"fn.preemphasis_filter expects signals of one axis, got samples {value.data.shape[1:]}; take a channel first, "
            "as in signals[:, 0]"
        )
    found = preemphasis(jnp.asarray(value.data, jnp.float32), lengths_of(value), preemph_coeff, border)
    target: Any = numpy_dtype(dtype)
    narrow = narrow_integers(target)
    if narrow is not None:
        require_held(context, found, narrow)
    return BatchValue(round_to_dtype(found, narrow or target), value.shapes, value.layout, target if narrow else None)
