"""Converts numbers to decibels, and filters low frequencies out of signals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxdali._base.dtypes import FLOAT
from jaxdali.errors import ConfigError
from ...graph.call import DataNode, Params
from ..argument_kinds import DTYPE, NUMBER, choice, numpy_dtype
from ..declaration import PerSample, Static, operator
from ..int64_values import narrow_integers, require_held
from ..values import BatchValue, Context
from .signal_inputs import SIGNALS, SPECTRA, check_floats, flat, lengths_of

__all__ = ["preemphasis_filter", "to_decibels"]


def _check(display_name: str, _inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    if not params["multiplier"] or params["reference"] < 0:
        raise ConfigError(
            f"{display_name}: multiplier={params['multiplier']:g} and reference={params['reference']:g}; expected a "
            "multiplier "
            "other than 0, and a reference of 0 (the sample's largest number) or more"
        )


@operator(
    "to_decibels",
    inputs=[SPECTRA],
    params=[
        Static("multiplier", NUMBER, 10.0, "factor of the logarithm: 10 for powers, 20 for amplitudes"),
        Static("reference", NUMBER, 0.0, "the value of 0 dB; 0: the largest number of each sample"),
        Static("cutoff_db", NUMBER, -200.0, "the smallest result"),
    ],
    check=_check,
    keeps_extents=True,
)
def to_decibels(
    context: Context, value: BatchValue, *, multiplier: float, reference: float, cutoff_db: float
) -> BatchValue:
    """Converts magnitudes to decibels; DALI's `fn.to_decibels`.

    `out = multiplier * log10(data / reference)`, but at least `cutoff_db`.
    """
    from jaxdali._device.audio.signals import decibels
    from jaxdali._device.numeric.ragged import outside_filled

    check_floats(context, value)
    found = decibels(value.data, multiplier, reference or None, cutoff_db)
    return BatchValue(outside_filled(found, value.shapes), value.shapes, value.layout)


@operator(
    "preemphasis_filter",
    inputs=[SIGNALS],
    params=[
        PerSample("preemph_coeff", 0.97, "factor of the previous number"),
        Static(
            "border",
            choice("zero", "clamp", "reflect"),
            "clamp",
            "what precedes the first number: 0, the number itself, or the second one",
        ),
        Static("dtype", DTYPE, FLOAT, "that of the output; integers are rounded half away from zero and saturated"),
    ],
    keeps_extents=True,
)
def preemphasis_filter(
    context: Context, value: BatchValue, *, preemph_coeff: float, border: str, dtype: Any
) -> BatchValue:
    """Subtracts from each number of a signal the previous one times `preemph_coeff`; DALI's `fn.preemphasis_filter`.

    The numbers of samples with several axes are one signal, the last axis first: channels are not told apart.
    """
    import jax.numpy as jnp

    from jaxdali._device.audio.signals import preemphasis
    from jaxdali._device.image.convert import round_to_dtype
    from jaxdali._device.numeric.ragged import reshape_ragged

    signals = flat(value)
    found = preemphasis(jnp.asarray(signals.data, jnp.float32), lengths_of(signals), preemph_coeff, border)
    if signals is not value:
        found = reshape_ragged(found, signals.shapes, value.data.shape[1:], value.shapes)
    target: Any = numpy_dtype(dtype)
    narrow = narrow_integers(target)
    if narrow is not None:
        require_held(context, found, narrow)
    return BatchValue(round_to_dtype(found, narrow or target), value.shapes, value.layout, target if narrow else None)
