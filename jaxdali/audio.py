"""Pure functions on signals and their spectra, for anyone's jit.

Signals are `[N, T]`, spectra `[N, bins, frames]`; ragged ones are padded with zeros after the end of each sample.
"""

from jaxdali._device.audio.mel import cosine_matrix as cosine_matrix
from jaxdali._device.audio.mel import mel_matrix as mel_matrix
from jaxdali._device.audio.mel import transform as transform
from jaxdali._device.audio.signals import decibels as decibels
from jaxdali._device.audio.signals import hann_window as hann_window
from jaxdali._device.audio.signals import preemphasis as preemphasis
from jaxdali._device.audio.signals import spectrogram as spectrogram
from jaxdali._device.audio.silence import nonsilent_region as nonsilent_region
from jaxdali._device.audio.spectra import power_spectrum as power_spectrum

__all__ = [
    "cosine_matrix",
    "decibels",
    "hann_window",
    "mel_matrix",
    "nonsilent_region",
    "power_spectrum",
    "preemphasis",
    "spectrogram",
    "transform",
]


def __dir__() -> list[str]:
    return __all__
