"""Operators on signals and spectra, with samples that differ in length, compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
import pytest
from beside_dali import load, pipeline
from ragged_batches import check, numbers

pytestmark = pytest.mark.dali

WINDOW = list(np.linspace(0.25, 1, 8))


def signal(rng):
    return numbers(rng, np.float32, rng.integers(8, 60))


def spectra(rng):
    return np.abs(numbers(rng, np.float32, 17, rng.integers(1, 9)))


def turned(rng):
    return spectra(rng).T.copy()


def test_spectrograms():
    def outputs(dali, x):
        given = {"window_length": 8, "window_step": 5}
        several = [
            {},
            {"reflect_padding": False},
            {"center_windows": False},
            {"nfft": 15, "layout": "tf"},
            {"power": 1},
            {"window_fn": WINDOW},
            {"window_length": 64, "window_step": 7},
            {"window_step": 100},
        ]
        found = [dali.fn.spectrogram(x, **{**given, **one}) for one in several]
        return *found, dali.fn.spectrogram(dali.fn.expand_dims(x, axes=0), **given)

    check([("", signal)], outputs, rtol=1e-5, atol=2e-2)


def test_mel_spectra_and_their_coefficients():
    def outputs(dali, x, y):
        fn = dali.fn
        bank = {"nfilter": 5, "sample_rate": 16000.0}
        return (
            fn.mel_filter_bank(x, **bank),
            fn.mel_filter_bank(y, **bank),
            fn.mel_filter_bank(fn.reshape(x, layout=""), **bank),
            fn.mel_filter_bank(x, nfilter=4, mel_formula="htk", normalize=False),
            fn.mel_filter_bank(x, nfilter=4, freq_low=300.0, freq_high=5000.0),
            fn.mfcc(x),
            fn.mfcc(y, axis=1, n_mfcc=6, normalize=True),
            fn.mfcc(x, dct_type=1, lifter=10.0),
            fn.mfcc(x, dct_type=3, normalize=True),
            fn.mfcc(x, dct_type=4),
        )

    check([("ft", spectra), ("tf", turned)], outputs, rtol=1e-5, atol=2e-4)


def test_decibels_and_preemphasis():
    def outputs(dali, x, y):
        fn, types = dali.fn, dali.types
        return (
            fn.to_decibels(x),
            fn.to_decibels(x, multiplier=20.0, cutoff_db=-6.0),
            fn.to_decibels(x, reference=3.0, cutoff_db=-80.0),
            fn.preemphasis_filter(y),
            fn.preemphasis_filter(y, border="zero"),
            fn.preemphasis_filter(y, border="reflect", preemph_coeff=fn.random.coin_flip(probability=1.0) * 0.5),
            fn.preemphasis_filter(y, dtype=types.INT16),
            fn.preemphasis_filter(fn.cast(y, dtype=types.INT16), dtype=types.UINT8, preemph_coeff=0.5),
            fn.mfcc(
                fn.to_decibels(fn.mel_filter_bank(fn.spectrogram(y, nfft=32, window_length=8), nfilter=6)), n_mfcc=3
            ),
        )

    check([("ft", spectra), ("", signal)], outputs, rtol=1e-5, atol=2e-4)


@pytest.mark.parametrize(("axis", "nfft", "power"), [(-1, None, 2), (0, 16, 1), (1, 32, 2)])
def test_spectra_along_an_axis(axis, nfft, power):
    samples = [np.random.default_rng(k).normal(size=(3, 20)).astype(np.float32) for k in range(2)]
    found = []
    for system in ("nvidia.dali", "jaxdali"):
        dali = load(system)
        with pipeline(dali) as pipe:
            data = dali.fn.external_source(lambda: samples, layout="CT")
            given = {} if nfft is None else {"nfft": nfft}
            pipe.set_outputs(dali.fn.power_spectrum(data, axis=axis, power=power, **given))
        (output,) = pipe.run()
        found.append((output.layout(), [np.array(output.at(k)) for k in range(2)]))
    (layout, theirs), (own_layout, ours) = found
    assert layout == own_layout == "CT"
    for one, other in zip(theirs, ours, strict=True):
        np.testing.assert_allclose(other, one, atol=2e-6 * abs(one).max(), strict=True)


def test_spectra_of_signals_that_differ_in_length():
    signals = [np.sin(np.arange(n, dtype=np.float32)) for n in (20, 13)]
    found = []
    for system in ("nvidia.dali", "jaxdali"):
        dali = load(system)
        with pipeline(dali) as pipe:
            pipe.set_outputs(dali.fn.power_spectrum(dali.fn.external_source(lambda: signals), nfft=24))
        found.append([np.array(pipe.run()[0].at(k)) for k in range(2)])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(other, one, atol=2e-5, strict=True)
    with pytest.raises(ValueError, match="differ along the axis needs nfft="), pipeline(dali) as pipe:
        pipe.set_outputs(dali.fn.power_spectrum(dali.fn.external_source(lambda: signals)))
        pipe.run()


def display_name(rng):
    """Quiet noise with a louder part in it."""
    found = rng.normal(0, 1e-3, rng.integers(200, 900)).astype(np.float32)
    begin = rng.integers(0, 150)
    found[begin : begin + rng.integers(1, 400)] *= 500
    return found


def test_where_signals_are_not_silent():
    def outputs(dali, x):
        fn, types = dali.fn, dali.types
        several = [
            {"window_length": 16, "reset_interval": 32},
            {"window_length": 16, "reset_interval": -1, "cutoff_db": -20},
            {"window_length": 100, "reset_interval": -1, "cutoff_db": -30},
            {},
            {"window_length": 1, "reset_interval": -1},
            {"window_length": 32, "reset_interval": -1, "reference_power": 0.5, "cutoff_db": -10},
            {"window_length": 5000, "reset_interval": -1},
            {"window_length": 32, "reset_interval": -1, "cutoff_db": 3},
        ]
        found = [node for one in several for node in fn.nonsilent_region(x, **one)]
        # If nothing is loud, the begin means nothing; only the length is compared.
        found[-2] = found[-1]
        whole = fn.nonsilent_region(fn.cast(x * 100, dtype=types.INT16), window_length=16, reset_interval=-1)
        begin, length = found[:2]
        return *found, *whole, fn.slice(x, begin, length, axes=[0])

    check([("", display_name)], outputs)
