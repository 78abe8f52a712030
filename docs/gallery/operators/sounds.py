"""Examples of operators on signals and their spectra."""

from __future__ import annotations

from jaxdali import fn
from ..example import Group
from ..kits import SOUNDS
from ..pictures import levels, signals, spectra

GROUP = Group("Sounds", SOUNDS, signals)


@GROUP("fn.audio_resample", "FLOAT (3200,)")
def audio_resample(signal):
    """From 8000 to 3200 values a second."""
    return fn.audio_resample(signal, in_rate=8000, out_rate=3200)


@GROUP("fn.preemphasis_filter", "FLOAT (8000,)")
def preemphasis_filter(signal):
    """High frequencies count more."""
    return fn.preemphasis_filter(signal, preemph_coeff=0.97)


@GROUP("fn.nonsilent_region", "INT32 ()", "INT32 ()", drawing=None)
def nonsilent_region(signal):
    """Where the sound begins, and how long it is."""
    begin, length = fn.nonsilent_region(signal, cutoff_db=-40.0)
    return begin, length


@GROUP("fn.spectrogram", "FLOAT (129, 63) ft", drawing=spectra)
def spectrogram(signal):
    """129 frequencies in 63 windows; time goes to the right, frequencies upwards."""
    return fn.spectrogram(signal, nfft=256, window_length=256, window_step=128)


@GROUP("fn.power_spectrum", "FLOAT (129,)", drawing=signals)
def power_spectrum(signal):
    """The spectrum of the whole of a short signal; frequencies go to the right."""
    return fn.power_spectrum(signal[2000:2256])


@GROUP("fn.mel_filter_bank", "FLOAT (32, 63) ft", drawing=spectra)
def mel_filter_bank(spectrum):
    """32 bands of the mel scale."""
    return fn.mel_filter_bank(spectrum, nfilter=32, sample_rate=8000.0)


@GROUP("fn.to_decibels", "FLOAT (129, 63) ft", drawing=levels)
def to_decibels(spectrum):
    """At most 60 decibels below the loudest."""
    return fn.to_decibels(spectrum, cutoff_db=-60.0)


@GROUP("fn.mfcc", "FLOAT (13, 63) ft", drawing=levels)
def mfcc(spectrum):
    """13 coefficients of each window."""
    bands = fn.to_decibels(fn.mel_filter_bank(spectrum, nfilter=32, sample_rate=8000.0))
    return fn.mfcc(bands, n_mfcc=13)
