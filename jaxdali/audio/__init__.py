"""Pure functions on signals and their spectra, for anyone's jit.

Signals are `[N, T]`, spectra `[N, bins, frames]`; ragged ones are padded with zeros after the end of each sample.
"""

from .mel import cosine_matrix as cosine_matrix
from .mel import mel_matrix as mel_matrix
from .mel import transform as transform
from .signals import decibels as decibels
from .signals import hann_window as hann_window
from .signals import preemphasis as preemphasis
from .signals import spectrogram as spectrogram
from .silence import nonsilent_region as nonsilent_region
from .spectra import power_spectrum as power_spectrum

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
