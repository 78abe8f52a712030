"""Computes the spectrum along an axis."""

from __future__ import annotations

from jaxdali.errors import GraphError
from ..argument_kinds import integer
from ..declaration import Static, operator
from ..tensor.sample_axes import AXIS, extents_of, shapes_of
from ..values import BatchValue, Context
from .signal_inputs import SPECTRA, check_floats

__all__ = ["power_spectrum"]

_MOST = 1 << 20


@operator(
    "power_spectrum",
    inputs=[SPECTRA],
    params=[
        Static("axis", AXIS, -1, "the axis to transform; negative ones count from the last"),
        Static(
            "nfft",
            integer(1, _MOST),
            None,
            "length of the transform: longer axes are cut off, shorter ones padded with zeros. By default the axis' "
            "extent, which must then be the same for all samples",
        ),
        Static("power", integer(1, 2), 2, "2: squares of the amplitudes; 1: the amplitudes"),
    ],
    devices=("cpu",),
    returns="A node: `nfft // 2 + 1` numbers along the axis, FLOAT.",
)
def power_spectrum(context: Context, value: BatchValue, *, axis: int, nfft: int | None, power: int) -> BatchValue:
    """Computes the spectrum of signals along an axis; DALI's `fn.power_spectrum`."""
    from jaxdali._device.audio.spectra import power_spectrum as compute

    check_floats(context, value)
    extents = extents_of(value)
    if not -len(extents) <= axis < len(extents):
        raise GraphError(f"axis={axis} of fn.power_spectrum is out of range for samples of {len(extents)} dimensions")
    along = axis % len(extents)
    if nfft is None and not isinstance(extents[along], int):
        raise GraphError(
            "fn.power_spectrum of samples that differ along the axis needs nfft=, because the transform has one "
            "length for all of them"
        )
    data = compute(value.data, along, nfft=nfft, power=power)
    extents[along] = data.shape[along + 1]
    return BatchValue(data, shapes_of(extents, len(data)), value.layout)
