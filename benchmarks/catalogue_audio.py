"""Cases of operators on signals and their spectra."""

from __future__ import annotations

from catalogue_case import Case

__all__ = ["AUDIO"]

AUDIO = {
    "audio_resample": [
        Case(("signals",), lambda d, x: d.fn.audio_resample(x, scale=0.3628, quality=20), "quality=20", apart=1e-2),
        Case(("signals",), lambda d, x: d.fn.audio_resample(x, in_rate=16000, out_rate=18000), "speed", apart=1e-2),
    ],
    "decoders.audio": [
        Case(("sounds",), lambda d, x: d.fn.decoders.audio(x, downmix=True), "downmix"),
        Case(("sounds",), lambda d, x: d.fn.decoders.audio(x, sample_rate=16000), "sample_rate", apart=1e-2),
    ],
    "mel_filter_bank": [
        Case(("spectra",), lambda d, x: d.fn.mel_filter_bank(x, nfilter=64, sample_rate=16000.0), "64 bands"),
        Case(("spectra",), lambda d, x: d.fn.mel_filter_bank(x, nfilter=20, mel_formula="htk"), "20 bands, htk"),
    ],
    "mfcc": [
        Case(("spectra",), lambda d, x: d.fn.mfcc(x, n_mfcc=20), "20 coefficients"),
        Case(("spectra",), lambda d, x: d.fn.mfcc(x, n_mfcc=13, normalize=True, lifter=22.0), "normalize, lifter"),
    ],
    "nonsilent_region": [
        Case(("signals",), lambda d, x: d.fn.nonsilent_region(x)),
        Case(("signals",), lambda d, x: d.fn.nonsilent_region(x, window_length=512, cutoff_db=1), "shorter windows"),
    ],
    "preemphasis_filter": [
        Case(("signals",), lambda d, x: d.fn.preemphasis_filter(x)),
        Case(("signals",), lambda d, x: d.fn.preemphasis_filter(x, border="zero", preemph_coeff=0.5), "border"),
    ],
    "spectrogram": [
        Case(("signals",), lambda d, x: d.fn.spectrogram(x, window_length=400, window_step=160, nfft=512), "speech"),
        Case(("signals",), lambda d, x: d.fn.spectrogram(x, window_length=64, window_step=64, power=1), "amplitudes"),
    ],
    "to_decibels": [
        Case(("spectra",), lambda d, x: d.fn.to_decibels(x)),
        Case(
            ("spectra",), lambda d, x: d.fn.to_decibels(x, multiplier=20.0, reference=1.0, cutoff_db=-80.0), "reference"
        ),
    ],
}
