"""Sums spectra in bands of the mel scale, and computes cosine transforms of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import FLAG, NUMBER, choice, integer
from ..declaration import Static, operator
from ..tensor.sample_axes import extents_of, shapes_of, single_axis
from ..values import BatchValue, Context
from .signal_inputs import SPECTRA, check_floats

__all__ = ["mel_filter_bank", "mfcc"]


def _check_band(display_name: str, _inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    rate, low, high = params["sample_rate"], params["freq_low"], params["freq_high"] or params["sample_rate"] / 2
    if not 0 <= low < high <= rate / 2:
        raise ConfigError(
            f"{display_name}: frequencies from freq_low={low:g} to freq_high={high:g}, expected them to rise from 0 to "
            "half of "
            f"sample_rate={rate:g}"
        )


@operator(
    "mel_filter_bank",
    inputs=[SPECTRA],
    params=[
        Static("nfilter", integer(1, 1 << 16), 128, "bands"),
        Static("sample_rate", NUMBER, 44100.0, "sample rate of the signal, in Hz"),
        Static("freq_low", NUMBER, 0.0, "where the first band begins, in Hz"),
        Static("freq_high", NUMBER, 0.0, "where the last band ends; 0: half of the sample rate"),
        Static("mel_formula", choice("slaney", "htk"), "slaney", "the formula that converts Hz to mel"),
        Static("normalize", FLAG, True, "give each band an area of 1; False: a height of 1"),
    ],
    check=_check_band,
)
def mel_filter_bank(context: Context, value: BatchValue, **params: Any) -> BatchValue:
    """Sums up spectra in bands that are evenly spaced on the mel scale; DALI's `fn.mel_filter_bank`.

    Frequencies are along the axis "f" of the layout; without one along the last but one, or the only one.
    """
    from jaxdali._device.audio.mel import mel_matrix

    check_floats(context, value)
    rank, layout = value.data.ndim - 1, value.layout
    if not rank or (layout and "f" not in layout):
        raise GraphError(f"fn.mel_filter_bank expects spectra with an axis 'f', got samples of {rank} axes, {layout!r}")
    axis = layout.index("f") if layout else max(rank - 2, 0)
    bins = _extent(context, value, axis)
    matrix = mel_matrix(
        bins,
        params["nfilter"],
        params["sample_rate"],
        params["freq_low"],
        params["freq_high"] or None,
        params["mel_formula"],
        params["normalize"],
    )
    return _transformed(value, matrix, axis)


def _check_cosines(display_name: str, _inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    if params["normalize"] and params["dct_type"] == 1:
        raise ConfigError(
            f"{display_name}(normalize=True) does not go with dct_type=1; choose another type, or leave normalize= out"
        )
    if params["lifter"] < 0:
        raise ConfigError(f"{display_name}(lifter={params['lifter']:g}) is below 0; expected 0 (none) or more")


@operator(
    "mfcc",
    inputs=[SPECTRA],
    params=[
        Static("n_mfcc", integer(1, 1 << 16), 20, "number of coefficients, at most the number of bands"),
        Static("axis", integer(0, 15), 0, "the axis of the bands; as in DALI, not counted from the last"),
        Static("dct_type", integer(1, 4), 2, "type of the cosine transform"),
        Static("normalize", FLAG, False, "make its rows orthonormal; not for type 1"),
        Static(
            "lifter",
            NUMBER,
            0.0,
            "multiply coefficient k by `1 + lifter / 2 * sin(pi * (k + 1) / lifter)`; 0: by 1",
        ),
    ],
    check=_check_cosines,
)
def mfcc(context: Context, value: BatchValue, *, axis: int, **params: Any) -> BatchValue:
    """Computes the first coefficients of the cosine transform of mel spectra in decibels; DALI's `fn.mfcc`."""
    from jaxdali._device.audio.mel import cosine_matrix

    check_floats(context, value)
    axis = single_axis(context, axis, None, value)
    size = _extent(context, value, axis)
    matrix = cosine_matrix(size, params["n_mfcc"], params["dct_type"], params["normalize"], params["lifter"])
    return _transformed(value, matrix, axis)


def _extent(context: Context, value: BatchValue, axis: int) -> int:
    """Returns the extent along an axis, which must be the same for all samples."""
    size = value.data.shape[axis + 1]
    if value.shapes is not None:
        context.require(
            value.shapes[:, axis] == size,
            f"{context.call.operator.display_name} expects samples of one extent along axis {axis}, but these differ; the "
            "other axes may differ",
        )
    return size


def _transformed(value: BatchValue, matrix: Any, axis: int) -> BatchValue:
    from jaxdali._device.audio.mel import transform

    extents = extents_of(value)
    extents[axis] = len(matrix)
    shapes = shapes_of(extents, len(value.data))
    return BatchValue(transform(value.data, matrix, axis + 1), shapes, value.layout)
