"""Computes the spectra of a signal's windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxdali.errors import ConfigError
from ...graph.call import DataNode, Params
from ..argument_kinds import FLAG, Kind, choice, integer
from ..declaration import Static, operator
from ..values import BatchValue, Context
from .signal_inputs import SIGNALS, check_floats, lengths_of, signals_of

__all__ = ["spectrogram"]

_MOST = 1 << 20


def _weights(word: str, value: object) -> tuple[float, ...]:
    from ..argument_kinds import NUMBERS

    found = NUMBERS.read(word, value)
    found = found if isinstance(found, tuple) else (found,)
    if not found or not all(isinstance(one, float) for one in found):
        raise ConfigError(f"{word} must be a number for each sample of a window, got {value!r:.80}")
    return found


def _check(display_name: str, _inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    length, nfft, weights = params["window_length"], params["nfft"], params["window_fn"]
    if nfft is not None and nfft < length:
        raise ConfigError(f"{display_name}(nfft={nfft}) is less than window_length={length}; expected at least as much")
    if weights is not None and len(weights) != length:
        raise ConfigError(f"{display_name}(window_fn=) has {len(weights)} numbers, expected window_length={length}")


@operator(
    "spectrogram",
    inputs=[SIGNALS],
    params=[
        Static("window_length", integer(1, _MOST), 512, "samples per window"),
        Static("window_step", integer(1, _MOST), 256, "samples from one window to the next"),
        Static(
            "nfft",
            integer(1, _MOST),
            None,
            "length of the transform, with the window in its middle; by default `window_length`",
        ),
        Static(
            "window_fn",
            Kind("Sequence[float]", _weights, ((0.5,) * 512, (0.25,) * 512)),
            None,
            "weights of a window's samples; by default those of a Hann window",
        ),
        Static("power", integer(1, 2), 2, "2: squares of the amplitudes; 1: the amplitudes"),
        Static("center_windows", FLAG, True, "centre the first window on sample 0; False: it begins there"),
        Static("reflect_padding", FLAG, True, "mirror the signal at its ends; False: it is 0 beyond them"),
        Static("layout", choice("ft", "tf"), "ft", "that of the output: rows are frequencies or times"),
    ],
    returns='A node: spectra, `float32[nfft // 2 + 1, windows]`, or with `layout`="tf" turned.',
    raises={"SourceDataError": "a signal is empty, or shorter than a window where windows are not centered"},
    check=_check,
)
def spectrogram(
    context: Context, value: BatchValue, *, layout: str, center_windows: bool, reflect_padding: bool, **params: Any
) -> BatchValue:
    """Computes the spectra of a signal's windows; DALI's `fn.spectrogram`."""
    import jax.numpy as jnp

    from jaxdali._device.audio.signals import spectrogram as compute

    check_floats(context, value)
    value = signals_of(context, value)
    length, lengths = params["window_length"], lengths_of(value)
    least = 1 if center_windows else length
    sizes = jnp.full(len(value.data), value.data.shape[1]) if lengths is None else lengths
    context.require(sizes >= least, f"{context.call.operator.display_name} expects signals of at least {least} samples")
    found, counts = compute(
        value.data,
        lengths,
        window=params["window_fn"],
        window_length=length,
        window_step=params["window_step"],
        nfft=params["nfft"],
        power=params["power"],
        center=center_windows,
        reflect=reflect_padding,
    )
    bins = found.shape[1]
    shapes = None if counts is None else jnp.stack([jnp.full_like(counts, bins), counts], axis=1)
    if layout == "ft":
        return BatchValue(found, shapes, layout)
    return BatchValue(jnp.swapaxes(found, 1, 2), None if shapes is None else shapes[:, ::-1], layout)
